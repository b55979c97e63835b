"""Finding the kernels of nodes, and what nodes need of each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from arcloom.dsl.signature import GRID, Type
from arcloom.engine.columns import Store
from arcloom.engine.compare import DEPTH
from arcloom.engine.kernel import Kernel, find_kernel, kind_of
from arcloom.program.graph import Frame, Loop, Node, lies_within

HOST = frozenset({"input", "constant", "element", "enter", "select", "loop", "state", "same"})
"""Operations that arrange rows and run no kernel."""


NUMBERED = frozenset({"field", "present"})
"""Operations whose own number makes a difference to how they run."""


class MissingKernel(Exception):
    """A node that no kernel can compute."""

    def __init__(self, node: Node) -> None:
        kinds = ", ".join(kind_of(arg.type) for arg in node.args)
        super().__init__(f"there is no kernel for {node.name} on ({kinds})")
        self.node = node


@dataclass(frozen=True, eq=False)
class Launch:
    """A kernel and the type descriptions it is to be given: what nodes must share to run together."""

    kernel: Kernel
    types: tuple[int, ...]


Action = Launch | str
"""What running a node means: a launch, or the name of an operation that only arranges rows."""


def described(spec: str, types: Sequence[Type], result: Type) -> Type:
    """The type that a declaration names: an argument's by position, "=" the result's; with "." its element's."""
    type = result if spec[0] == "=" else types[int(spec[0])]
    return type.element if spec.endswith(".") else type


class Planner:
    """Finds the kernels of nodes; constants and type descriptions go to its store."""

    def __init__(self) -> None:
        self.store = Store()
        self._resolved: dict[tuple[Any, ...], Action] = {}
        self._launches: dict[tuple[Kernel, tuple[int, ...]], Launch] = {}
        self._words: dict[Node, int] = {}
        self.gaps: dict[Node, MissingKernel] = {}
        """Nodes that were found to have no kernel."""

    def action(self, node: Node) -> Action:
        """How to run a node. Raises MissingKernel."""
        types = tuple([arg.type for arg in node.args])
        key = (node.op, types, node.type, node.data if node.op in NUMBERED else None)
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = self._find(node, types)
        return found

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels that the nodes need."""
        return list({launch.kernel: None for launch in self._launches.values()})

    def gap(self, outputs: Iterable[Node]) -> MissingKernel | None:
        """What is missing for the outputs to be computed, if anything is."""
        if not self.gaps:
            return None
        return next((self.gaps[node] for node in needed(outputs, bodies=True) if node in self.gaps), None)

    def word(self, constant: Node) -> int:
        """A constant's word."""
        found = self._words.get(constant)
        if found is None:
            found = self._words[constant] = self.store.value(constant.data, constant.type)
        return found

    def _find(self, node: Node, types: tuple[Type, ...]) -> Action:
        found = kernel_of(_operation(node), types, node.type)
        if isinstance(found, str):
            return found
        if found is None:
            raise MissingKernel(node)
        kernel, given = found
        statics = tuple([int(node.data) if type is None else self.store.type(type) for type in given])
        return self._launches.setdefault((kernel, statics), Launch(kernel, statics))

    @property
    def equality(self) -> Launch:
        """How to compare two grids."""
        kernel = find_kernel("equality", (GRID, GRID))
        assert kernel is not None
        return Launch(kernel, tuple(self.store.type(GRID) for _ in kernel.types))


@cache
def kernel_of(op: str, types: tuple[Type, ...], result: Type) -> tuple[Kernel, tuple[Type | None, ...]] | str | None:
    """The kernel for an operation, with the types whose descriptions it is given (None for a node's own number).

    For an operation that runs no kernel its name; None where a kernel is missing.
    """
    if op in HOST:
        return op
    kernel = find_kernel(op, types)
    if kernel is None:
        return None
    given = tuple(None if spec == "#" else described(spec, types, result) for spec in kernel.types)
    return None if any(type is not None and nesting(type) > DEPTH for type in given) else (kernel, given)


def nesting(type: Type) -> int:
    """How many containers and records are nested in a type, as they are compared."""
    return 1 + max(map(nesting, type.parts)) if kind_of(type) in ("tuple", "set", "box") else 0


ALIASES = frozenset({"identity"})
"""Primitives whose result is their argument."""


def _operation(node: Node) -> str:
    """The name under which a node's kernel is declared; some operations leave everything as it is."""
    if node.op == "field" and kind_of(node.args[0].type) != "box":
        return f"field{node.data}"
    if node.name in ALIASES or (node.op == "listed" and kind_of(node.args[0].type) == "box"):
        return "same"
    return node.name


def needed(outputs: Iterable[Node], below: Frame | None = None, *, bodies: bool = False) -> list[Node]:
    """All nodes that the outputs depend on; with ``below``, only those in that frame and in frames within it.

    The bodies of loops are among them only if asked for: a loop runs its own.
    """
    seen: set[Node] = set()
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node in seen or node.op == "constant" or (below is not None and not lies_within(node.frame, below)):
            continue
        seen.add(node)
        stack.extend(node.args)
        if node.op in ("element", "enter") and node.frame.source is not None:
            stack.append(node.frame.source)
        elif node.op == "loop":
            stack.extend([node.data.result] if bodies else captured(node.data))
    return list(seen)


def captured(loop: Loop) -> list[Node]:
    """The nodes outside a loop that its body needs."""
    body = needed([loop.result], below=loop.frame)
    outside = [arg for node in body for arg in node.args if not lies_within(arg.frame, loop.frame)]
    if not lies_within(loop.result.frame, loop.frame):
        outside.append(loop.result)
    return outside
