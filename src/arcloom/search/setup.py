"""The setup of a search: a picklable description, from which every worker builds the same search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arcloom.enumerate.explorer import Operation
from arcloom.enumerate.operations import operations
from arcloom.library import bundled
from arcloom.program.keys import Keys
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.search.loop import differs
from arcloom.search.loop.evolve import Evolution
from arcloom.search.loop.source import EACH, Source
from arcloom.search.review.reviews import REVIEWS
from arcloom.search.sources.card import Card
from arcloom.search.sources.deal import Deal
from arcloom.search.sources.enumeration import Enumeration
from arcloom.search.sources.induction import Induction
from arcloom.search.sources.iteration import Iteration
from arcloom.search.sources.lookups import lookups
from arcloom.search.sources.merge import Merge
from arcloom.search.sources.object_rules import ObjectRules
from arcloom.search.sources.repair import Repair
from arcloom.search.sources.variants import variants
from arcloom.search.sources.viewed import BACKGROUND, CONSTRUCTED, RANKED, TRANSPOSED, Viewed
from arcloom.stopwatch import Stopwatch
from arcloom.tasks import load

TRAINING = "arcagi:training"

VIEWED = ((BACKGROUND, 1), (RANKED, 4), (TRANSPOSED, 6))
"""The views in which a task is searched, and the generation in which that begins for each."""

CONSTRUCTED_FROM = 1
"""The generation in which the search begins for the parts that outputs are constructed of."""


@dataclass(frozen=True)
class Setup:
    """Everything that the outcome of a search depends on besides the tasks and the time.

    ``library`` and ``differs`` are source texts of programs that are used besides the bundled ones. ``hide_own`` hides
    from each task the library program of its name, to measure what the search finds by itself. ``bundled``,
    ``derived`` (lookups, and variants of library programs) and ``operations`` (the names of those to enumerate with,
    None for all) make smaller searches possible. ``extra`` are functions that make further sources; they must be
    importable by name, since workers call them in their own processes.
    """

    seed: int = 0
    each: int = EACH
    device: str = "cpu"
    hide_own: bool = False
    library: Sequence[str] = ()
    differs: Sequence[str] = ()
    bundled: bool = True
    derived: bool = True
    operations: Sequence[str] | None = None
    extra: Sequence[Callable[[], Source]] = field(default=())

    def build(self, stopwatch: Stopwatch | None = None) -> Evolution:
        """The search, ready to run generations."""
        keys = Keys()
        judge = differs.Judge(self._differs(), self.device)
        return Evolution(self._sources(keys), judge, keys, REVIEWS, self.each, self.device, stopwatch or Stopwatch())

    def _differs(self) -> list[Program]:
        given = (differ for text in self.differs for differ in differs.differs_of(text, "given differs"))
        return [*differs.bundled(), *given]

    def _sources(self, keys: Keys) -> list[Source]:
        library = self.programs()
        derived = [*lookups(), *variants(library, load(TRAINING), self.device)] if self.derived else []
        decks = [
            Deal(name, programs, each=self.each, hide_own=self.hide_own)
            for name, programs in (("library", library), ("variants", derived))
        ]
        after = max(deck.generations for deck in decks)
        objects, induction = ObjectRules(self.device), Induction(self.device)
        enumeration = Enumeration(self._operations(), self.device)
        every = [enumeration, induction, objects]
        return [
            *decks,
            Repair(),
            Merge(keys),
            objects,
            induction,
            Iteration(self.device),
            enumeration,
            *(Viewed(f"{view.name} view", [view], every, first) for view, first in VIEWED),
            Viewed("parts of outputs", CONSTRUCTED, every, CONSTRUCTED_FROM),
            *(make() for make in self.extra),
            Card(library, keys, seed=self.seed, after=after, hide_own=self.hide_own),
        ]

    def _operations(self) -> list[Operation] | None:
        if self.operations is None:
            return None
        return [operation for operation in operations() if operation.name in set(self.operations)]

    def programs(self) -> list[Program]:
        """The library: the bundled programs and the given ones, each once."""
        given = [program for text in self.library for program in parse(text)]
        return list(dict.fromkeys([*(bundled() if self.bundled else ()), *given]))
