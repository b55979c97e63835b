"""Validation of the output of commands with --json against the documented schemas."""

import json
from typing import Any

import jsonschema

from documents import ROOT

SCHEMAS: dict[str, Any] = json.loads((ROOT / "docs" / "schemas.json").read_text(encoding="utf-8"))["commands"]


def documented(command: str, printed: str) -> Any:
    """The JSON output of a command. Fails if it does not match the schema of the command."""
    value = json.loads(printed)
    jsonschema.validate(value, SCHEMAS[command])
    return value
