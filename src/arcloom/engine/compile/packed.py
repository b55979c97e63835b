"""Compiled code in a binary wheel."""

import json
from collections.abc import Sequence
from pathlib import Path

from arcloom.engine.compile.digest import source_digest, versions
from arcloom.engine.compile.folders import PACKED
from arcloom.engine.compile.target import PORTABLE, portable_here

MANIFEST = "manifest.json"
"""The file in a wheel that records the digest, the versions and the processors of its compiled code."""


def write_manifest(folder: Path) -> None:
    """Write the manifest of the compiled code in a folder."""
    told = {"digest": source_digest(), "versions": versions(), "cpus": [target.cpu for target in PORTABLE]}
    (folder / MANIFEST).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def why_unused(folder: Path = PACKED) -> str | None:
    """The reason why the compiled code of arcloom's wheel is not used; None if it is used or there is none."""
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    reason = _difference(told["versions"]) or _processor(told["cpus"])
    if reason is None and told["digest"] != source_digest():
        reason = "arcloom's sources have been changed"
    return None if reason is None else f"the compiled kernels in arcloom's wheel are not used, because {reason}"


def _difference(built: dict[str, str]) -> str | None:
    other = [
        f"{name} is {version}, not {built.get(name)}"
        for name, version in versions().items()
        if built.get(name) != version
    ]
    return ", ".join(other) or None


def _processor(cpus: Sequence[str]) -> str | None:
    if any(target.cpu in cpus for target in portable_here()):
        return None
    return f"they are for processors of level {' or '.join(cpus)}"
