"""Numba's compiler with only the passes that row functions need."""

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager

_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""Passes for closures, generators, lists, array expressions and parallel loops are left out: row functions have none,
and these passes take a quarter of the time."""


class RowCompiler(CompilerBase):
    """Numba's compiler with the passes of ``_PASSES``."""

    def define_pipelines(self) -> list[Any]:
        """The only pipeline."""
        passes: Any = PassManager("row function")
        for each in _PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]
