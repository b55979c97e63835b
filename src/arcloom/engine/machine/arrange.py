"""Arranging a group of programs: the nodes that they need, in the order in which they run, numbered from zero.

The graph of a batt has the nodes of all its programs. The interpreter runs *groups*, programs that share samples (on a
GPU each program by itself), from a plan in which only the nodes of the group exist and everything that depends on the
graph alone is decided: which nodes run at the root, and which in each frame that a node opens.
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
    """A batt's graph, and working memory: pointers to arrays of words."""

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
    """A plan that is being written: pointers to arrays of words, and where the group begins."""

    nodes: WordPointer
    links: WordPointer
    frames: WordPointer
    groups: WordPointer
    first_node: int
    first_frame: int
    number: int


GRAPH_NODE = record("graph_node", " ".join(NODE.fields), array="nodes")
"""A node of the graph, as a node of a plan but with the graph's numbers. ``data`` of a reduction is its frame; of a
choice or loop it is where the links have the frames of the choice, or the frame, state and result of the loop."""

GRAPH_FRAME = record("graph_frame", "parent depth looped", array="frames")
"""A frame of the graph: its parent, the number of frames around it, and whether it is a loop's or within one."""

PROGRAM = record("program", "output gridded is_grid steps steps_end", array="programs")
"""A program: the node of its output, the node of its output as a grid (or the same), whether that is a grid, and the
range of its steps."""

STEP = record("step", "line node", array="steps")
"""A line of a program, and a node: if the node fails in a row, the line is to blame."""

MARK = record("mark", "visit number arranged", array="marks")
"""Working memory for a node of the graph: the last visit that saw it, its number in the plan, and the group for
which the number holds."""

FRAME_MARK = record("frame_mark", "number arranged", array="frame_marks")
"""The same for a frame."""

WORKING = record(
    "working",
    "visit group room nodes_room frames_room links_room most_nodes most_frames nodes_used frames_used links_used",
    array="working",
)
"""Working memory: the last visit and the last group; the words of ``scratch`` and those for nodes, frames and links
of the plan; the words that nodes and frames of one group can take at most; and those that groups of the plan take
so far."""

GROUP_FIELDS = "nodes links frames counters depth first end givens givens_end outputs full first_node first_frame"
GROUP = record("group", GROUP_FIELDS, array="groups")
"""An arranged group: its numbers of nodes, frames, work counters and stack levels, and where its links end; the list of
nodes to run at the root; the list of its constants and inputs; its outputs; whether the plan had no room; and where its
records begin among those of the plan."""

OUTPUT = record("output", "node gridded is_grid steps steps_end", array="links", by_position=True)
"""A program of a group, as PROGRAM but with the plan's nodes; its steps are pairs of links, a line and a node."""


gnode, gframe, program, step, mark, frame_mark, working, group, output = (
    each.access for each in (GRAPH_NODE, GRAPH_FRAME, PROGRAM, STEP, MARK, FRAME_MARK, WORKING, GROUP, OUTPUT)
)

NODE_WORDS, BODY_WORDS, OUTPUT_WORDS, GROUP_WORDS = NODE.size, BODY.size, OUTPUT.size, GROUP.size


@row_function
def order_nodes(g: GroupTables, inner: int, target: int, at: int, visit: int) -> int:
    """Write to the scratch memory from ``at`` on the nodes of a frame that a target needs, each after the nodes that it
    needs itself; returns the end of the list.

    Nodes of frames within the frame are searched, too. Nodes that an earlier call with the same visit has seen are left
    out.
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
    """The number of a frame in the plan, which it gets together with the frames around it."""
    current = working.group(g, 0)
    inner = f
    while frame_mark.arranged(g, inner) != current:
        number = group.frames(p, p.number)
        group.set_frames(p, p.number, number + 1)
        frame_mark.set_arranged(g, inner, current)
        frame_mark.set_number(g, inner, number)
        inner = gframe.parent(g, inner)
    inner = f
    while inner:  # a parent may have got its number after its child
        frame.set_parent(p, frame_mark.number(g, inner), frame_mark.number(g, gframe.parent(g, inner)))
        inner = gframe.parent(g, inner)
    return frame_mark.number(g, f)


@row_function
def number_node(g: GroupTables, p: Plan, n: int) -> int:
    """The number of a node in the plan."""
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
    """Give a node a work counter if it can run several times for a sample: a loop, and nodes within loops."""
    n = node.origin(p, number)
    kind, counter = node.kind(p, number), group.counters(p, p.number)
    counts = kind == LOOP or (gframe.looped(g, gnode.frame(g, n)) and kind in (LAUNCH, REDUCE))
    node.set_counter(p, number, counter if counts else -1)
    group.set_counters(p, p.number, counter + int(counts))


@row_function
def new_links(g: GroupTables, p: Plan, count: int) -> int:
    """The position of new links. If there is no room, ``full`` is set, and the links behind the room are
    overwritten."""
    at = group.links(p, p.number)
    if at + count > working.links_room(g, 0):
        group.set_full(p, p.number, 1)
        return working.links_room(g, 0)
    group.set_links(p, p.number, at + count)
    return at


@row_function
def copy_list(g: GroupTables, p: Plan, count: int) -> int:
    """Copy a list from the scratch memory to the links; its position."""
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
    """Arrange the frames that a node opens."""
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
    """Write the links of a node: its arguments, and the words that its kernel is given."""
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
    """Arrange all nodes that have numbers; nodes that get numbers meanwhile are arranged, too."""
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
    """List the nodes of the root frame that one node needs; the list's position. It ends where the links end."""
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
    """Begin a group with nothing but the root frame. Its links begin at the position ``links``."""
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
