"""What there is to say about the language, read off its declarations."""

import sys
from typing import Any

from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS, Primitive
from arcloom.dsl.signature import describe
from arcloom.program.parse import suggestion

SPELLING_RULE = (
    "A suffix _t, _f, _i or _o says that a primitive is given a tuple or grid, a set, indices or an object. "
    "It changes nothing: size_f is size."
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
    known = SPELLINGS.get(name, name)
    if known not in PRIMITIVES:
        raise UnknownName(f"the language has no {name!r}{suggestion(name)}")
    return _entry(PRIMITIVES[known])


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
    """What a primitive takes and gives, in words."""
    declared = primitive.signature
    params = [f"{name}: {describe(param.annotation)}" for name, param in declared.parameters.items()]
    return f"{primitive.name}({', '.join(params)}) -> {describe(declared.return_annotation)}"
