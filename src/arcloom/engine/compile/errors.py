"""Errors of compiling and loading code. This module imports no compiler."""


class CompileError(RuntimeError):
    """Code cannot be compiled, or the cache of compiled code cannot be used."""


class CompileStopped(KeyboardInterrupt):
    """The user stopped a compilation. Kernels that are compiled already stay in the cache."""
