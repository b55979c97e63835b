"""The setup of a search: a picklable description, from which every worker builds the same search."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arcloom.enumerate.enumerator import Operation
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
from arcloom.search.sources.composition import Composition
from arcloom.search.sources.enumeration import Enumeration
from arcloom.search.sources.induction import Induction
from arcloom.search.sources.iteration import Iteration
from arcloom.search.sources.lookups import lookups
from arcloom.search.sources.merge import Merge
from arcloom.search.sources.object_rules import ObjectRules
from arcloom.search.sources.repair import Repair
from arcloom.search.sources.unchanged import Unchanged
from arcloom.search.sources.variants import variants
from arcloom.search.sources.viewed import BACKGROUND, CONSTRUCTED, RANKED, TRANSPOSED, Viewed
from arcloom.stopwatch import Stopwatch
from arcloom.tasks import load

TRAINING = "arcagi:training"

VIEWED = ((BACKGROUND, 1), (RANKED, 4), (TRANSPOSED, 6))
"""The views in which a task is searched, each with the generation in which this begins."""

CONSTRUCTED_FROM = 1
"""The generation in which the search for the parts of constructed outputs begins."""


@dataclass(frozen=True)
class Setup:
    """All settings that the result of a search depends on, besides the tasks and the time.

    ``each`` is the number of candidates that a source is asked for per task and generation. ``library`` and
    ``differs`` are source texts of programs that are used in addition to the bundled ones. ``hide_own`` hides the
    library program named after a task from that task, to measure what the search finds without it. Smaller searches
    are possible without the ``bundled`` programs, without the ``derived`` ones (lookups, and variants of library
    programs), or with only the named ``operations``. ``extra`` are functions that make additional sources; they must
    be importable by name, since workers call them in their own processes.
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
        unchanged = [
            Unchanged(name, programs, each=self.each, hide_own=self.hide_own)
            for name, programs in (("library", library), ("variants", derived))
        ]
        after = max(source.generations for source in unchanged)
        objects, induction = ObjectRules(self.device), Induction(self.device)
        enumeration = Enumeration(self._operations(), self.device)
        every = [enumeration, induction, objects]
        return [
            *unchanged,
            Repair(),
            Merge(keys),
            objects,
            induction,
            Iteration(self.device),
            enumeration,
            Composition(enumeration.enumerator, self.device),
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
