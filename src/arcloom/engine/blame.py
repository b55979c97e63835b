"""Finding out which line of a program failed, and why, from the words that its nodes left."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from arcloom.engine.columns import Words
from arcloom.engine.lane import Lane
from arcloom.engine.plan import needed
from arcloom.engine.words import FAILED, LOWEST
from arcloom.program.graph import Frame, Loop, Node
from arcloom.program.trace import Step, Traced

Truths = npt.NDArray[np.bool_]
Rows = dict[Node, Truths]
"""Some rows of each node."""


def blame(traced: Traced, lane: Lane) -> tuple[Words, Words]:
    """For each sample, the line that failed and the reason's number; zeros where nothing did."""
    root = traced.graph.root
    lines = np.zeros(lane.frames[root].count, np.int64)
    reasons = np.zeros_like(lines)
    open_rows = _failed(lane, traced.output, root)
    for step in traced.steps:
        if not open_rows.any():
            break
        here = open_rows & _step_failed(step, lane, root)
        if here.any():
            lines[here] = step.line
            reasons[here] = own_reasons(step.nodes, lane, root, _concerned(step, lane, here))[here]
            open_rows &= ~here
    return lines, reasons


def _failed(lane: Lane, node: Node, frame: Frame) -> Truths:
    if node.op == "constant":
        return np.zeros(lane.frames[frame].count, bool)
    return lane.device.host(lane.column(node, frame)) < LOWEST


def _step_failed(step: Step, lane: Lane, root: Frame) -> Truths:
    """The samples for which a call failed."""
    failed = np.zeros(lane.frames[root].count, bool)
    for node in step.results:
        if node in lane.values:
            failed |= _failed(lane, node, root)
    return failed


def own_reasons(nodes: Sequence[Node], lane: Lane, frame: Frame, rows: Rows | None = None) -> Words:
    """For each row of a frame, why the first of the nodes failed that failed by itself; zero where none did.

    Within an inner frame the first element counts, and for one element the first node. With ``rows``, only those
    rows of nodes count that it names.
    """
    reasons = np.zeros(lane.frames[frame].count, np.int64)
    for node in nodes:
        words = lane.traces(node) if node.frame is frame else None
        if words is not None:
            for found in (_reasons_of(node, words, rows), *_reasons_within(node, nodes, lane, rows)):
                reasons = np.where(reasons == 0, found, reasons)
    return reasons


def _reasons_within(node: Node, nodes: Sequence[Node], lane: Lane, rows: Rows | None) -> Iterator[Words]:
    """Why what a node takes from inner frames failed, for each of its rows."""
    for arg, frame in _inner(node):
        if frame in lane.frames:
            cone = set(needed([arg], below=frame, bodies=True))
            reasons = own_reasons([inner for inner in nodes if inner in cone], lane, frame, rows)
            yield _first_of_rows(reasons, lane, frame, lane.frames[node.frame].count)


def _inner(node: Node) -> list[tuple[Node, Frame]]:
    """What a node takes from frames within its own."""
    if isinstance(node.data, Loop):
        return [(node.data.result, node.data.frame)]
    frames = node.data if node.op == "select" else (node.data,) if isinstance(node.data, Frame) else ()
    return list(zip(node.args[len(node.args) - len(frames) :], frames, strict=True))


def _reasons_of(node: Node, words: Words, rows: Rows | None) -> Words:
    own = (words > FAILED) & (words < LOWEST)
    if rows is not None:
        own &= rows.get(node, np.False_)
    return np.where(own, words - FAILED, 0)


def _first_of_rows(reasons: Words, lane: Lane, frame: Frame, count: int) -> Words:
    """For each row of the frame around this one, the first reason that its rows have."""
    found = np.zeros(count, np.int64)
    rows = np.flatnonzero(reasons)
    owners, earliest = np.unique(lane.device.host(lane.frames[frame].parents)[rows], return_index=True)
    found[owners] = reasons[rows[earliest]]
    return found


def _concerned(step: Step, lane: Lane, failed: Truths) -> Rows:
    """The rows of nodes whose failure can be why a call failed: what was computed for another choice is not."""
    found = dict.fromkeys(step.results, failed)
    for node in sorted(set(step.nodes), key=lambda node: node.number, reverse=True):
        words = lane.traces(node) if node in found else None
        if words is not None:
            stuck = found[node] & (words == FAILED)
            for arg, rows in _reads(node, stuck, lane) if stuck.any() else ():
                found[arg] = found[arg] | rows if arg in found else rows
    return found


def _reads(node: Node, rows: Truths, lane: Lane) -> Iterator[tuple[Node, Truths]]:
    """What a node read for these rows of it."""
    inner = _inner(node)
    for arg in node.args[: len(node.args) - (0 if isinstance(node.data, Loop) else len(inner))]:
        if arg.op != "constant":
            yield arg, _outwards(rows, lane, node.frame, arg.frame)
    for arg, frame in inner:
        if arg.op != "constant" and frame in lane.frames:
            within = rows[lane.device.host(lane.frames[frame].parents)]
            yield arg, _outwards(within, lane, frame, arg.frame)


def _outwards(rows: Truths, lane: Lane, frame: Frame, outer: Frame) -> Truths:
    """The rows of an outer frame that these rows belong to."""
    if frame is outer:
        return rows
    found = np.zeros(lane.frames[outer].count, bool)
    found[lane.ancestors(frame, outer)[rows]] = True
    return found
