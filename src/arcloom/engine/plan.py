"""Finding the kernels of nodes, and the nodes that outputs depend on."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from arcloom.dsl.signature import Type
from arcloom.dsl.work import Size
from arcloom.engine import kernels as kernels  # declares the kernels
from arcloom.engine.columns import ConstantStore
from arcloom.engine.compare import DEPTH
from arcloom.engine.kernel import Kernel, find_kernel, kind_of
from arcloom.engine.machine.records import COUNTED, FIXED, FREE
from arcloom.engine.machine.weighing import CELLS, CODES, ELEMENTS, UNCOUNTED
from arcloom.program.graph import Frame, Loop, Node, Op, lies_within

HOST = frozenset({"input", "constant", "element", "enter", "select", "loop", "state", "same"})
"""Operations of the interpreter itself, which run no kernel."""


NUMBERED = frozenset({"field", "present"})
"""Operations whose kernel or kernel parameters depend on the node's ``data``, a number."""

PLANS = 20_000
"""Number of plans that are cached, because most batts need the same ones."""


class MissingKernel(Exception):
    """There is no kernel for a node."""

    def __init__(self, node: Node) -> None:
        kinds = ", ".join(kind_of(arg.type) for arg in node.args)
        super().__init__(f"there is no kernel for {node.name} on ({kinds})")
        self.node = node


class NodePlan(NamedTuple):
    """The execution of nodes with the same operation and types.

    ``kernel`` is None for an operation of the interpreter itself. ``statics`` are the words that the kernel gets for
    all rows. A type among them stands for the position of its description.
    """

    operation: str
    kernel: Kernel | None = None
    statics: tuple[int | Type, ...] = ()


class Planner:
    """Finds the kernels of nodes, and encodes constants and type descriptions in ``store``."""

    def __init__(self) -> None:
        self.store = ConstantStore()
        self.store.words += [0] * CODES  # so that the position of a type description is never a code
        self._kernels: dict[Kernel, None] = {}
        self._words: dict[Node, int] = {}
        self.gaps: dict[Node, MissingKernel] = {}
        """Nodes without a kernel."""

    def action(self, node: Node) -> NodePlan:
        """The plan of a node. Raises MissingKernel."""
        number = node.data if node.op in NUMBERED else None
        found = plan_of(node.op, tuple([arg.type for arg in node.args]), node.type, number)
        if found is None:
            raise MissingKernel(node)
        if found.kernel is not None:
            self._kernels[found.kernel] = None
        return found

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels that the nodes need."""
        return list(self._kernels)

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

    def words(self, statics: Iterable[int | Type]) -> list[int]:
        """The static words of a kernel, in which types are replaced by the positions of their descriptions."""
        return [given if isinstance(given, int) else self.store.type(given) for given in statics]


@lru_cache(PLANS)
def plan_of(op: Op, types: tuple[Type, ...], result: Type, number: int | None) -> NodePlan | None:
    """The plan of nodes with this operation and types; None if there is no kernel.

    ``number`` is the node's own number if the operation is in NUMBERED.
    """
    name = _operation(op, types, result, number)
    if name in HOST:
        return NodePlan(name)
    kernel = find_kernel(name, types)
    if kernel is None:
        return None
    given = [None if spec == "#" else described(spec, types, result) for spec in kernel.types]
    if any(type is not None and nesting(type) > DEPTH for type in given):
        return None
    own = [int(number or 0) if type is None else type for type in given]
    return NodePlan(name, kernel, (*own, *charges_of(op, types, result)))


def described(spec: str, types: Sequence[Type], result: Type) -> Type:
    """The type that a kernel's declaration names: see ``types`` of ``kernel``."""
    type = result if spec[0] == "=" else types[int(spec[0])]
    return type.element if spec.endswith(".") else type


class ChargeRule(NamedTuple):
    """How the arguments of an operation count as work, whether its result counts, and whether calls are free."""

    params: tuple[Size, ...]
    result: bool = False
    free: bool = False


_COMPARED = frozenset({"order", "rank", "argmax", "argmin", "valmax", "valmin"})
"""Reductions that compare the values of a container's elements."""

_VISITING = frozenset({"collect", "keep", "pick"}) | _COMPARED
"""Reductions over the elements of a container."""


def charges_of(op: Op, types: Sequence[Type], result: Type) -> tuple[int | Type, ...]:
    """Words that say how an operation counts as work: a code or type for each argument, then flags (see
    ``machine.records``)."""
    rule = _rule_of(op, len(types), result)
    codes = [_code(size, type) for size, type in zip(rule.params, types, strict=True)]
    fixed = not rule.result and all(code == UNCOUNTED for code in codes)
    return *codes, (FREE if rule.free else 0) | (COUNTED if rule.result else 0) | (FIXED if fixed else 0)


def _code(size: Size, type: Type) -> int | Type:
    kind = kind_of(type)
    if size is Size.NONE or (size is Size.SCANNED and kind == "set"):
        return UNCOUNTED
    if kind == "grid":
        return CELLS
    if size is Size.COUNT:
        return ELEMENTS if kind in ("tuple", "set") else UNCOUNTED
    return type if nesting(type) <= DEPTH else UNCOUNTED


def _rule_of(op: Op, arity: int, result: Type) -> ChargeRule:
    """How an operation counts as work: the same as a call of the reference, see ``dsl.work``. Coercions and other
    structural operations are free, because the reference makes no call for them."""
    if not isinstance(op, str):
        return ChargeRule(op.cost.params, op.cost.result is not Size.NONE)
    if op in _VISITING:
        values = op in _COMPARED or (op == "collect" and result.kind == "set")
        return ChargeRule((Size.COUNT, Size.WEIGHT if values else Size.NONE, *[Size.NONE] * (arity - 2)))
    if op == "united":
        return ChargeRule((Size.WEIGHT,), result=True)
    return ChargeRule((Size.NONE,) * arity, free=True)


def nesting(type: Type) -> int:
    """The depth of nested containers, records and grids in a type: see ``compare.DEPTH``."""
    kind = kind_of(type)
    return 1 + max(map(nesting, type.parts)) if kind in ("tuple", "set", "box") else int(kind == "grid")


ALIASES = frozenset({"identity"})
"""Primitives whose result is their argument."""


def _operation(op: Op, types: Sequence[Type], result: Type, number: int | None) -> str:
    """The name under which a kernel is declared; "same" for operations that do not change the value."""
    name = op if isinstance(op, str) else op.name
    if name == "field" and kind_of(types[0]) != "box":
        return f"field{number}"
    if name in ALIASES or (name == "listed" and kind_of(types[0]) == "box"):
        return "same"
    if name == "collect" and result.kind == "set":
        return "collect_set"
    return name


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
