"""Durations as texts such as "90s", "10m" or "1h30m"."""

import re

_UNITS = {"s": 1, "m": 60, "h": 3600}
LONGEST = 9999
"""Maximum number of hours of a budget."""

_BUDGET = re.compile(r"(?:\d+(?:\.\d+)?[smh])+")


class BudgetError(ValueError):
    """A text that is not a duration."""


def seconds_of(text: str) -> float:
    """The seconds of a budget such as "90s", "10m", "2h" or "1h30m"."""
    compact = text.strip().lower()
    if not _BUDGET.fullmatch(compact):
        raise BudgetError(f"{text!r} is no budget; write a number with s, m or h, such as 90s, 10m or 1h30m")
    parts = re.findall(r"([\d.]+)([smh])", compact)
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if seconds <= 0:
        raise BudgetError(f"{text!r} leaves no time; write a number above 0 with s, m or h, such as 90s")
    if seconds > LONGEST * _UNITS["h"]:
        raise BudgetError(f"a search may take at most {LONGEST} hours; write a shorter time, such as 8h")
    return seconds


def time_text(seconds: float) -> str:
    """A duration in its largest unit that gives a whole number, for example "90m" for 5400 seconds."""
    unit = next((unit for unit in "hm" if seconds % _UNITS[unit] == 0), "s")
    return f"{seconds / _UNITS[unit]:g}{unit}"
