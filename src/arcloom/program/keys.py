"""Content keys of terms: equal terms have equal keys, in all processes."""

import hashlib

from arcloom.program.term import Call, Function, Input, Lambda, Literal, Program, Term

REMEMBERED = 1_000_000


def _leaf(term: Input | Literal | Function | Lambda) -> int:
    match term:
        case Input(name):
            text = f"input {name}"
        case Literal(value):
            text = f"literal {value!r}"
        case Function(primitive):
            text = f"primitive {primitive.name}"
        case Lambda(body, captured):
            text = f"lambda {captured} {body.shape}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


class Keys:
    """Computes and caches the content keys of terms. A mutant shares most terms of its parent, and so their keys.

    A key does not depend on spellings, on lines or on the process.
    """

    def __init__(self) -> None:
        self._known: dict[Term, int] = {}

    def __call__(self, program: Program) -> int:
        """The key of a program's output."""
        known = self._known
        found = known.get(program.output)
        if found is not None:
            return found
        if len(known) > REMEMBERED:
            known.clear()
        for call in program.calls:
            if call not in known:
                parts = (call.function, *call.args)
                known[call] = hash(tuple([known.get(part) or self._leaf(part) for part in parts]))
        return known.get(program.output) or self._leaf(program.output)

    def _leaf(self, term: Term) -> int:
        assert not isinstance(term, Call)
        key = self._known[term] = _leaf(term)
        return key
