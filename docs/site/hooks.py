"""Hooks of MkDocs: adds the pages that are generated.

These are the reference of the language, with a picture of every example, and the contributor guide and the changelog,
which are in the root of the repository.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from arcloom.cli.language import signature
from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS, Primitive

sys.path.insert(0, str(Path(__file__).parent))

from pictures import example_svg

ROOT = Path(__file__).parents[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and pictures."""
    for path, content in (*_reference(), *_root_pages()):
        files.append(File.generated(config, path, content=content))
    return files


def _root_pages() -> Iterator[tuple[str, str]]:
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        yield name.lower(), re.sub(r"\]\(docs/", "](", (ROOT / name).read_text(encoding="utf-8"))


def _reference() -> Iterator[tuple[str, str]]:
    families = list(dict.fromkeys(primitive.family for primitive in PRIMITIVES.values()))
    yield "reference/index.md", _index(families)
    for family in families:
        members = [primitive for primitive in PRIMITIVES.values() if primitive.family == family]
        yield f"reference/{family}.md", f"# {family}\n\n{_about(family)}\n\n" + "\n".join(map(_entry, members))
        for primitive in members:
            for k, example in enumerate(primitive.examples):
                yield f"reference/images/{primitive.name}-{k}.svg", example_svg(example)


def _about(family: str) -> str:
    return (sys.modules[f"arcloom.dsl.{family}"].__doc__ or "").strip()


def _index(families: list[str]) -> str:
    lines = ["# Reference of the language", "", "All primitives by family, generated from their declarations.", ""]
    for family in families:
        members = [primitive.name for primitive in PRIMITIVES.values() if primitive.family == family]
        named = ", ".join(f"[{name}]({family}.md#{name})" for name in members)
        lines += [f"## [{family}]({family}.md)", "", _about(family).partition("\n\n")[0], "", named, ""]
    lines += ["## Constants", "", "| name | value |", "|---|---|"]
    lines += [f"| `{name}` | `{value}` |" for name, value in CONSTANTS.items()]
    return "\n".join(lines) + "\n"


def _entry(primitive: Primitive[..., object]) -> str:
    spellings = [spelling for spelling, name in SPELLINGS.items() if name == primitive.name]
    lines = [f"## {primitive.name}", "", f"`{signature(primitive)}`", "", primitive.summary, ""]
    for k, example in enumerate(primitive.examples):
        lines += [f"`{example.text}`", "", f"![{example.text}](images/{primitive.name}-{k}.svg)", ""]
    if spellings:
        lines += [f"Also written {', '.join(f'`{spelling}`' for spelling in spellings)}.", ""]
    return "\n".join(lines)
