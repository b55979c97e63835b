"""Finding the kernels of nodes, and the nodes that outputs depend on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from arcloom.dsl.signature import Type
from arcloom.dsl.work import Size
from arcloom.engine import kernels as kernels  # declares the kernels
from arcloom.engine.columns import ConstantStore
from arcloom.engine.compare import DEPTH
from arcloom.engine.kernel import Kernel, find_kernel, kind_of
from arcloom.engine.machine.records import COUNTED, FIXED, FREE
from arcloom.engine.machine.weighing import CELLS, CODES, ELEMENTS, UNCOUNTED
from arcloom.program.graph import Frame, Loop, Node, lies_within

HOST = frozenset({"input", "constant", "element", "enter", "select", "loop", "state", "same"})
"""Operations of the interpreter itself, which run no kernel."""


NUMBERED = frozenset({"field", "present"})
"""Operations whose kernel or kernel parameters depend on the node's ``data``, a number."""


class MissingKernel(Exception):
    """There is no kernel for a node."""

    def __init__(self, node: Node) -> None:
        kinds = ", ".join(kind_of(arg.type) for arg in node.args)
        super().__init__(f"there is no kernel for {node.name} on ({kinds})")
        self.node = node


@dataclass(frozen=True, eq=False)
class Launch:
    """A kernel and the static words, such as positions of type descriptions, that it gets."""

    kernel: Kernel
    types: tuple[int, ...]


Action = Launch | str
"""How a node is executed: a launch, or the name of an operation in HOST."""


def described(spec: str, types: Sequence[Type], result: Type) -> Type:
    """The type that a kernel's declaration names: see ``types`` of ``kernel``."""
    type = result if spec[0] == "=" else types[int(spec[0])]
    return type.element if spec.endswith(".") else type


class Planner:
    """Finds the kernels of nodes, and encodes constants and type descriptions in ``store``."""

    def __init__(self) -> None:
        self.store = ConstantStore()
        self.store.words += [0] * CODES  # so that the position of a type description is never a code
        self._resolved: dict[tuple[Any, ...], Action] = {}
        self._launches: dict[tuple[Kernel, tuple[int, ...]], Launch] = {}
        self._words: dict[Node, int] = {}
        self.gaps: dict[Node, MissingKernel] = {}
        """Nodes without a kernel."""

    def action(self, node: Node) -> Action:
        """The action that executes a node. Raises MissingKernel."""
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
        """A missing kernel that these outputs need, or None."""
        if not self.gaps:
            return None
        return next((self.gaps[node] for node in needed(outputs, bodies=True) if node in self.gaps), None)

    def word(self, constant: Node) -> int:
        """The word of a constant."""
        found = self._words.get(constant)
        if found is None:
            found = self._words[constant] = self.store.value(constant.data, constant.type)
        return found

    def charges(self, node: Node) -> tuple[int, ...]:
        """Words that say how a node counts as work: a code for each argument, then flags (see ``machine.records``)."""
        rule = rule_of(node)
        codes = tuple(self._code(size, arg.type) for size, arg in zip(rule.params, node.args, strict=True))
        fixed = not rule.result and not any(codes)
        return *codes, (FREE if rule.free else 0) | (COUNTED if rule.result else 0) | (FIXED if fixed else 0)

    def _code(self, size: Size, type: Type) -> int:
        kind = kind_of(type)
        if size is Size.NONE or (size is Size.SCANNED and kind == "set"):
            return UNCOUNTED
        if kind == "grid":
            return CELLS
        if size is Size.COUNT:
            return ELEMENTS if kind in ("tuple", "set") else UNCOUNTED
        return self.store.type(type) if nesting(type) <= DEPTH else UNCOUNTED

    def _find(self, node: Node, types: tuple[Type, ...]) -> Action:
        found = kernel_of(_operation(node), types, node.type)
        if isinstance(found, str):
            return found
        if found is None:
            raise MissingKernel(node)
        kernel, given = found
        statics = tuple([int(node.data) if type is None else self.store.type(type) for type in given])
        return self._launches.setdefault((kernel, statics), Launch(kernel, statics))


class ChargeRule(NamedTuple):
    """How the arguments of an operation count as work, whether its result counts, and whether calls are free."""

    params: tuple[Size, ...]
    result: bool = False
    free: bool = False


_COMPARED = frozenset({"order", "rank", "argmax", "argmin", "valmax", "valmin"})
"""Reductions that compare the values of a container's elements."""

_VISITING = frozenset({"collect", "keep", "pick"}) | _COMPARED
"""Reductions over the elements of a container."""


def rule_of(node: Node) -> ChargeRule:
    """How a node counts as work: the same as a call of the reference, see ``dsl.work``. Coercions and other structural
    operations are free, because the reference makes no call for them."""
    if not isinstance(node.op, str):
        cost = node.op.cost
        return ChargeRule(cost.params, cost.result is not Size.NONE)
    if node.op in _VISITING:
        values = node.op in _COMPARED or (node.op == "collect" and node.type.kind == "set")
        return ChargeRule((Size.COUNT, Size.WEIGHT if values else Size.NONE, *[Size.NONE] * (len(node.args) - 2)))
    if node.op == "united":
        return ChargeRule((Size.WEIGHT,), result=True)
    return ChargeRule((Size.NONE,) * len(node.args), free=True)


@cache
def kernel_of(op: str, types: tuple[Type, ...], result: Type) -> tuple[Kernel, tuple[Type | None, ...]] | str | None:
    """The kernel of an operation and the types whose descriptions it takes (None stands for the node's number).

    The result is the name of an operation in HOST, and None if there is no kernel.
    """
    if op in HOST:
        return op
    kernel = find_kernel(op, types)
    if kernel is None:
        return None
    given = tuple(None if spec == "#" else described(spec, types, result) for spec in kernel.types)
    return None if any(type is not None and nesting(type) > DEPTH for type in given) else (kernel, given)


def nesting(type: Type) -> int:
    """The depth of nested containers, records and grids in a type: see ``compare.DEPTH``."""
    kind = kind_of(type)
    return 1 + max(map(nesting, type.parts)) if kind in ("tuple", "set", "box") else int(kind == "grid")


ALIASES = frozenset({"identity"})
"""Primitives whose result is their argument."""


def _operation(node: Node) -> str:
    """The name under which a node's kernel is declared; "same" for operations that do not change the value."""
    if node.op == "field" and kind_of(node.args[0].type) != "box":
        return f"field{node.data}"
    if node.name in ALIASES or (node.op == "listed" and kind_of(node.args[0].type) == "box"):
        return "same"
    return node.name


def needed(outputs: Iterable[Node], below: Frame | None = None, *, bodies: bool = False) -> list[Node]:
    """All nodes that the outputs depend on; with ``below``, only those in that frame and in frames within it.

    With ``bodies``, the nodes in the bodies of loops are included; otherwise only the nodes outside that they use.
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
    """The nodes outside a loop that its body uses."""
    body = needed([loop.result], below=loop.frame)
    outside = [arg for node in body for arg in node.args if not lies_within(arg.frame, loop.frame)]
    if not lies_within(loop.result.frame, loop.frame):
        outside.append(loop.result)
    return outside
