"""Constants that the demonstrations of a task suggest: colours, sizes, and terms that compute them."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from arcloom.dsl import CONSTANTS
from arcloom.program.build import INPUT, SHOWN, call, literal, named
from arcloom.program.term import Literal, Term
from arcloom.tasks.task import Grid, Task

SMALL = range(-2, 11)

_ANY_TASK: tuple[Term, ...] = (
    call("mostcolor", INPUT),
    call("leastcolor", INPUT),
    call("get_color_rank_t", INPUT, named("F1")),
    call("get_color_rank_t", INPUT, named("F2")),
    call("get_color_rank_t", INPUT, named("L2")),
)
_APPEARING: tuple[Term, ...] = tuple(call(pick, call("c_zo", SHOWN, named("p_g"))) for pick in ("first", "last"))
_VANISHING: tuple[Term, ...] = tuple(call(pick, call("c_iz", SHOWN, named("p_g"))) for pick in ("first", "last"))

DERIVED_COLOURS = (*_APPEARING, *_VANISHING, *_ANY_TASK)
"""Terms that compute a colour from the input or the demonstrations, in order of preference."""

_DIRECTIONS: tuple[Literal, ...] = tuple(
    literal(value) for value in dict.fromkeys(CONSTANTS.values()) if isinstance(value, tuple) and len(value) == 2
)


def _shape(grid: Grid) -> tuple[int, int]:
    return len(grid), len(grid[0])


def _by_frequency(grids: list[Grid]) -> list[int]:
    counts = Counter(cell for grid in grids for row in grid for cell in row)
    return [colour for colour, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


@dataclass(frozen=True)
class TaskConstants:
    """Constants that the demonstrations and test inputs of a task suggest."""

    task: Task

    @cached_property
    def seen(self) -> list[int]:
        """The colours of the inputs, the most frequent first."""
        return _by_frequency([pair.input for pair in self.task.samples])

    @cached_property
    def wanted(self) -> list[int]:
        """The colours of the demonstrations' outputs, the most frequent first."""
        return _by_frequency([pair.output for pair in self.task.train if pair.output])

    @cached_property
    def appearing(self) -> list[int]:
        """The colours that occur in the output but not in the input of some demonstration."""
        found = [colour for pair in self.task.train for colour in _new_colours(pair.input, pair.output or ())]
        return sorted(set(found))

    @cached_property
    def colours(self) -> list[int]:
        """All colours of the task, each once, the most likely first."""
        return list(dict.fromkeys([*self.appearing, *self.wanted, *self.seen]))

    @cached_property
    def derived_colours(self) -> tuple[Term, ...]:
        """Terms that compute a colour from the input or the demonstrations, as far as they have a value here."""
        appearing = _APPEARING if set(self.wanted) - set(self.seen) else ()
        vanishing = _VANISHING if set(self.seen) - set(self.wanted) else ()
        return (*appearing, *vanishing, *_ANY_TASK)

    @cached_property
    def ints(self) -> list[Literal]:
        """Small integers, and the side lengths of the outputs."""
        sides = [side for shape in self._output_shapes for side in shape]
        return [literal(value) for value in dict.fromkeys([*SMALL, *sides])]

    @cached_property
    def pairs(self) -> list[Literal]:
        """The shapes of the outputs, and directions."""
        return list(dict.fromkeys([*map(literal, self._output_shapes), *_DIRECTIONS]))

    @cached_property
    def _output_shapes(self) -> list[tuple[int, int]]:
        return list(dict.fromkeys(_shape(pair.output) for pair in self.task.train if pair.output))

    @cached_property
    def one_output_shape(self) -> bool:
        """Whether the outputs of all demonstrations have the same shape."""
        return len(self._output_shapes) == 1


def _new_colours(before: Grid, after: Grid) -> set[int]:
    return {cell for row in after for cell in row} - {cell for row in before for cell in row}
