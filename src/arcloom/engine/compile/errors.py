"""Errors of compiling and loading code. This module imports no compiler."""


class CompileError(RuntimeError):
    """Kernels could not be compiled, or the folder of compiled kernels cannot be used."""


class CompileStopped(KeyboardInterrupt):
    """The user stopped a compilation. The kernels that were finished are kept."""
