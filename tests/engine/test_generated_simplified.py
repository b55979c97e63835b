"""Generated programs before and after simplification."""

from generated import TRIED, programs

from arcloom.engine.run import run
from arcloom.program.simplify import measure, simplify_all


def test_simplification_does_not_change_generated_programs() -> None:
    before = [program for seed in range(12) for program in programs(seed, 25)]
    after = simplify_all(before)
    assert all(measure(new.output) <= measure(old.output) for old, new in zip(before, after, strict=True))
    assert sum(old != new for old, new in zip(before, after, strict=True)) > 10
    results = run([*before, *after], TRIED, device="reference")
    for p, old in enumerate(before):
        for s in range(len(TRIED)):
            if results.failure(p, s) is None:
                assert results.output(p, s) == results.output(p + len(before), s), f"{old}\n{after[p]}"
