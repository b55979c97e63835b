"""The typed graph that tracing gives: first-order nodes, each evaluated in a frame.

A frame says over what a node varies: the samples (the root), the elements of a container, or those rows of another
frame for which a choice falls out one way. Identical nodes exist once in a graph, however many programs need them.
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
    "element": "each element of a container, in a frame of its own",
    "enter": "an outer value, in the rows of a choice",
    "same": "the value, of a wider type",
    "truth": "whether an int is not zero",
    "present": "a value that may be missing; fails where it is",
    "listed": "a record as a tuple",
    "paired": "a tuple as a pair; fails where it has not two elements",
    "boxed": "a tuple as a record; fails where its length is another",
    "rows": "a grid as a tuple of rows",
    "gridded": "a tuple of rows as a grid; fails where it is none",
    "stacked": "two grids one upon the other; fails where their widths differ",
    "distinct": "a tuple of cells or places as a set",
    "united": "the elements of a tuple's containers, as a set",
    "void": "an empty container; fails where it is not empty",
    "record": "a pair of values",
    "single": "a record of one value",
    "append": "a record with one more value",
    "field": "one part of a record",
    "collect": "the values over a container's elements, as a container",
    "keep": "the elements of a container for which a value is true",
    "pick": "the first element of a container for which a value is true",
    "order": "the elements of a container sorted by a value",
    "argmax": "the element of a container with the greatest value",
    "argmin": "the element of a container with the least value",
    "valmax": "the greatest value over a container",
    "valmin": "the least value over a container",
    "rank": "the elements of a container sorted downwards by a value",
    "greatest": "the position of the first greatest element of a tuple",
    "least": "the position of the first least element of a tuple",
    "select": "the value of whichever frame the choice fell on",
    "modulo": "the remainder of a division of ints",
    "total": "the sum of a container's ints",
    "counted": "a number of times; fails below one",
    "loop": "a function applied to its own result a number of times",
    "state": "the value that a loop carries",
    "guard": "a value, unless another one failed",
}


class Frame:
    """Over what a node varies. ``source`` decides it; for a choice, ``outcome`` is the side chosen.

    What is around a frame has a lower number.
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
    """One first-order operation on typed columns. What it needs has lower numbers.

    The ``rule`` of a primitive is the same for all its nodes with arguments of the same types.
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
    """The body of a loop: a frame in which ``state`` is what it is given and ``result`` what it makes of it."""

    __slots__ = ("frame", "result", "state")

    def __init__(self, frame: Frame, state: Node, result: Node) -> None:
        self.frame = frame
        self.state = state
        self.result = result

    def __repr__(self) -> str:
        return f"%{self.state.number}->%{self.result.number}"


class Graph:
    """Nodes by content: asking for a node that exists gives the one that is there."""

    def __init__(self) -> None:
        self.root = Frame(0, "root", None, None)
        self.frames = [self.root]
        self.nodes: list[Node] = []
        self._by_content: dict[tuple[Any, ...], Node] = {}
        self._frames_by_content: dict[tuple[Any, ...], Frame] = {}

    def node(self, op: Op, args: tuple[Node, ...], type: Type, frame: Frame | None = None, data: Any = None) -> Node:
        """The node with this content. Without a frame it lives in the deepest frame of its arguments.

        Raises Misplaced where it would read a value in a frame that has no rows of it: devices do not check that.
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
        """The node of a primitive, whose type follows from its arguments; it lives in the deepest of their frames."""
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
        """The frame below ``parent`` that this source opens."""
        key = (parent, source, outcome, kind)
        found = self._frames_by_content.get(key)
        if found is None:
            found = self._frames_by_content[key] = self.new_frame(kind, parent, source, outcome)
        return found

    def new_frame(self, kind: str, parent: Frame, source: Node, outcome: int = 0) -> Frame:
        """A frame that is no other one, whatever opens it."""
        frame = Frame(len(self.frames), kind, parent, source, outcome)
        self.frames.append(frame)
        return frame

    def __len__(self) -> int:
        return len(self.nodes)


class Misplaced(Mismatch):
    """Values that do not vary over the same things: the rows of neither belong to rows of the other."""

    def __init__(self) -> None:
        super().__init__("a value is used where it is not known")


def deepest(nodes: tuple[Node, ...], root: Frame) -> Frame:
    """The innermost of the frames of these nodes, which must lie on one path. Raises Misplaced where they do not."""
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
    """Raise Misplaced unless a node in this frame opens frames within it only, and reads values that are known in the
    frame where it reads them."""
    opened = () if data is None else _opened(args, data)
    for inner, value in opened:
        if inner.parent is not frame or not lies_within(inner, value.frame):
            raise Misplaced
    for arg in args[:1] if opened and not isinstance(data, Loop) else args:
        if not lies_within(frame, arg.frame):
            raise Misplaced


def _opened(args: tuple[Node, ...], data: Any) -> Sequence[tuple[Frame, Node]]:
    """The frames that a node opens, each with the value that it takes from there."""
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
    """Whether a frame is another one, or inside of it."""
    while frame is not None and frame is not outer:
        frame = frame.parent
    return frame is outer


def ancestors(node: Node, lowest: int) -> set[Node]:
    """Nodes whose failure makes this one fail, down to a number."""
    seen = {node}
    stack = [node]
    while stack:
        for arg in _strict(stack.pop()):
            if arg.number >= lowest and arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return seen


def _strict(node: Node) -> tuple[Node, ...]:
    """The arguments without which a node has no value: not those that it takes from a frame that may have no rows."""
    return node.args[:1] if isinstance(node.data, Frame) or node.op == "select" else node.args
