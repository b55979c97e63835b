"""Numbers that are the same for the same terms, whoever made them."""

import hashlib

from arcloom.program.term import Call, Function, Input, Literal, Term, walk

REMEMBERED = 1_000_000


def _leaf(term: Term) -> int:
    match term:
        case Input(name):
            text = f"input {name}"
        case Literal(value):
            text = f"literal {value!r}"
        case Function(primitive):
            text = f"primitive {primitive.name}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


class Keys:
    """Content keys of terms, remembered: a mutant shares most of its parent's terms, and so their keys.

    A key does not depend on spelling, lines or on the process.
    """

    def __init__(self) -> None:
        self._known: dict[Term, int] = {}

    def __call__(self, output: Term) -> int:
        """The key of a program that gives this term."""
        found = self._known.get(output)
        if found is not None:
            return found
        if len(self._known) > REMEMBERED:
            self._known.clear()
        if not isinstance(output, Call):
            return self._part(output)
        for call in walk(output):
            if call not in self._known:
                parts = [self._part(call.function), *map(self._part, call.args)]
                self._known[call] = hash(tuple(parts))
        return self._known[output]

    def _part(self, term: Term) -> int:
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = _leaf(term)
        return found
