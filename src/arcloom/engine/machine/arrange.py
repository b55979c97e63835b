"""Arranging a group of programs: writing the plan that the interpreter runs.

The graph of a batt has the nodes of all its programs. The interpreter runs *groups*: programs that share samples, or on
a GPU single programs. The plan of a group has only the nodes that the group needs, numbered from zero, and lists in the
order of execution: the nodes of the root frame, and those of each frame that a node opens.
"""

from typing import NamedTuple

from arcloom.engine.machine.layout import record
from arcloom.engine.machine.records import (
    BODY,
    CONSTANT,
    INPUT,
    LAUNCH,
    LOOP,
    NODE,
    REDUCE,
    SELECT,
    body,
    frame,
    node,
)
from arcloom.engine.pointer import WordPointer
from arcloom.engine.words import row_function


class GroupTables(NamedTuple):
    """The graph of a batt, and working memory: pointers to arrays of words."""

    nodes: WordPointer
    links: WordPointer
    frames: WordPointer
    programs: WordPointer
    steps: WordPointer
    marks: WordPointer
    frame_marks: WordPointer
    scratch: WordPointer
    working: WordPointer


class Plan(NamedTuple):
    """A plan that is being written: pointers to arrays of words, the positions of the group's first node and frame,
    and the number of the group."""

    nodes: WordPointer
    links: WordPointer
    frames: WordPointer
    groups: WordPointer
    first_node: int
    first_frame: int
    number: int


GRAPH_NODE = record("graph_node", " ".join(NODE.fields), array="nodes")
"""A node of the graph: the fields of NODE, with the numbers of the graph instead of the plan's. ``data`` of a reduction
is its frame. ``data`` of a choice or loop is a position in the links: of the frames of the choice, or of the frame,
state and result of the loop."""

GRAPH_FRAME = record("graph_frame", "parent depth looped", array="frames")
"""A frame of the graph: its parent, the number of frames around it, and whether it is the frame of a loop or within
one."""

PROGRAM = record("program", "output gridded is_grid steps steps_end", array="programs")
"""A program: the node of its output, the node of its output converted to a grid (or the same node), whether that node
is a grid, and the range of its steps."""

STEP = record("step", "line node", array="steps")
"""(line, node): if the node fails in a row, blame the line."""

MARK = record("mark", "visit number arranged", array="marks")
"""Working memory for a node of the graph: the last visit that saw it, its number in the plan, and the group whose plan
that is."""

FRAME_MARK = record("frame_mark", "number arranged", array="frame_marks")
"""Working memory for a frame: its number in the plan, and the group whose plan that is."""

WORKING = record(
    "working",
    "visit group room nodes_room frames_room links_room most_nodes most_frames nodes_used frames_used links_used",
    array="working",
)
"""Working memory: the numbers of the last visit and the last group; the sizes in words of ``scratch`` and of the plan's
arrays of nodes, frames and links; the maximum words of nodes and frames of one group; and the words that the groups of
the plan use so far."""

GROUP_FIELDS = "nodes links frames counters depth first end givens givens_end outputs full first_node first_frame"
GROUP = record("group", GROUP_FIELDS, array="groups")
"""An arranged group: the numbers of its nodes, frames, work counters and stack levels (``depth``), and the end of its
links; the range of links with the nodes to run in the root frame (``first``, ``end``), and with its constants and
inputs (``givens``); its outputs; whether the plan had too little room (``full``); and the positions of its first node
and first frame in the plan."""

OUTPUT = record("output", "node gridded is_grid steps steps_end", array="links", by_position=True)
"""A program of a group: the fields of PROGRAM, with the numbers of the plan. A step is two links: a line and a node."""


gnode, gframe, program, step, mark, frame_mark, working, group, output = (
    each.access for each in (GRAPH_NODE, GRAPH_FRAME, PROGRAM, STEP, MARK, FRAME_MARK, WORKING, GROUP, OUTPUT)
)

NODE_WORDS, BODY_WORDS, OUTPUT_WORDS, GROUP_WORDS = NODE.size, BODY.size, OUTPUT.size, GROUP.size


@row_function
def order_nodes(g: GroupTables, inner: int, target: int, at: int, visit: int) -> int:
    """Write the nodes of a frame that a target needs to ``scratch`` from ``at`` on, in topological order, and return
    the end of the list.

    The search goes through frames within the frame. It leaves out nodes that an earlier call with the same visit saw.
    """
    depth = gframe.depth(g, inner)
    bottom = working.room(g, 0) - 1
    top = bottom
    g.scratch[top] = target
    while top <= bottom:
        n = g.scratch[top]
        seen, kind = mark.visit(g, n), gnode.kind(g, n)
        if seen == visit:
            mark.set_visit(g, n, visit + 1)
            if gnode.frame(g, n) == inner and kind != INPUT:
                g.scratch[at] = n
                at += 1
        if seen >= visit or kind == CONSTANT or gframe.depth(g, gnode.frame(g, n)) < depth:
            top += 1
            continue
        mark.set_visit(g, n, visit)
        first = gnode.first(g, n)
        if kind == LOOP:
            top -= 1
            g.scratch[top] = g.links[gnode.data(g, n) + 2]
        for k in range(first + gnode.arity(g, n) - 1, first - 1, -1):
            if mark.visit(g, g.links[k]) < visit:
                top -= 1
                g.scratch[top] = g.links[k]
    return at


@row_function
def number_frame(g: GroupTables, p: Plan, f: int) -> int:
    """The number of a frame in the plan. New numbers are given to the frame and the frames around it."""
    current = working.group(g, 0)
    inner = f
    while frame_mark.arranged(g, inner) != current:
        number = group.frames(p, p.number)
        group.set_frames(p, p.number, number + 1)
        frame_mark.set_arranged(g, inner, current)
        frame_mark.set_number(g, inner, number)
        inner = gframe.parent(g, inner)
    inner = f
    while inner:  # a parent may be numbered after its child
        frame.set_parent(p, frame_mark.number(g, inner), frame_mark.number(g, gframe.parent(g, inner)))
        inner = gframe.parent(g, inner)
    return frame_mark.number(g, f)


@row_function
def number_node(g: GroupTables, p: Plan, n: int) -> int:
    """The number of a node in the plan, to which it is copied if it is new."""
    if mark.arranged(g, n) == working.group(g, 0):
        return mark.number(g, n)
    number = group.nodes(p, p.number)
    group.set_nodes(p, p.number, number + 1)
    mark.set_arranged(g, n, working.group(g, 0))
    mark.set_number(g, n, number)
    for k in range(NODE_WORDS):
        p.nodes[p.first_node + NODE_WORDS * number + k] = g.nodes[NODE_WORDS * n + k]
    node.set_origin(p, number, n)
    node.set_frame(p, number, number_frame(g, p, gnode.frame(g, n)))
    return number


@row_function
def number_counter(g: GroupTables, p: Plan, number: int) -> None:
    """Give a node a work counter if it can run several times for a sample: if it is a loop, or within a loop."""
    n = node.origin(p, number)
    kind, counter = node.kind(p, number), group.counters(p, p.number)
    counts = kind == LOOP or (gframe.looped(g, gnode.frame(g, n)) and kind in (LAUNCH, REDUCE))
    node.set_counter(p, number, counter if counts else -1)
    group.set_counters(p, p.number, counter + int(counts))


@row_function
def new_links(g: GroupTables, p: Plan, count: int) -> int:
    """Allocate links and return their position. If there is no room, set ``full`` and return a position behind the
    room, where writing does no harm."""
    at = group.links(p, p.number)
    if at + count > working.links_room(g, 0):
        group.set_full(p, p.number, 1)
        return working.links_room(g, 0)
    group.set_links(p, p.number, at + count)
    return at


@row_function
def copy_list(g: GroupTables, p: Plan, count: int) -> int:
    """Copy a list of nodes from ``scratch`` to the links, and return its position."""
    at = new_links(g, p, count)
    for k in range(count):
        p.links[at + k] = number_node(g, p, g.scratch[k])
    return at


@row_function
def list_body(g: GroupTables, p: Plan, at: int, inner: int, wanted: int) -> None:
    """Write a body: the nodes that run in a frame to compute the wanted node."""
    working.set_visit(g, 0, working.visit(g, 0) + 2)
    group.set_depth(p, p.number, max(group.depth(p, p.number), gframe.depth(g, inner) + 1))
    count = order_nodes(g, inner, wanted, 0, working.visit(g, 0))
    first = copy_list(g, p, count)
    body.set_frame(p, at, number_frame(g, p, inner))
    body.set_wanted(p, at, number_node(g, p, wanted))
    body.set_first(p, at, first)
    body.set_end(p, at, first + count)


@row_function
def bodies_of(g: GroupTables, n: int) -> int:
    """The number of bodies of a node of the graph."""
    kind = gnode.kind(g, n)
    if kind == SELECT:
        return gnode.arity(g, n) - 1
    return int(kind in (REDUCE, LOOP))


@row_function
def arrange_bodies(g: GroupTables, p: Plan, number: int) -> None:
    """Write the bodies of the frames that a node opens."""
    n = node.origin(p, number)
    kind, first, data = gnode.kind(g, n), gnode.first(g, n), gnode.data(g, n)
    at = new_links(g, p, BODY_WORDS * bodies_of(g, n))
    node.set_body(p, number, at)
    if kind == REDUCE:
        list_body(g, p, at, data, g.links[first + 1])
    elif kind == SELECT:
        for k in range(bodies_of(g, n)):
            list_body(g, p, at + BODY_WORDS * k, g.links[data + k], g.links[first + 1 + k])
    else:
        node.set_data(p, number, number_node(g, p, g.links[data + 1]))
        list_body(g, p, at, g.links[data], g.links[data + 2])


@row_function
def arrange_arguments(g: GroupTables, p: Plan, number: int) -> None:
    """Write the links of a node: its arguments, and the static words of its kernel."""
    n = node.origin(p, number)
    first, arity, given, statics = gnode.first(g, n), gnode.arity(g, n), gnode.given(g, n), gnode.statics(g, n)
    at = new_links(g, p, arity + statics)
    node.set_first(p, number, at)
    node.set_given(p, number, at + arity)
    for k in range(arity):
        p.links[at + k] = number_node(g, p, g.links[first + k])
    for k in range(statics):
        p.links[at + arity + k] = g.links[given + k]


@row_function
def arrange_nodes(g: GroupTables, p: Plan) -> None:
    """Arrange all numbered nodes, including those that are numbered meanwhile."""
    number = 0
    while number < group.nodes(p, p.number) and not group.full(p, p.number):
        number_counter(g, p, number)
        arrange_arguments(g, p, number)
        if node.kind(p, number) in (REDUCE, SELECT, LOOP):
            arrange_bodies(g, p, number)
        number += 1


@row_function
def list_givens(g: GroupTables, p: Plan) -> None:
    """List the constants and inputs of a group."""
    count = 0
    for number in range(group.nodes(p, p.number)):
        count += int(node.kind(p, number) in (CONSTANT, INPUT))
    at = new_links(g, p, count)
    group.set_givens(p, p.number, at)
    for number in range(group.nodes(p, p.number) if not group.full(p, p.number) else 0):
        if node.kind(p, number) in (CONSTANT, INPUT):
            p.links[at] = number
            at += 1
    group.set_givens_end(p, p.number, at)


@row_function
def list_nodes(g: GroupTables, p: Plan, target: int) -> int:
    """List the nodes of the root frame that one node needs, and return the list's position. It ends the links."""
    working.set_visit(g, 0, working.visit(g, 0) + 2)
    return copy_list(g, p, order_nodes(g, 0, target, 0, working.visit(g, 0)))


@row_function
def list_root(g: GroupTables, p: Plan, members: WordPointer, first: int, count: int) -> None:
    """List the nodes of the root frame that programs need."""
    working.set_visit(g, 0, working.visit(g, 0) + 2)
    visit, end = working.visit(g, 0), 0
    for k in range(first, first + count):
        end = order_nodes(g, 0, program.output(g, members[k]), end, visit)
        end = order_nodes(g, 0, program.gridded(g, members[k]), end, visit)
    group.set_first(p, p.number, copy_list(g, p, end))
    group.set_end(p, p.number, group.first(p, p.number) + end)


@row_function
def list_steps(g: GroupTables, p: Plan, out: int, which: int, visit: int) -> None:
    """Write the steps of a program whose nodes are in the list of the root frame."""
    first, end = program.steps(g, which), program.steps_end(g, which)
    at = new_links(g, p, 2 * (end - first))
    output.set_steps(p, out, at)
    for k in range(first, end):
        n = step.node(g, k)
        if mark.visit(g, n) == visit + 1 and gnode.frame(g, n) == 0:
            p.links[at], p.links[at + 1] = step.line(g, k), number_node(g, p, n)
            at += 2
    output.set_steps_end(p, out, at)


@row_function
def list_outputs(g: GroupTables, p: Plan, members: WordPointer, first: int, count: int) -> None:
    """Write the outputs of a group."""
    visit, at = working.visit(g, 0), new_links(g, p, OUTPUT_WORDS * count)
    group.set_outputs(p, p.number, at)
    for k in range(count if not group.full(p, p.number) else 0):
        out, which = at + OUTPUT_WORDS * k, members[first + k]
        output.set_node(p, out, number_node(g, p, program.output(g, which)))
        output.set_gridded(p, out, number_node(g, p, program.gridded(g, which)))
        output.set_is_grid(p, out, program.is_grid(g, which))
        list_steps(g, p, out, which, visit)


@row_function
def begin_group(g: GroupTables, p: Plan, links: int) -> None:
    """Begin a group, which has only the root frame. Its links begin at the position ``links``."""
    for k in range(GROUP_WORDS):
        p.groups[GROUP_WORDS * p.number + k] = 0
    group.set_links(p, p.number, links)
    group.set_first_node(p, p.number, p.first_node)
    group.set_first_frame(p, p.number, p.first_frame)
    group.set_depth(p, p.number, 1)
    working.set_group(g, 0, working.group(g, 0) + 1)
    number_frame(g, p, 0)


@row_function
def arrange(g: GroupTables, p: Plan, links: int, members: WordPointer, first: int, count: int) -> None:
    """Arrange a group of programs, ``count`` members from ``first`` on. Its links begin at the position ``links``."""
    begin_group(g, p, links)
    list_root(g, p, members, first, count)
    list_outputs(g, p, members, first, count)
    arrange_nodes(g, p)
    list_givens(g, p)
