"""Learn the weights of votes from the votes of finished runs and the correct answers of their tasks.

python -m arcloom.search.fit_weights --votes FOLDER DATA [--votes FOLDER DATA ...] [--check]

FOLDER is the output folder of ``arcloom solve --data DATA``, run on training tasks with ``--hide-own``; never use
evaluation tasks. The weights are written to ``search/loop/weights.json``. With ``--check`` nothing is written: a
five-fold cross-validation compares the number of tasks solved with learnt weights and with the current ones.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from arcloom.search.loop import vote as votes
from arcloom.search.loop.invariants import NAMES, Invariants
from arcloom.search.loop.submission import ATTEMPTS
from arcloom.search.loop.vote import Ballot, Weights
from arcloom.store import Store, TaskKey, Vote
from arcloom.store.runs import runs
from arcloom.store.runs import votes as votes_of_run
from arcloom.tasks import load
from arcloom.tasks.packed import pack

LIBRARY = "library.sqlite"
HALVES = (4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 30.0, 40.0)
FACTORS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0)
PENALTIES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
"""The values that are tried for ``Weights.halves_every``, for the factor of a source, and for that of an invariant."""

ROUNDS, FOLDS = 3, 5
"""Number of passes over all weights, and of folds of the cross-validation."""

SURE = 0.2
"""Weight of the mean share of the correct answers in the objective. A solved task has weight 1."""


@dataclass(frozen=True)
class VotedTask:
    """The votes for one task, each with the size of its program, and the correct answers.

    The weights of these votes do not include the learnt factors.
    """

    task: str
    votes: Sequence[tuple[Vote, int]]
    answers: Sequence[bytes | None]
    violated: Callable[[int, bytes], tuple[str, ...]] = lambda test, output: ()

    def value(self, weights: Weights) -> float:
        """The objective: 1 if the attempts by these weights are correct, plus SURE times the share of the answers."""
        ballot = Ballot(len(self.answers), lambda test, output: weights.plausibility(self.violated(test, output)))
        for vote, size in self.votes:
            ballot.add(vote._replace(weight=vote.weight * weights.of(size, vote.source)))
        shares = [ballot.share(test, answer) for test, answer in enumerate(self.answers) if answer is not None]
        return self._solved(ballot) + SURE * sum(shares) / max(len(shares), 1)

    def solved(self, weights: Weights) -> bool:
        """Whether the attempts by these weights include the correct answers."""
        return self.value(weights) >= 1

    def _solved(self, ballot: Ballot) -> bool:
        return all(answer in ballot.guesses(test)[:ATTEMPTS] for test, answer in enumerate(self.answers))


def voted_tasks(folder: Path, data: str, weights: Weights) -> Iterator[VotedTask]:
    """The tasks with votes in the last run of a folder. ``weights`` are those that the run used."""
    answers = {TaskKey.of(task): task for task in load(data)}
    with Store.open(folder / LIBRARY, must_exist=True) as store:
        sizes = {entry.digest: entry.size for entry in store.programs()}
        for key, cast in votes_of_run(store, runs(store)[-1]).items():
            if key in answers and cast:
                task = answers[key]
                yield VotedTask(
                    task.id,
                    [(_without(vote, sizes[vote.program], weights), sizes[vote.program]) for vote in cast],
                    [pack(pair.output) for pair in task.test],
                    cache(Invariants(task).violated),
                )


def _without(vote: Vote, size: int, weights: Weights) -> Vote:
    return vote._replace(weight=vote.weight / weights.of(size, vote.source))


def fitted(tasks: Sequence[VotedTask], start: Weights) -> Weights:
    """The weights with the greatest sum of values for these tasks, found by coordinate ascent."""
    sources = sorted({vote.source for task in tasks for vote, _ in task.votes})
    best = start
    for _ in range(ROUNDS):
        best = _best(tasks, [best, *(replace(best, halves_every=halves) for halves in HALVES)])
        for source in sources:
            best = _best(tasks, [best, *(_with(best, source, factor) for factor in FACTORS)])
        for name in NAMES:
            best = _best(tasks, [best, *(_penalised(best, name, factor) for factor in PENALTIES)])
    return best


def _with(weights: Weights, source: str, factor: float) -> Weights:
    return replace(weights, sources={**weights.sources, source: factor})


def _penalised(weights: Weights, name: str, factor: float) -> Weights:
    return replace(weights, invariants={**weights.invariants, name: factor})


def _best(tasks: Sequence[VotedTask], choices: Sequence[Weights]) -> Weights:
    return max(choices, key=lambda weights: sum(task.value(weights) for task in tasks))


def check(tasks: Sequence[VotedTask], current: Weights) -> tuple[int, int]:
    """The number of tasks solved by the current weights, and by weights learnt from the other folds."""
    learnt = 0
    for fold in range(FOLDS):
        weights = fitted([task for n, task in enumerate(tasks) if n % FOLDS != fold], current)
        learnt += sum(task.solved(weights) for task in tasks[fold::FOLDS])
    return sum(task.solved(current) for task in tasks), learnt


def main() -> None:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser(prog="python -m arcloom.search.fit_weights", description=__doc__)
    parser.add_argument("--votes", nargs=2, action="append", required=True, metavar=("FOLDER", "DATA"))
    parser.add_argument("--check", action="store_true", help="report solved tasks by cross-validation; write nothing")
    options = parser.parse_args()
    current = votes.learnt_weights()
    tasks = [task for folder, data in options.votes for task in voted_tasks(Path(folder), data, current)]
    if options.check:
        before, after = check(tasks, current)
        print(f"of {len(tasks)} tasks with votes, the current weights solve {before}, and learnt ones {after}")
        return
    weights = fitted(tasks, current)
    tables = {name: dict(sorted(getattr(weights, name).items())) for name in ("sources", "invariants")}
    text = json.dumps({"halves_every": weights.halves_every, **tables}, indent=0)
    Path(str(files(votes.__package__).joinpath(votes.WEIGHTS))).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
