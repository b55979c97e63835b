"""The bundled solver programs for ARC-AGI-1 training tasks, in files by theme."""

from functools import cache
from importlib.resources import files

from arcloom.program.parse import parse
from arcloom.program.term import Program


def bundled() -> list[Program]:
    """All bundled programs, sorted by name. ``solve_<id>`` solves the training task with that id."""
    return list(_programs())


@cache
def _programs() -> tuple[Program, ...]:
    texts = {
        source.name: source.read_text(encoding="utf-8") for source in files(__name__).iterdir() if _is_text(source.name)
    }
    found = [program for name, text in texts.items() for program in parse(text, file=name)]
    return tuple(sorted(found, key=lambda program: program.name))


def _is_text(name: str) -> bool:
    return name.endswith(".py") and name != "__init__.py"
