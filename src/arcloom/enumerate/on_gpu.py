"""Enumeration on a GPU: see ``compiled.trials``.

The host lists expressions and admits their values to the bank; the GPU evaluates the expressions. The values of all
tasks are in one area of the GPU's memory. At the end this area is copied to the same positions of the CPU's memory. A
task that needs a larger slot or area is left to the CPU, which starts again from the beginning; results are the same
on both.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from arcloom.engine.arranged import ArrangedPlan
from arcloom.engine.columns import ConstantStore, Words
from arcloom.engine.compile.call import entry_point
from arcloom.engine.devices.gpu import BANKS, KEPT, TABLES, Gpu, Image, threads_of, words_of
from arcloom.engine.machine.arrange import PROGRAM, Plan
from arcloom.engine.machine.layout import Table
from arcloom.engine.machine.threads import WAITING
from arcloom.engine.memory import NONE, Memory
from arcloom.enumerate.compiled import expressions
from arcloom.enumerate.compiled.bank import ENTRY, EXPRESSION, LIMITS, OPERATION, PROGRESS, Bank
from arcloom.enumerate.compiled.copying import Area
from arcloom.enumerate.compiled.trials import RESULT, TASK, TRIAL, Admission, Trials
from arcloom.enumerate.enumerator import EnumerationResult, Enumerator, Problem, table_of

WORDS_END, CELLS_END = TABLES + BANKS, KEPT * 3 // 4
"""The ends of the area for values. The CPU uses the memory after it to find covers."""


class GpuEnumeration:
    """Problems that are enumerated together on a GPU. ``_left`` are those that do not fit into its memory."""

    def __init__(self, gpu: Gpu, enumerator: Enumerator, problems: Sequence[Problem], memory: Memory) -> None:
        self._gpu, self._enumerator, self._problems, self._memory = gpu, enumerator, problems, memory
        stores, self._banks = self._prepared()
        memory.load(enumerator.tables, [enumerator.planner.store.contents(), *(store.contents() for store in stores)])
        self._stores = stores
        self._tops = np.array(_behind(stores[-1]), np.int64)
        self._left: set[int] = set()

    def _prepared(self) -> tuple[list[ConstantStore], list[Bank]]:
        """The constant stores of all problems, at consecutive addresses, and their banks."""
        store, stores, banks = ConstantStore(TABLES, len(self._enumerator.planner.store.cells)), [], []
        for problem in self._problems:
            store = ConstantStore(*(_behind(store)))
            banks.append(self._enumerator.bank(problem, store))
            stores.append(store)
        return stores, banks

    def run(self) -> Mapping[int, EnumerationResult]:
        """The results by index of the problem; problems that do not fit into the GPU have none. Raises DeviceLost."""
        with self._gpu.used():
            self._upload_tables()
            for price in range(1, max(problem.price for problem in self._problems) + 1):
                self._enumerate_price(price)
            self._download_values()
        found = {k: self._finished(k) for k in range(len(self._problems)) if k not in self._left}
        self._gpu.statistics.tasks_enumerated += len(found)
        return found

    def _finished(self, k: int) -> EnumerationResult:
        """The result of a problem. Covers are found on the CPU."""
        bank = self._banks[k]._replace(operations=self._own_operations[k])
        return self._enumerator.finish(self._problems[k], bank, self._memory)

    def _upload_tables(self) -> None:
        """Upload the tables that do not change during the enumeration."""
        gpu, enumerator = self._gpu, self._enumerator
        gpu.free_samples()
        words, cells, _, _ = enumerator.planner.store.contents()
        image = Image(gpu.words)
        image.add(words)
        self._plan, operations = self._arranged(image)
        self._own_operations = [bank.operations for bank in self._banks]
        self._banks = [bank._replace(operations=_listed_in(operations, bank)) for bank in self._banks]
        tasks = TASK.table(len(self._banks))
        tasks["limits"] = [image.add(table_of(LIMITS, bank.limits).words) for bank in self._banks]
        tasks["expected"] = [image.add(np.array(bank.expected)) for bank in self._banks]
        constants = image.size
        image.add(enumerator.tables.constants)
        self._trials = Trials(
            trials=gpu.words,
            results=gpu.words,
            tasks=image.add(tasks.words),
            operations=image.add(operations.words),
            classes=image.add(enumerator.classes.words),
            constants=constants,
            keep=0,
        )
        self._kernels = gpu.numbers(enumerator.tables.kernels)
        self._bottom = image.size
        gpu.upload(gpu.words, image.assembled())
        gpu.upload(gpu.cells, cells)
        for store in self._stores:
            words, cells, words_at, cells_at = store.contents()
            gpu.upload(gpu.words + 8 * words_at, words)
            gpu.upload(gpu.cells + cells_at, cells)

    def _arranged(self, image: Image) -> tuple[Plan, Table]:
        """A plan in which each operation is a group of its own, and the table of operations with their node lists."""
        operations = self._enumerator.operation_table
        programs = PROGRAM.table(len(operations))
        programs["output"] = programs["gridded"] = operations["output"]
        members = np.arange(len(operations))
        arranged = ArrangedPlan(self._enumerator.tables, programs.words, NONE, groups=len(members), times=4)
        arranged.arrange_each(members)
        operations["first"], operations["end"] = arranged.groups["first"], arranged.groups["end"]
        nodes, links, frames = map(image.add, arranged.used)
        return Plan(nodes, links, frames, image.add(arranged.groups.words), 0, 0, 0), operations

    def _enumerate_price(self, price: int) -> None:
        """Evaluate and admit the expressions of a price, for all tasks whose enumeration has not ended."""
        active = [k for k in range(len(self._banks)) if k not in self._left and not self._is_over(k, price)]
        counts = [entry_point("begin_price")(self._memory.slot, self._banks[k], price) for k in active]
        listed = [self._listed(k, np.arange(count)) for k, count in zip(active, counts, strict=True)]
        found = self._launch(listed, keep=0)
        admitted = [self._admit(k, results, price) for k, results in zip(active, found, strict=True)]
        listed = [self._listed(k, chosen) for k, chosen in zip(active, admitted, strict=True)]
        for k, results in zip(active, self._launch(listed, keep=1), strict=True):
            entries = slice(self._entries(k) - len(results), self._entries(k))
            table_of(ENTRY, self._banks[k].bank)["place"][entries] = results["place"]

    def _is_over(self, k: int, price: int) -> bool:
        """Whether the enumeration of a task has ended before a price."""
        progress, limits = table_of(PROGRESS, self._banks[k].progress), table_of(LIMITS, self._banks[k].limits)
        done = progress["tried"][0] >= limits["tries"][0] or progress["found"][0] >= limits["enough"][0]
        return bool(done) or price > self._problems[k].price

    def _entries(self, k: int) -> int:
        """The number of entries of a task's bank."""
        return int(table_of(PROGRESS, self._banks[k].progress)["count"][0])

    def _listed(self, k: int, chosen: Words) -> Words:
        """The TRIAL records of chosen expressions in the list of a task."""
        bank, trials = self._banks[k], TRIAL.table(len(chosen))
        rows, places = table_of(EXPRESSION, bank.expressions).rows[chosen], table_of(ENTRY, bank.bank)["place"]
        trials["task"], trials["operation"] = k, rows[:, EXPRESSION.offset("operation")]
        trials.rows[:, TRIAL.offset("places") :] = places[rows[:, EXPRESSION.offset("args") :]]
        return trials.rows

    def _admit(self, k: int, results: Table, price: int) -> Words:
        """Admit the results of a task in the order of its list. Returns the expressions whose values are kept."""
        chosen = np.empty(len(results), np.int64)
        count = entry_point("end_price")(self._banks[k], Admission(results.words, chosen), price, len(results))
        return chosen[:count]

    def _launch(self, listed: Sequence[Words], keep: int) -> list[Table]:
        """Run trials and return the results of each task. A task with a trial that has too little memory is left."""
        trials = TRIAL.view(np.concatenate([np.empty((0, TRIAL.size), np.int64), *listed]))
        status, results = self._made(trials, keep) if len(trials) else (NONE, RESULT.table(0))
        self._left.update(trials["task"][status != 0].tolist())
        self._gpu.statistics.runs_on_cpu += int(np.count_nonzero(status))
        ends = np.cumsum([len(each) for each in listed])
        return [Table(RESULT, results.rows[end - len(each) : end]) for end, each in zip(ends, listed, strict=True)]

    def _made(self, trials: Table, keep: int) -> tuple[Words, Table]:
        """Run trials on the GPU and return their statuses and results."""
        gpu, count, image = self._gpu, len(trials), Image(self._gpu.words + 8 * self._bottom)
        status = image.add(np.full(count, WAITING))
        results = image.add(RESULT.table(count).words)
        retried, tops = image.add(np.zeros(1, np.int64)), image.add(self._tops)
        found = np.empty(image.size, np.int64)
        work = self._trials._replace(trials=image.add(trials.words), results=results, keep=keep)
        order = np.argsort(trials["operation"], kind="stable")
        threads = threads_of(gpu, image, self._kernels, order, status, retried, expressions.BUDGET)
        area = Area(tops, WORDS_END, CELLS_END)
        given = [words_of(self._plan, each, work, area) for each in threads]
        gpu.upload(gpu.words + 8 * self._bottom, image.assembled())
        gpu.launch("make_trials", given)
        gpu.download(found, status)
        self._tops = found[-2:]
        gpu.statistics.runs += count
        gpu.statistics.runs_in_larger_slots += int(found[-3])
        return found[:count], RESULT.view(found[count:-3])

    def _download_values(self) -> None:
        """Copy all values to the same positions of the CPU's memory."""
        first, gpu, memory = self._stores[0], self._gpu, self._memory
        words_end, cells_end = min(int(self._tops[0]), WORDS_END), min(int(self._tops[1]), CELLS_END)
        gpu.download(memory.words[first.words_at : words_end], gpu.words + 8 * first.words_at)
        gpu.download(memory.cells[first.cells_at : cells_end], gpu.cells + first.cells_at)
        behind = (NONE, np.empty(0, np.int8), words_end, cells_end)
        memory.load(self._enumerator.tables, [self._enumerator.planner.store.contents(), behind])


def _listed_in(arranged: Table, bank: Bank) -> Words:
    """The operations of a bank, with its costs, and with the node lists of an arranged table."""
    own = Table(OPERATION, table_of(OPERATION, bank.operations).rows.copy())
    own["first"], own["end"] = arranged["first"], arranged["end"]
    return own.words


def _behind(store: ConstantStore) -> tuple[int, int]:
    """The positions after the last word and the last cell of a store."""
    return store.words_at + len(store.words), store.cells_at + len(store.cells)
