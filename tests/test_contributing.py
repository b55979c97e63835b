"""The recipes of CONTRIBUTING.md: their code runs, that of the recipe for a primitive in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import arcloom
from arcloom.dsl.signature import GRID
from arcloom.enumerate.enumerator import PARAMETERS
from arcloom.search.loop.source import Request
from arcloom.search.loop.state import TaskState
from documents import ROOT, text_of

TEXT = text_of(ROOT / "CONTRIBUTING.md")

USE = """
import sys

import arcloom
from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import run_example

new = PRIMITIVES["area"]
for example in new.examples:
    assert run_example(example.call) == run_example(example.expected), example.text
program = "def solve(I):\\n    return area(I)\\n"
grids = [((1, 2, 3), (4, 5, 6)), ((7,),)]
for device in ("reference", "cpu"):
    results = arcloom.run([program], grids, device=device)
    assert [results.output(0, k) for k in range(2)] == [6, 1]
    assert results.untyped == {} and results.fallback_programs == ()

test, *folders = sys.argv[1:]
sys.path += folders
import test_kernels_grid

exec(test, vars(test_kernels_grid))
test_kernels_grid.test_area()
print(arcloom.__file__, len(new.examples))
"""


def blocks(title: str) -> list[str]:
    """The code blocks with a title that matches; they are indented, because they belong to items of a list."""
    found = re.findall(rf'^    ```python title="{title}"\n(.*?)^    ```$', TEXT, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(text) for text in found]


def test_the_recipe_of_a_primitive_works(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src" / "arcloom", tmp_path / "arcloom", ignore=shutil.ignore_patterns("__pycache__"))
    files = re.findall(r'title="(src/[\w/]+\.py)"', TEXT)
    assert len(files) == 2
    for file in files:
        [block] = blocks(re.escape(file))
        with (tmp_path / Path(file).relative_to("src")).open("a", encoding="utf-8") as module:
            module.write(f"\n\n{block}")
    [test] = blocks("tests/engine/test_kernels_grid.py")
    folders = [str(ROOT / "tests"), str(ROOT / "tests" / "engine")]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "ARCLOOM_CACHE": str(tmp_path / "cache")}
    ended = subprocess.run(
        [sys.executable, "-c", USE, test, *folders], env=environment, cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == [str(tmp_path / "arcloom" / "__init__.py"), "2"]


def test_the_operation_of_the_recipe_has_types() -> None:
    [text] = blocks("program")
    [program] = arcloom.parse(text)
    traced = arcloom.trace(program, {name: value_class.type for name, value_class in PARAMETERS.items()})
    assert traced.output.type is GRID or str(traced.output.type) == "tuple[tuple[int]]"


def test_the_source_of_the_recipe_proposes_its_candidate_once() -> None:
    [text] = blocks("source")
    names: dict[str, Any] = {}
    exec(compile(text, "CONTRIBUTING.md", "exec"), names)
    source, state = names["Exchanged"](), TaskState(arcloom.load("arcagi:training")[0])
    [candidate] = source.propose(Request([state], 0))
    assert candidate.program.evaluate({"I": ((1,), (2,))}) == ((2,), (1,))
    assert list(source.propose(Request([state], 1))) == []
