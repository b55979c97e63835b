"""The language: types, primitives, constants, and alternative spellings of primitives."""

from arcloom.dsl import (  # noqa: F401  (importing a family declares its primitives)
    arith,
    container,
    dialect,
    forms,
    grid,
    logic,
    objects,
    paint,
    patch,
    places,
    relations,
)
from arcloom.dsl.constants import CONSTANTS
from arcloom.dsl.declare import PRIMITIVES, Primitive
from arcloom.dsl.spellings import SPELLINGS
from arcloom.dsl.values import Failure, Reason

__all__ = ["CONSTANTS", "PRIMITIVES", "SPELLINGS", "Failure", "Primitive", "Reason"]
