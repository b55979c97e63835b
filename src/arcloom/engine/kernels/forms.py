"""Kernels of the forms that remain in the graph after tracing."""

from typing import Any

from arcloom.dsl import forms
from arcloom.engine.kernel import kernel


@kernel(forms.branch, "int", "*", "*")
def branch(heap: Any, cells: Any, condition: int, then: int, otherwise: int) -> int:
    return then if condition != 0 else otherwise
