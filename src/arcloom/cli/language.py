"""Descriptions of the language, from its declarations."""

import re
import sys
from collections.abc import Sequence
from typing import Any

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS, Primitive
from arcloom.program.parse import suggestion

SPELLING_RULE = (
    "A suffix _t, _f, _i or _o tells readers that the argument is a tuple or grid, a set, indices or an object. "
    "It has no effect: size_f is size."
)


class UnknownName(ValueError):
    """A name that the language does not have."""


def catalogue() -> dict[str, Any]:
    """All primitives by family, all constants, and the other spellings of primitives."""
    return {
        "families": [_family(name) for name in dict.fromkeys(p.family for p in PRIMITIVES.values())],
        "constants": CONSTANTS,
        "spellings": SPELLINGS,
    }


def explain(name: str) -> dict[str, Any]:
    """Everything about one primitive, by its name or another spelling, or about one constant."""
    if name in CONSTANTS:
        return {"name": name, "value": CONSTANTS[name]}
    return _entry(PRIMITIVES[SPELLINGS.get(name, name)])


def is_name(word: str) -> bool:
    """Whether a word is a primitive, another spelling of one, or a constant."""
    return word in CONSTANTS or SPELLINGS.get(word, word) in PRIMITIVES


def search(words: Sequence[str], takes: str | None = None, gives: str | None = None) -> list[dict[str, Any]]:
    """The primitives and constants that match. Those with a match in their name come first.

    Every word must be in the name, another spelling, the summary or the signature. ``takes`` and ``gives`` are types,
    or parts of types, of an argument and of the value. Raises UnknownName if nothing matches.
    """
    wanted = [word.lower() for word in words]
    found = [p for p in PRIMITIVES.values() if _matches(p, wanted) and _has_types(p, takes, gives)]
    found.sort(key=lambda primitive: not all(word in primitive.name for word in wanted))
    entries = [_entry(primitive) for primitive in found]
    if takes is None and gives is None:
        matching = (name for name in CONSTANTS if all(word in name.lower() for word in wanted))
        entries += [{"name": name, "value": CONSTANTS[name]} for name in matching]
    if not entries:
        raise UnknownName(f"the language has nothing for {_described(words, takes, gives)}{_near(words)}")
    return entries


def _near(words: Sequence[str]) -> str:
    return suggestion(words[0]) if len(words) == 1 else ""


def _described(words: Sequence[str], takes: str | None, gives: str | None) -> str:
    types = [f"{option} {type}" for option, type in (("--takes", takes), ("--gives", gives)) if type is not None]
    return " ".join([*map(repr, words), *types])


def _matches(primitive: Primitive[..., Any], words: Sequence[str]) -> bool:
    spellings = [spelling for spelling, name in SPELLINGS.items() if name == primitive.name]
    text = " ".join((*spellings, primitive.summary, signature(primitive))).lower()
    return all(word in text for word in words)


def _has_types(primitive: Primitive[..., Any], takes: str | None, gives: str | None) -> bool:
    given = [declared.text() for declared in primitive.param_types]
    value = primitive.result_type.text()
    return (takes is None or any(_is_within(takes, type) for type in given)) and (
        gives is None or _is_within(gives, value)
    )


def _is_within(wanted: str, type: str) -> bool:
    """Whether a type is the wanted one or contains it, such as "int" in "(int, int)" but not in "point"."""
    return re.search(rf"(?<!\w){re.escape(wanted.strip().lower())}(?!\w)", type.lower()) is not None


def _family(name: str) -> dict[str, Any]:
    about = (sys.modules[f"arcloom.dsl.{name}"].__doc__ or "").strip()
    members = [_entry(primitive) for primitive in PRIMITIVES.values() if primitive.family == name]
    return {"family": name, "summary": about.partition("\n\n")[0], "primitives": members}


def _entry(primitive: Primitive[..., Any]) -> dict[str, Any]:
    return {
        "name": primitive.name,
        "family": primitive.family,
        "signature": signature(primitive),
        "summary": primitive.summary,
        "examples": [example.text for example in primitive.examples],
        "spellings": [spelling for spelling, name in SPELLINGS.items() if name == primitive.name],
    }


def signature(primitive: Primitive[..., Any]) -> str:
    """The name, parameters and result of a primitive, with their types."""
    types = zip(primitive.params, primitive.param_types, strict=True)
    params = [f"{name}: {declared.text()}" for name, declared in types]
    return f"{primitive.name}({', '.join(params)}) -> {primitive.result_type.text()}"
