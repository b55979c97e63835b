"""The pages of the documentation: every code block is run, unless its title gives a reason not to."""

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import arcloom
from arcloom.cli import app
from arcloom.program.texts import as_solver
from documents import NOT_RUN, ROOT, Block, blocks_of, comparable, steps_of, text_of

PAGES = sorted((ROOT / "docs").glob("*.md"))
PROGRAMS = ("program", "differ")
"""Titles of blocks in the language of programs, which Python cannot run."""

MAX_TERMS = 30


def run_session(session: str) -> None:
    for command, printed in steps_of(session):
        name, *args = shlex.split(command)
        if name == "cat":
            Path(args[0]).write_text(printed, encoding="utf-8")
            continue
        assert name == "arcloom", f"{command} is no command that the tests run: say in the title why not"
        result = CliRunner().invoke(app, args, env={"COLUMNS": "120"})
        assert comparable(result.output) == comparable(printed)


def run_block(block: Block, names: dict[str, Any]) -> None:
    match block.language:
        case "python":
            exec(compile(block.text, "<documentation>", "exec"), names)
        case "pycon":
            examples = doctest.DocTestParser().get_doctest(block.text, names, "documentation", None, 0)
            assert doctest.DocTestRunner().run(examples).failed == 0
        case "console":
            run_session(block.text)
        case "json":
            json.loads(block.text)
        case "text":
            return
        case _:
            pytest.fail(f"nothing runs blocks of {block.language or 'no language'}: {block.text}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.usefixtures("new_process")
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks_of(page):
        if block.title in PROGRAMS:
            inputs = arcloom.parse(block.text)
            assert inputs
        elif not block.title.startswith(NOT_RUN):
            run_block(block, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_fence_belongs_to_a_block(page: Path) -> None:
    fences = re.findall(r"^```", text_of(page), re.MULTILINE)
    assert len(fences) == 2 * len(blocks_of(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_titles_are_known(page: Path) -> None:
    for block in blocks_of(page):
        assert not block.title or block.title in PROGRAMS or len(block.title) > len(NOT_RUN)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_that_links_name_exist(page: Path) -> None:
    generated = ("contributing.md", "changelog.md", "reference/")
    for target in re.findall(r"\]\((?!https?://)([^)#]+)[^)]*\)", text_of(page)):
        assert target.startswith(generated) or (page.parent / target).is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_source_files_that_pages_name_exist(page: Path) -> None:
    named = re.findall(r"`((?:[a-z_]+/)+\w+\.py)`", text_of(page))
    folders = (ROOT, ROOT / "src", ROOT / "src" / "arcloom")
    assert [path for path in named if not any((folder / path).is_file() for folder in folders)] == []


def test_programs_of_the_language_page_have_types() -> None:
    blocks = [block for block in blocks_of(ROOT / "docs" / "language.md") if block.title == "program"]
    assert len(blocks) == 3
    arcloom.trace(as_solver(arcloom.parse(blocks[-1].text)[0]))


def test_the_glossary_is_short_and_in_order() -> None:
    terms = re.findall(r"^\| ([a-z ]+) \|", text_of(ROOT / "docs" / "glossary.md"), re.MULTILINE)[1:]
    assert 10 < len(terms) <= MAX_TERMS
    assert terms == sorted(set(terms))


def test_every_page_is_in_the_navigation() -> None:
    listed = text_of(ROOT / "mkdocs.yml").partition("nav:")[2]
    assert [page.name for page in PAGES if page.name not in listed] == []


def test_the_site_builds(tmp_path: Path) -> None:
    build = pytest.importorskip("mkdocs.commands.build")
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path))
    build.build(config)
    reference = text_of(tmp_path / "reference" / "grid.html")
    assert 'src="images/hmirror-0.svg"' in reference
    assert (tmp_path / "reference" / "images" / "hmirror-0.svg").read_text().startswith("<svg")
    assert not re.search(r'(?:src|href)="(?:https?:)?//[^"]+\.(?:css|js|woff2?)"', reference)
