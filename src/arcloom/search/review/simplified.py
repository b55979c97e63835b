"""Programs made simpler, and run beside what they were: only what gives the same on all samples is taken."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arcloom.engine.results import Results, Sample
from arcloom.engine.run import run
from arcloom.program.outcomes import same_outcome
from arcloom.program.rules import RewriteRule
from arcloom.program.simplify import rules_used, simplify, simplify_all
from arcloom.program.term import Program

Rows = Sequence[Sequence[int]]


@dataclass
class Simplified:
    """The programs in their simplest forms, in the order given.

    ``refused`` are rewrites that gave something else for a sample: the program, by its position, and the rules that
    made the difference. ``seconds`` says what took how long.
    """

    programs: list[Program]
    refused: dict[int, list[RewriteRule]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def simplified(
    programs: Sequence[Program], samples: Sequence[Sample], rows: Rows | None = None, *, device: str = "cpu"
) -> Simplified:
    """The programs in their simplest forms that give the same for the samples, or for those in ``rows[p]``.

    Both sides run in one batt. A value must stay the same value, and a failure a failure; why and where a program
    fails may change. A rewrite that does not pass is done again with only those of its rules that pass alone.
    """
    start = time.perf_counter()
    chosen = rows if rows is not None else [range(len(samples))] * len(programs)
    simple = simplify_all(programs)
    rewritten = time.perf_counter()
    changed = [p for p, program in enumerate(programs) if simple[p] is not program]
    check = _Check(samples, device)
    wrong = check.differing([(p, programs[p], simple[p]) for p in changed], chosen)
    done = Simplified(simple)
    for p in wrong:
        done.programs[p], done.refused[p] = _by_single_rules(programs[p], p, check, chosen)
    done.seconds.update(rewrite=rewritten - start, check=time.perf_counter() - rewritten)
    return done


def unique(programs: Iterable[Program]) -> list[Program]:
    """The programs without those that are another one in other words: the first of equal ones stays."""
    return list(dict.fromkeys(programs))


def _by_single_rules(program: Program, p: int, check: "_Check", rows: Rows) -> tuple[Program, list[RewriteRule]]:
    """The program made simpler by those rules that change nothing, and the rules that do."""
    used = rules_used(program)
    alone = [simplify(program, [rule]) for rule in used]
    at = [rows[p]] * (len(used) + 1)
    differing = check.differing([(k, program, other) for k, other in enumerate(alone)], at)
    good = [rule for k, rule in enumerate(used) if k not in differing]
    together = simplify(program, good)
    if check.differing([(0, program, together)], at):
        return program, used
    return together, [used[k] for k in differing]


class _Check:
    """Compares programs on samples."""

    def __init__(self, samples: Sequence[Sample], device: str) -> None:
        self.samples = samples
        self.device = device

    def differing(self, pairs: Sequence[tuple[int, Program, Program]], rows: Rows) -> list[int]:
        """Of numbered pairs of programs, the numbers of those that give different things on their rows."""
        different = [(number, one, other) for number, one, other in pairs if one != other]
        programs = [program for _, *both in different for program in both]
        samples, at = self._needed([rows[number] for number, *_ in different])
        results = run(
            programs, samples, device=self.device, rows=[row for row in at for _ in range(2)], typed_only=True
        )
        return [number for k, (number, *_) in enumerate(different) if not _agree(results, 2 * k, at[k])]

    def _needed(self, rows: Rows) -> tuple[list[Sample], list[list[int]]]:
        """Only those samples that are in some rows, and the rows as positions in them."""
        needed = sorted({s for row in rows for s in row})
        position = {s: k for k, s in enumerate(needed)}
        return [self.samples[s] for s in needed], [[position[s] for s in row] for row in rows]


def _agree(results: Results, p: int, rows: Sequence[int]) -> bool:
    """Whether a program and the next give the same on these rows, or neither has types."""
    if p in results.untyped or p + 1 in results.untyped:
        return p in results.untyped and p + 1 in results.untyped
    return all(same_outcome(results.outcomes.value(p, s), results.outcomes.value(p + 1, s)) for s in rows)
