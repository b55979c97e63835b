"""The typed graph that tracing builds: first-order nodes, each evaluated in a frame.

A frame defines the rows of a node: the samples (the root frame), the elements of containers, or the rows of another
frame in which a choice has one outcome. Equal nodes exist once in a graph, however many programs need them.
"""

from collections.abc import Sequence
from typing import Any

from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import Type, TypeRule
from arcloom.program.trace_errors import Mismatch

Op = Primitive[..., Any] | str
"""The operation of a node: a primitive, or one of the structural operations named in STRUCTURAL."""

STRUCTURAL = {
    "input": "an input of the program",
    "constant": "a constant",
    "element": "each element of a container, in the frame of the elements",
    "enter": "an outer value in the frame of a choice",
    "same": "the value as a wider type",
    "truth": "whether an int is not zero",
    "present": "a value that may be missing; fails if it is",
    "listed": "a record as a tuple",
    "paired": "a tuple as a pair; fails unless it has two elements",
    "boxed": "a tuple as a record; fails if its length differs",
    "rows": "a grid as a tuple of rows",
    "gridded": "a tuple of rows as a grid; fails if it is not one",
    "stacked": "one grid above another; fails if their widths differ",
    "distinct": "a tuple of cells or positions as a set",
    "united": "the elements of a tuple's containers, as a set",
    "void": "an empty container; fails if it is not empty",
    "record": "a pair of values",
    "single": "a record of one value",
    "append": "a record with one more value",
    "field": "one part of a record",
    "collect": "the values for a container's elements, as a container",
    "keep": "the elements of a container whose value is true",
    "pick": "the first element of a container whose value is true",
    "order": "the elements of a container sorted by value, ascending",
    "argmax": "the element of a container with the greatest value",
    "argmin": "the element of a container with the least value",
    "valmax": "the greatest value for an element of a container",
    "valmin": "the least value for an element of a container",
    "rank": "the elements of a container sorted by value, descending",
    "greatest": "the position of the first greatest element of a tuple",
    "least": "the position of the first least element of a tuple",
    "select": "the value of the frame that the choice selects",
    "modulo": "the remainder of a division of ints",
    "total": "the sum of a container's ints",
    "counted": "the number of turns of a loop; fails below one",
    "loop": "a function applied to its own result a number of times",
    "state": "the value that a loop carries",
    "guard": "the second value; fails if the first one failed",
}


class Frame:
    """The rows of nodes. ``source`` is the node of the containers or of the choice, ``outcome`` the side of a choice.

    The parent of a frame has a lower number.
    """

    __slots__ = ("depth", "kind", "number", "outcome", "parent", "source")

    def __init__(self, number: int, kind: str, parent: "Frame | None", source: "Node | None", outcome: int = 0) -> None:
        self.number = number
        self.kind = kind
        self.parent = parent
        self.source = source
        self.outcome = outcome
        self.depth: int = 0 if parent is None else parent.depth + 1

    def __repr__(self) -> str:
        return self.kind if self.parent is None else f"{self.parent!r}/{self.kind}"


class Node:
    """One first-order operation on typed columns. The nodes that it depends on have lower numbers.

    The nodes of a primitive with arguments of the same types share their ``rule``.
    """

    __slots__ = ("args", "data", "frame", "number", "op", "rule", "type")

    def __init__(
        self,
        number: int,
        op: Op,
        args: tuple["Node", ...],
        type: Type,
        frame: Frame,
        data: Any,
        rule: TypeRule | None = None,
    ) -> None:
        self.number = number
        self.op = op
        self.args = args
        self.type = type
        self.frame = frame
        self.data = data
        self.rule = rule

    @property
    def name(self) -> str:
        """The operation's name."""
        return self.op if isinstance(self.op, str) else self.op.name

    def __repr__(self) -> str:
        data = "" if self.data is None else f" {self.data!r}"
        return f"%{self.number} = {self.name}{data}({', '.join(f'%{a.number}' for a in self.args)}): {self.type}"


class Loop:
    """The body of a loop: its frame, the node of the state before a turn, and the node of the state after it."""

    __slots__ = ("frame", "result", "state")

    def __init__(self, frame: Frame, state: Node, result: Node) -> None:
        self.frame = frame
        self.state = state
        self.result = result

    def __repr__(self) -> str:
        return f"%{self.state.number}->%{self.result.number}"


class Graph:
    """A graph of unique nodes: a node with the same content exists once."""

    def __init__(self) -> None:
        self.root = Frame(0, "root", None, None)
        self.frames = [self.root]
        self.nodes: list[Node] = []
        self._by_content: dict[tuple[Any, ...], Node] = {}
        self._frames_by_content: dict[tuple[Any, ...], Frame] = {}

    def node(self, op: Op, args: tuple[Node, ...], type: Type, frame: Frame | None = None, data: Any = None) -> Node:
        """The node with this content, in a frame, by default the deepest frame of its arguments.

        Raises Misplaced if an argument is not available in the frame: devices do not check that.
        """
        key = (op, type, data, frame, args)
        found = self._by_content.get(key)
        if found is None:
            where = frame or deepest(args, self.root)
            if frame is not None:
                _check_places(args, frame, data)
            found = self._by_content[key] = Node(len(self.nodes), op, args, type, where, data)
            self.nodes.append(found)
        return found

    def applied(self, primitive: Primitive[..., Any], args: tuple[Node, ...], rule: TypeRule) -> Node:
        """The node of a primitive, in the deepest frame of its arguments. ``rule`` has its type."""
        key = (primitive, args)
        found = self._by_content.get(key)
        if found is None:
            where = args[0].frame
            for arg in args:
                if arg.frame is not where:
                    where = deepest(args, self.root)
                    break
            found = self._by_content[key] = Node(len(self.nodes), primitive, args, rule.result, where, None, rule)
            self.nodes.append(found)
        return found

    def frame(self, kind: str, parent: Frame, source: Node, outcome: int = 0) -> Frame:
        """The frame within ``parent`` for this source. Equal frames exist once."""
        key = (parent, source, outcome, kind)
        found = self._frames_by_content.get(key)
        if found is None:
            found = self._frames_by_content[key] = self.new_frame(kind, parent, source, outcome)
        return found

    def new_frame(self, kind: str, parent: Frame, source: Node, outcome: int = 0) -> Frame:
        """A new frame, also if an equal one exists."""
        frame = Frame(len(self.frames), kind, parent, source, outcome)
        self.frames.append(frame)
        return frame

    def __len__(self) -> int:
        return len(self.nodes)


class Misplaced(Mismatch):
    """Values of unrelated frames are combined: neither frame is within the other."""

    def __init__(self) -> None:
        super().__init__("a value is used outside of the function that computes it")


def deepest(nodes: tuple[Node, ...], root: Frame) -> Frame:
    """The innermost of the frames of these nodes. Raises Misplaced unless each contains the next."""
    frame = root
    for node in nodes:
        other = node.frame
        if other is not frame:
            inner, outer = (other, frame) if other.depth > frame.depth else (frame, other)
            if outer is not root and not lies_within(inner, outer):
                raise Misplaced
            frame = inner
    return frame


def _check_places(args: tuple[Node, ...], frame: Frame, data: Any) -> None:
    """Raise Misplaced unless a node in this frame opens only frames directly within it, and all values that it reads
    are available there."""
    opened = () if data is None else _opened(args, data)
    for inner, value in opened:
        if inner.parent is not frame or not lies_within(inner, value.frame):
            raise Misplaced
    for arg in args[:1] if opened and not isinstance(data, Loop) else args:
        if not lies_within(frame, arg.frame):
            raise Misplaced


def _opened(args: tuple[Node, ...], data: Any) -> Sequence[tuple[Frame, Node]]:
    """The frames that a node opens, each with the value that the node reads from it."""
    match data:
        case Frame():
            return [(data, value) for value in args[1:]]
        case Loop():
            return [(data.frame, data.result)]
        case (Frame(), *_):
            return [*zip(data, args[1:], strict=True)]
        case _:
            return ()


def lies_within(frame: Frame | None, outer: Frame) -> bool:
    """Whether a frame is ``outer`` or within it."""
    while frame is not None and frame is not outer:
        frame = frame.parent
    return frame is outer


def ancestors(node: Node, lowest: int) -> set[Node]:
    """The nodes with a number of at least ``lowest`` whose failure makes this node fail."""
    seen = {node}
    stack = [node]
    while stack:
        for arg in strict_args(stack.pop()):
            if arg.number >= lowest and arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return seen


def strict_args(node: Node) -> tuple[Node, ...]:
    """The arguments whose failure makes a node fail: not values of a frame that it opens, which may have no rows."""
    return node.args[:1] if isinstance(node.data, Frame) or node.op == "select" else node.args
