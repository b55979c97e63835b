"""Generated program texts for measurements of judging: mutants of solvers, some of them broken."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from arcloom.check import Case
from arcloom.engine.run import run
from arcloom.enumerate.task_constants import TaskConstants
from arcloom.program.term import Call, Function, Program
from arcloom.search.sources.analysis import ProgramAnalysis
from arcloom.search.sources.mutate import Change, Mutator, Pool
from arcloom.tasks import Task
from arcloom.tasks.samples import samples_of_tasks

CALLS = range(8, 21)
"""The allowed numbers of calls in a program."""

BROKEN = 0.1
"""The share of texts that cannot be parsed or typed."""

SAMPLES = 3
CHANGES = 4
CHECKED_TOGETHER = 1000


def cases(solvers: Sequence[Program], tasks: Sequence[Task], count: int, seed: int) -> list[tuple[str, Task]]:
    """Different texts with their tasks. Except for the broken ones, each has a value for every sample."""
    rng = Random(seed)
    found: dict[str, Task] = {}
    mutants = _mutants(solvers, [task for task in tasks if len(task.samples) == SAMPLES], rng)
    while len(found) < count:
        found |= {str(program): task for program, task in _running(list(islice(mutants, CHECKED_TOGETHER)))}
    return [(_broken(text, rng), task) for text, task in islice(found.items(), count)]


def _mutants(solvers: Sequence[Program], tasks: Sequence[Task], rng: Random) -> Iterator[Case]:
    """Mutants of solvers that read only the input and call only functions of arc-dsl."""
    analyses = [analysis for analysis in map(ProgramAnalysis, solvers) if analysis.types]
    pool = Pool(analyses)
    while True:
        task = rng.choice(tasks)
        analysis = rng.choice(analyses)
        output = _changed(analysis, Mutator(TaskConstants(task), pool, rng)).applied_to(analysis.program)
        program = Program("solve", ("I",), output)
        if len(program) in CALLS and program.reads == {"I"} and all(map(_is_original, program.calls)):
            yield program, task


def _changed(analysis: ProgramAnalysis, mutator: Mutator) -> Change:
    whole = Change()
    for _ in range(mutator.rng.randrange(1, CHANGES)):
        made = mutator.change(analysis)
        if made is not None:
            whole.update(made[1])
    return whole


def _is_original(call: Call) -> bool:
    parts = [part for part in (call.function, *call.args) if isinstance(part, Function)]
    return all(part.primitive.family not in ("dialect", "python") for part in parts)


def _running(cases: list[Case]) -> list[Case]:
    """The cases whose program has a value for every sample."""
    samples, rows = samples_of_tasks(task for _, task in cases)
    results = run([program for program, _ in cases], samples, device="cpu", rows=rows, typed_only=True)
    failing = {failure.program for failure in results.failures} | results.untyped.keys()
    return [case for p, case in enumerate(cases) if p not in failing]


# Broken texts


def _misspelt(text: str, rng: Random) -> str:
    at = text.index("(", text.index("=")) - 1
    return text[:at] + rng.choice("aeiou") + text[at:]


def _unclosed(text: str, rng: Random) -> str:
    lines = text.split("\n")
    k = rng.randrange(1, len(lines) - 2)
    lines[k] = lines[k].removesuffix(")")
    return "\n".join(lines)


def _method(text: str, rng: Random) -> str:
    return text.replace("return O", f"return O.{rng.choice(('copy', 'T', 'tolist'))}()")


def _without_arguments(text: str, rng: Random) -> str:
    lines = text.split("\n")
    k = rng.randrange(1, len(lines) - 2)
    lines[k] = lines[k][: lines[k].index("(")] + "()"
    return "\n".join(lines)


def _untyped(text: str, rng: Random) -> str:
    return text.replace("return O", f"return subgrid({rng.choice(('ONE', 'UP', 'rot90'))}, O)")


def _prose(text: str, rng: Random) -> str:
    return f"The grid is changed in {rng.randrange(1000)} places:\n{text.partition(':')[2]}"


BREAKS: tuple[Callable[[str, Random], str], ...] = (
    _misspelt,
    _unclosed,
    _method,
    _without_arguments,
    _untyped,
    _prose,
)


def _broken(text: str, rng: Random) -> str:
    return rng.choice(BREAKS)(text, rng) if rng.random() < BROKEN else text
