"""Enumeration for many tasks in many threads: the part that runs on a GPU, and the part of the host.

The host lists the expressions of one price for each task. Threads make a *trial* of each: they compute whether its
values are in the range of their class, their hash and their score. The host admits the results in the order of the
list, as it does when it evaluates the expressions itself. Then threads evaluate the admitted expressions again and keep
their values.
"""

from typing import NamedTuple

from arcloom.engine.machine.arrange import Plan, group, output
from arcloom.engine.machine.calls import thread_number
from arcloom.engine.machine.interpret import run_list
from arcloom.engine.machine.layout import record
from arcloom.engine.machine.records import INPUT, Machine, node, place, reloaded, state
from arcloom.engine.machine.threads import Threads, begin_slot, end_run, next_run, without_plan
from arcloom.engine.machine.tiles import Slot, machine_for, reset
from arcloom.engine.pointer import WordPointer, words_at
from arcloom.engine.words import row_function
from arcloom.enumerate.compiled.bank import (
    Bank,
    expression,
    hash_column,
    limits,
    operation,
    progress,
    score_of,
    set_score,
    value_class,
)
from arcloom.enumerate.compiled.copying import Area, copy_value, new_words
from arcloom.enumerate.compiled.expressions import (
    admit_expression,
    admit_leaves,
    close_price,
    count_expression,
    give_constants,
    is_done,
    list_expressions,
    take_column,
)

TRIAL = record("trial", "task operation places:3", array="trials")
"""A trial: the task and the operation of its expression, and the positions of the argument columns."""

RESULT = record("result", "fits hash score place", array="results")
"""The result of a trial: whether all values are in the range of their class, their hash, their score, and the position
of their column if they were kept."""

TASK = record("task", "limits expected", array="tasks")
"""The addresses of a task's limits and of its expected outputs."""

trial, result, task = (each.access for each in (TRIAL, RESULT, TASK))


class Trials(NamedTuple):
    """The trials of a launch: pointers to arrays, the position of the constants, and whether values are kept."""

    trials: WordPointer
    results: WordPointer
    tasks: WordPointer
    operations: WordPointer
    classes: WordPointer
    constants: int
    keep: int


class Admission(NamedTuple):
    """The results of all listed expressions of a task, and the numbers of the admitted ones."""

    results: WordPointer
    admitted: WordPointer


@row_function
def bank_of(y: Trials, number: int) -> Bank:
    """The bank of a trial's task with the arrays that a thread needs; it has neither entries nor expressions."""
    which = trial.task(y, number)
    own, expected, none = words_at(task.limits(y, which)), words_at(task.expected(y, which)), y.results
    return Bank(y.operations, y.classes, none, none, none, none, expected, none, own, none, none)


@row_function
def give_arguments(m: Machine, p: Plan, x: Bank, y: Trials, number: int) -> None:
    """Set the argument columns of an operation."""
    k = trial.operation(y, number)
    for at in range(group.givens(p, k), group.givens_end(p, k)):
        n = p.links[at]
        for i in range(operation.arity(x, k) if node.kind(m, n) == INPUT else 0):
            if operation.inputs(x, k, i) == node.origin(m, n):
                place.set_at(m, n, trial.places(y, number, i))
                place.set_step(m, n, 1)


@row_function
def keep_column(m: Machine, x: Bank, a: Area, kind: int, at: int) -> int:
    """Copy a column and its values to persistent memory. Returns its position there."""
    rows = limits.rows(x, 0)
    into = new_words(m, a, rows)
    for r in range(rows):
        if not state.full(m, 0):
            m.words[into + r] = copy_value(m, a, value_class.type(x, kind), m.words[at + r])
    return into


@row_function
def note_column(m: Machine, x: Bank, y: Trials, a: Area, number: int, at: int) -> None:
    """Write the result of a trial with an output column; keep the column if the launch keeps values."""
    kind = operation.result(x, trial.operation(y, number))
    if y.keep:
        result.set_place(y, number, keep_column(m, x, a, kind, at))
        return
    result.set_fits(y, number, 1)
    result.set_hash(y, number, hash_column(m, x, kind, at))
    result.set_score(y, number, score_of(m, x, at) if kind == 0 else 0)


@row_function
def end_trial(m: Machine, p: Plan, y: Trials, a: Area, number: int, heap: int) -> None:
    """Write the result of a trial whose nodes were run. The heap and the columns were free from ``heap`` to the end of
    the slot before."""
    x, k = bank_of(y, number), trial.operation(y, number)
    target = output.node(m, group.outputs(p, k))
    at = take_column(m, x, operation.result(x, k), target, heap, state.end(m, 0))
    if at >= 0:
        state.set_columns(m, 0, at)
        note_column(m, x, y, a, number, at)


@row_function
def make_trial(p: Plan, s: Slot, y: Trials, a: Area, number: int) -> int:
    """Make a trial. Returns 0, or the reason why it could not be made: see ``state.full``.

    Each operation is a group of its own.
    """
    x, k = bank_of(y, number), trial.operation(y, number)
    m = machine_for(p, s, k)
    reset(m, group.counters(p, k), limits.rows(x, 0))
    if state.full(m, 0):
        return state.full(m, 0)
    give_constants(m, p, k, y.constants)
    give_arguments(m, p, x, y, number)
    heap = state.top(m, 0)
    run_list(m, group.first(p, k), group.end(p, k))
    m = reloaded(m)
    end_trial(m, p, y, a, number, heap)
    return state.full(m, 0)


@row_function
def make_trials(p: Plan, t: Threads, y: Trials, a: Area) -> int:
    """Make trials in one thread of a launch. Returns their number."""
    s = begin_slot(t, t.first_thread + thread_number())
    done = 0
    while done < t.most:
        number = next_run(t)
        if number < 0:
            return done
        end_run(t, number, make_trial(p, s, y, a, number))
        done += 1
    return done


@row_function
def begin_price(s: Slot, x: Bank, price: int) -> int:
    """Admit the leaves of a price and list its expressions. Returns how many of them may be tried."""
    admit_leaves(without_plan(s), x, price)
    return min(list_expressions(x, price), max(0, limits.tries(x, 0) - progress.tried(x, 0)))


@row_function
def end_price(x: Bank, r: Admission, price: int, count: int) -> int:
    """Admit the results of expressions until the enumeration is done. Returns the number of admitted ones."""
    admitted = 0
    for number in range(count):
        if is_done(x):
            break
        count_expression(x, expression.operation(x, number))
        if result.fits(r, number):
            made = admit_expression(x, number, result.hash(r, number), price)
            if made >= 0:
                set_score(x, made, result.score(r, number))
                r.admitted[admitted] = number
                admitted += 1
    close_price(x, price)
    return admitted
