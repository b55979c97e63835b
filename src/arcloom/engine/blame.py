"""Finding out which line of a program failed, and why, from the words that its nodes left."""

import numpy as np
import numpy.typing as npt

from arcloom.engine.columns import Words
from arcloom.engine.lane import Lane
from arcloom.engine.words import FAILED, LOWEST
from arcloom.program.graph import Frame, Node
from arcloom.program.trace import Step, Traced

Truths = npt.NDArray[np.bool_]


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
            reasons[here] = own_reasons(step.nodes, lane, root)[here]
            open_rows &= ~here
    return lines, reasons


def _failed(lane: Lane, node: Node, frame: Frame) -> Truths:
    if node.op == "constant":
        return np.zeros(lane.frames[frame].count, bool)
    return lane.device.host(lane.column(node, frame)) < LOWEST


def _step_failed(step: Step, lane: Lane, root: Frame) -> Truths:
    """The samples for which a call failed. One that gives a function fails where anything fails that it computes."""
    nodes = [step.result] if step.result is not None else [node for node in step.nodes if node.frame is root]
    failed = np.zeros(lane.frames[root].count, bool)
    for node in nodes:
        if node in lane.values:
            failed |= _failed(lane, node, root)
    return failed


def own_reasons(nodes: tuple[Node, ...] | list[Node], lane: Lane, frame: Frame) -> Words:
    """For each row of a frame, why the first of the nodes failed that failed by itself; zero where none did.

    Within an inner frame the first element counts, and for one element the first node.
    """
    reasons = np.zeros(lane.frames[frame].count, np.int64)
    first = np.full(len(reasons), np.iinfo(np.int64).max)
    for node in nodes:
        if node.op == "constant" or node not in lane.values:
            continue
        words = lane.device.host(lane.values[node])
        rows = np.flatnonzero((words > FAILED) & (words < LOWEST))
        if not len(rows):
            continue
        owners = rows if node.frame is frame else lane.ancestors(node.frame, frame)[rows]
        owners, earliest = np.unique(owners, return_index=True)
        position = rows[earliest] if node.frame is not frame else np.full(len(owners), -1)
        better = position < first[owners]
        first[owners[better]] = position[better]
        reasons[owners[better]] = (words[rows[earliest]] - FAILED)[better]
    return reasons
