"""Named constants of programs: those of arc-dsl, and the numbered ones of the dialect, which mutations change."""

from typing import Any

_NUMBERS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
_COLOURS = ("BLACK", "BLUE", "RED", "GREEN", "YELLOW", "GRAY", "MAGENTA", "ORANGE", "CYAN", "BURGUNDY")

CONSTANTS: dict[str, Any] = {
    "F": False,
    "T": True,
    **{name: number for number, name in enumerate(_NUMBERS)},
    **{f"NEG_{name}": -number for number, name in enumerate(_NUMBERS) if number},
    "HUNDRED": 100,
    "THOUSAND": 1000,
    "ORIGIN": (0, 0),
    "UNITY": (1, 1),
    "NEG_UNITY": (-1, -1),
    "DOWN": (1, 0),
    "RIGHT": (0, 1),
    "UP": (-1, 0),
    "LEFT": (0, -1),
    "UP_RIGHT": (-1, 1),
    "DOWN_LEFT": (1, -1),
    "ZERO_BY_TWO": (0, 2),
    "TWO_BY_ZERO": (2, 0),
    "TWO_BY_TWO": (2, 2),
    "THREE_BY_THREE": (3, 3),
    **{name: number for number, name in enumerate(_COLOURS)},
    # the dialect: ranks from the front (F) and from the back (L), variants (R), and angles (A)
    **{f"F{number}": number for number in range(10)},
    **{f"L{number}": -number for number in range(1, 11)},
    **{f"R{number}": number for number in range(10)},
    **{f"A{number}": number for number in range(10)},
}
"""All constants by name."""
