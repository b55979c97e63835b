"""The order in which nodes fail.

Where several calls of a function fail, the language reports the one that is evaluated first. A node fails for the
reason of its first argument that failed, which may be another call: as in ``a = f(x); b = g(x); return h(b, a)``.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest

from arcloom.program.graph import Loop, Node, strict_args

PASSING = frozenset(
    ("constant", "input", "element", "state", "enter", "same", "truth", "listed", "rows", "record", "single", "append")
) | {"field", "guard"}
"""Operations that fail only where an argument failed."""


def reported_later(roots: Sequence[Node], evaluated: Sequence[Node]) -> list[Node]:
    """Nodes to look at before ``roots``, in this order, so that the first failure seen is that of the node that was
    evaluated first. Mostly there are none. ``evaluated`` lists nodes in the order of evaluation.
    """
    if len(evaluated) < 2 or _is_chain(evaluated):
        return []
    lowest = min([node.number for node in evaluated])
    failing = [node for node in dict.fromkeys(evaluated) if node.op not in PASSING]
    reported = _in_order(roots, lowest, strict_args)
    if not reported.keys() >= set(failing):
        used = _in_order(roots, lowest, _args)
        failing = [node for node in failing if node in used]
    place = {node: k for k, node in enumerate(failing)}
    last = max([place[node] for node in failing if node not in reported], default=-1)
    highest = -1
    for k in [place[node] for node in reported if node in place]:
        last = last if k > highest else max(last, k)
        highest = max(highest, k)
    return _without_implied(failing[: last + 1])


def _is_chain(evaluated: Sequence[Node]) -> bool:
    """Whether each node takes the one before, as in most functions: then the first one that fails is reported."""
    return all(one in strict_args(other) for one, other in pairwise(evaluated))


def _args(node: Node) -> tuple[Node, ...]:
    """All nodes that a node takes values from. A function called in a frame takes arguments from outside of it."""
    return (*node.args, node.data.result) if isinstance(node.data, Loop) else node.args


def _in_order(roots: Sequence[Node], lowest: int, args_of: Callable[[Node], tuple[Node, ...]]) -> dict[Node, None]:
    """The nodes that these depend on, down to a number, in the order in which they are found: depth first, arguments
    before what takes them."""
    found: dict[Node, None] = {}
    stack: list[Node | None] = [*reversed(roots)]
    while stack:
        node = stack.pop()
        if node is None:  # the arguments of the node below are found
            found[stack.pop()] = None  # type: ignore[index]
        elif node.number >= lowest and node not in found:
            stack += (node, None)
            stack += [arg for arg in reversed(args_of(node)) if arg.number >= lowest]
    return found


def _without_implied(nodes: list[Node]) -> list[Node]:
    """The nodes without those that are arguments of the next one, which fails for their reason."""
    return [node for node, later in zip_longest(nodes, nodes[1:]) if later is None or node not in strict_args(later)]
