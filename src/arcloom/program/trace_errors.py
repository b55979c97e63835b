"""Errors of tracing: programs that have no types, and errors that no program should be able to cause."""

from arcloom.program.term import Call

REPORT = "an error in arcloom, please report it with this program"
"""The beginning of the message of an error that no program should be able to cause."""


class TraceError(ValueError):
    """A program that has no types: the line, what does not fit, and the call of the program in which it is."""

    def __init__(self, message: str, *, program: str, line: int, call: Call | None = None) -> None:
        super().__init__(f"{program}, line {line}: {message}")
        self.message, self.program, self.line, self.call = message, program, line, call

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.message, self.program, self.line)


def _again(message: str, program: str, line: int) -> TraceError:
    return TraceError(message, program=program, line=line)


class Mismatch(Exception):
    """A type error whose line is not known yet."""


class InnerMismatch(Mismatch):
    """A type error in a function that is defined in the program, with its line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def too_many(steps: int) -> Mismatch:
    """The error of a call that stands for more than this number of steps."""
    return Mismatch(f"it stands for more than {steps:,} steps")


def unexpected(error: Exception) -> str:
    """The message for an error that is no property of the program: the language's own limits, or a bug."""
    if isinstance(error, RecursionError):
        return "functions are nested too deeply" if "recursion depth" in str(error) else str(error)
    return f"{REPORT}: {type(error).__name__}: {error}"
