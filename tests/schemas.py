"""Checks what commands print with --json against the documented schemas."""

import json
from typing import Any

import jsonschema

from documents import ROOT

SCHEMAS: dict[str, Any] = json.loads((ROOT / "docs" / "schemas.json").read_text(encoding="utf-8"))["commands"]


def documented(command: str, printed: str) -> Any:
    """The value that a command printed. Fails if the schema of the command does not allow it."""
    value = json.loads(printed)
    jsonschema.validate(value, SCHEMAS[command])
    return value
