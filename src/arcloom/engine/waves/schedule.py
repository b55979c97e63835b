"""The order in which nodes run: waves of nodes that need nothing from each other, grouped by kernel."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from arcloom.engine.plan import Action, Planner, captured, needed
from arcloom.program.graph import Frame, Node

Group = tuple[Action, list[tuple[int, Node]]]
"""Nodes that run together, each with the number of the lane that it runs in."""


class Schedule:
    """The waves for some lanes, each with the nodes whose values it must have in the end.

    ``last_reads`` and ``last_frames`` say, for a group's number, what is not needed after it: columns of inner frames,
    and inner frames. What lies outside ``within`` is not this schedule's to let go.
    """

    def __init__(self, planner: Planner, lanes: Iterable[Iterable[Node]], within: Frame | None = None) -> None:
        waves: dict[int, dict[Action, list[tuple[int, Node]]]] = {}
        kept: set[tuple[int, Node]] = set()
        own: set[tuple[int, Node]] = set()
        for lane, outputs in enumerate(lanes):
            wanted = list(outputs)
            kept.update((lane, node) for node in wanted)
            levels = _levels(needed(wanted, within))
            for node, level in levels.items():
                own.add((lane, node))
                group = waves.setdefault(level, {})
                group.setdefault(planner.action(node), []).append((lane, node))
        self.groups: list[Group] = [group for level in sorted(waves) for group in waves[level].items()]
        inner = {(lane, node) for lane, node in own - kept if node.frame.parent is not None}
        reads, frames = self._last_uses(within)
        self.last_reads = _by_number({key: number for key, number in reads.items() if key in inner})
        self.last_frames = _by_number(frames)

    def _last_uses(self, within: Frame | None) -> tuple[dict[tuple[int, Node], int], dict[tuple[int, Frame], int]]:
        """The number of the last group that reads a node, and of the last that needs the rows of a frame."""
        reads: dict[tuple[int, Node], int] = {}
        frames: dict[tuple[int, Frame], int] = {}
        for number, (_, members) in enumerate(self.groups):
            for lane, node in members:
                reads.update(((lane, arg), number) for arg in _read(node))
                for frame in _frames(node):
                    for outer in _upwards(frame, within):
                        frames[lane, outer] = number
                        if outer.source is not None:
                            reads[lane, outer.source] = number
        return reads, frames


def _levels(nodes: Iterable[Node]) -> dict[Node, int]:
    """For each of the nodes, by number, one more than the level of any other of them that it needs."""
    levels: dict[Node, int] = {}
    for node in sorted(nodes, key=lambda node: node.number):
        before = [*_read(node), *(() if node.frame.source is None else (node.frame.source,))]
        levels[node] = 1 + max(levels.get(other, 0) for other in before)
    return levels


def _read(node: Node) -> Iterator[Node]:
    """What a node reads, itself or through a loop's body; its own column counts, so that unread ones go, too."""
    yield node
    yield from node.args
    if node.op == "loop":
        yield from captured(node.data)


def _frames(node: Node) -> Iterator[Frame]:
    """The frames that a node has to do with."""
    yield node.frame
    for frame in node.data if node.op == "select" else (node.data,):
        if isinstance(frame, Frame):
            yield frame


def _upwards(frame: Frame | None, within: Frame | None) -> Iterator[Frame]:
    """A frame and those around it, up to the one that a schedule lies within: opening a frame reads from outside."""
    while frame is not None and frame.parent is not None and frame is not within:
        yield frame
        frame = frame.parent


K = TypeVar("K")


def _by_number(last: dict[K, int]) -> dict[int, list[K]]:
    grouped: dict[int, list[K]] = {}
    for key, number in last.items():
        grouped.setdefault(number, []).append(key)
    return grouped
