"""The notebook of a kit: made from a template whose cells begin with ``# %%``, with the user's settings."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HOURS = 8.0
COMPETITION = "arc-prize-2026-arc-agi-2"

TEMPLATE = Path(__file__).with_name("template.py")
PARAMETERS = "parameters"
"""The tag of the cell with the settings, which papermill also uses."""

_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_START_OF_CELL = re.compile(r"^# %%(.*)\n", re.MULTILINE)


def notebook(settings: Mapping[str, object]) -> dict[str, Any]:
    """The notebook in Jupyter's JSON format, with these values for the settings in its first cell."""
    _, *parts = _START_OF_CELL.split(TEMPLATE.read_text(encoding="utf-8"))
    cells = [_cell(head, text.strip("\n")) for head, text in zip(parts[::2], parts[1::2], strict=True)]
    first = "".join(cells[0]["source"])
    for name, value in settings.items():
        first = _set(first, name, value)
    cells[0]["source"] = first.splitlines(keepends=True)
    return {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 4}


def _cell(head: str, text: str) -> dict[str, Any]:
    if "[markdown]" in head:
        text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}
    tags = re.findall(r'"(\w+)"', head)
    source = text.splitlines(keepends=True)
    metadata = {"tags": tags} if tags else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def _set(source: str, name: str, value: object) -> str:
    """The source with another value for a setting. The comment on it stays."""
    found, times = re.subn(rf"^({name}\b.*? = ).*?(?=  #|$)", lambda m: f"{m[1]}{value!r}", source, flags=re.MULTILINE)
    assert times == 1, f"the notebook has no setting {name}"
    return found
