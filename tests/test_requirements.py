"""The lock file: it has the version and hashes of every requirement, and names no registry."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")


def test_every_requirement_is_locked_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dev"], *extras["build"], *extras["ray"]]
    names = {re.split(r"[\[<>=; ]", text)[0].lower() for text in wanted} - {"arcloom"}
    locked = dict(re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==\S+[^\n]*\n(\s+--hash=)", LOCK, re.MULTILINE))
    assert names - locked.keys() == set(), "make lock writes the file anew"


def test_no_registry_is_named() -> None:
    assert "://" not in LOCK and "index-url" not in LOCK
