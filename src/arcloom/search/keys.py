"""Numbers that are the same for the same terms, whoever made them."""

import hashlib

from arcloom.program.term import Call, Function, Input, Literal, Term

REMEMBERED = 1_000_000


def _leaf(term: Input | Literal | Function) -> int:
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
        waiting = [output]
        while waiting:
            term = waiting[-1]
            unknown = self._unknown_parts(term)
            if unknown:
                waiting.extend(unknown)
            else:
                self._known[waiting.pop()] = self._key(term)
        return self._known[output]

    def _unknown_parts(self, term: Term) -> list[Term]:
        if not isinstance(term, Call):
            return []
        return [part for part in (term.function, *term.args) if part not in self._known]

    def _key(self, term: Term) -> int:
        if not isinstance(term, Call):
            return _leaf(term)
        return hash((self._known[term.function], *[self._known[arg] for arg in term.args]))
