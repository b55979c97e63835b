"""Checked simplification: a rewritten program is accepted only if it has the same results on all samples."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arcloom.engine.results import Results, Sample
from arcloom.engine.run import run
from arcloom.program.outcomes import same_outcome
from arcloom.program.rewrite_rules import RewriteRule
from arcloom.program.simplify import rules_used, simplify, simplify_all
from arcloom.program.term import Program

Rows = Sequence[Sequence[int]]


@dataclass
class Simplified:
    """The programs in their simplest forms, in the given order.

    ``refused`` has the rules that changed the result of a program for some sample, by the position of the program.
    ``seconds`` has the time of each stage.
    """

    programs: list[Program]
    refused: dict[int, list[RewriteRule]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def simplified(
    programs: Sequence[Program], samples: Sequence[Sample], rows: Rows | None = None, *, device: str = "cpu"
) -> Simplified:
    """The programs in their simplest forms that have the same results.

    Program ``p`` is compared on the samples ``rows[p]``, by default on all. Both forms run in one batt. Values must be
    equal, and failures must stay failures; the line and reason of a failure may change. A rewrite that fails the
    comparison is repeated with only those rules that pass it alone.
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
    """The programs without duplicates: of equal programs, the first is kept."""
    return list(dict.fromkeys(programs))


def _by_single_rules(program: Program, p: int, check: "_Check", rows: Rows) -> tuple[Program, list[RewriteRule]]:
    """The program simplified by the rules that keep its results, and the rules that do not."""
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
        """The numbers of those pairs of programs that have different results on their rows."""
        different = [(number, one, other) for number, one, other in pairs if one != other]
        programs = [program for _, *both in different for program in both]
        samples, at = self._needed([rows[number] for number, *_ in different])
        results = run(
            programs, samples, device=self.device, rows=[row for row in at for _ in range(2)], typed_only=True
        )
        return [number for k, (number, *_) in enumerate(different) if not _agree(results, 2 * k, at[k])]

    def _needed(self, rows: Rows) -> tuple[list[Sample], list[list[int]]]:
        """The samples that occur in ``rows``, and the rows as positions among these."""
        needed = sorted({s for row in rows for s in row})
        position = {s: k for k, s in enumerate(needed)}
        return [self.samples[s] for s in needed], [[position[s] for s in row] for row in rows]


def _agree(results: Results, p: int, rows: Sequence[int]) -> bool:
    """Whether programs ``p`` and ``p + 1`` have the same results on these rows, or both are untyped."""
    if p in results.untyped or p + 1 in results.untyped:
        return p in results.untyped and p + 1 in results.untyped
    return all(same_outcome(results.outcomes.value(p, s), results.outcomes.value(p + 1, s)) for s in rows)
