"""Errors of tracing: type errors of programs, and unexpected errors."""

from arcloom.program.term import Call

REPORT = "an error in arcloom, please report it with this program"
"""Prefix of the message of an unexpected error, which is a bug of arcloom."""


class TraceError(ValueError):
    """A program has no types. Has the line, the message, and the call of the program with the type error."""

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
    """A type error inside a function that the program defines, with its line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def too_many(steps: int) -> Mismatch:
    """The error of a call that needs more than this number of steps."""
    return Mismatch(f"it needs more than {steps:,} steps")


def unexpected(error: Exception) -> str:
    """The message for an exception that tracing did not expect: a limit of the language, or a bug."""
    if isinstance(error, RecursionError):
        return "functions are nested too deeply" if "recursion depth" in str(error) else str(error)
    return f"{REPORT}: {type(error).__name__}: {error}"
