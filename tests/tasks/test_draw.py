"""Drawing tasks in the terminal, as SVG and as PNG."""

import io
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import pytest
from rich.console import Console

from arcloom.tasks import DataError, Pair, Task, load
from arcloom.tasks.draw import draw_task, save_task, task_picture
from arcloom.tasks.lettering import GLYPHS, HEIGHT, lettered
from arcloom.tasks.picture import (
    CELL,
    GAP,
    LABEL_GAP,
    LETTER,
    LINE,
    PALETTE,
    PAPER,
    STRANGE,
)

ALL = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9))
SMALL = Task("small", (Pair(ALL, ((1, 2), (3, 4))),), (Pair(((5,),), ((6,),)), Pair(((7,),))))
LARGE = Task("large", (Pair(((1, 2, 0) * 10,) * 3, ((3,) * 30,) * 2),))

Colours = list[list[str]]


def printed(task: Task, *, width: int = 80, colour: bool = False, answers: bool = True) -> str:
    """The output on a terminal of this width, with or without colours."""
    file = io.StringIO()
    console = Console(file=file, width=width, color_system="truecolor" if colour else None, no_color=False)
    console.print(draw_task(task, answers=answers))
    return file.getvalue()


def ansi(colour: str) -> str:
    """The ANSI code of a colour."""
    return ";".join(str(part) for part in bytes.fromhex(colour[1:]))


def read_png(data: bytes) -> Colours:
    """The colours of the pixels of a PNG file, which is checked completely."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, rest = {}, data[8:]
    while rest:
        (size,) = struct.unpack(">I", rest[:4])
        kind, body, check, rest = rest[4:8], rest[8 : 8 + size], rest[8 + size : 12 + size], rest[12 + size :]
        assert struct.unpack(">I", check) == (zlib.crc32(kind + body),)
        chunks[kind] = body
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *kind_of_png = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind_of_png == [8, 3, 0, 0, 0]
    table = [f"#{chunks[b'PLTE'][i : i + 3].hex().upper()}" for i in range(0, len(chunks[b"PLTE"]), 3)]
    lines = zlib.decompress(chunks[b"IDAT"])
    assert len(lines) == height * (width + 1)
    return [[table[pixel] for pixel in lines[i + 1 : i + 1 + width]] for i in range(0, len(lines), width + 1)]


def read_svg(data: bytes) -> Colours:
    """The colours of the pixels that the paths cover."""
    svg = ET.fromstring(data)
    colours = [[""] * int(svg.attrib["width"]) for _ in range(int(svg.attrib["height"]))]
    for path in svg.iter("{http://www.w3.org/2000/svg}path"):
        for box in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", path.attrib["d"]):
            x, y, width, height = map(int, box)
            for line in colours[y : y + height]:
                line[x : x + width] = [path.attrib["fill"]] * width
    return colours


def cells(colours: Colours, top: int, left: int, height: int, width: int) -> Colours:
    """The colours at the centres of the cells of a grid whose upper left pixel is (top, left)."""
    rows = colours[top + CELL // 2 : top + height * CELL : CELL]
    return [row[left + CELL // 2 : left + width * CELL : CELL] for row in rows]


class TestTerminal:
    def test_digits_are_visible_without_colours(self) -> None:
        assert [line.rstrip() for line in printed(SMALL).splitlines()] == [
            "small",
            "train[0]",
            "┌──────────┐   ┌────┐",
            "│0 1 2 3 4 │ → │1 2 │",
            "│5 6 7 8 9 │   │3 4 │",
            "└──────────┘   └────┘",
            "test[0]     test[1]",
            "┌──┐   ┌──┐ ┌──┐   ┌─┐",
            "│5 │ → │6 │ │7 │ → │?│",
            "└──┘   └──┘ └──┘   └─┘",
        ]

    def test_answers_can_be_hidden(self) -> None:
        assert "│6 │" in printed(SMALL)
        hidden = printed(SMALL, answers=False)
        assert "│6 │" not in hidden
        assert hidden.count("?") == 2

    def test_colours(self) -> None:
        text = printed(SMALL, colour=True)
        for cell, colour in enumerate(PALETTE):
            assert f"38;2;{ansi(colour)};48;2;{ansi(colour)}m{cell} " in text

    def test_large_grids_get_smaller_cells(self) -> None:
        assert "1 2 0 1 2 0" in printed(LARGE, width=127)
        assert "120120" in printed(LARGE, width=126)
        assert "3" * 30 in printed(LARGE, width=67)

    def test_half_blocks_show_two_rows(self) -> None:
        text = printed(LARGE, width=80, colour=True)
        blue, green = ansi(PALETTE[1]), ansi(PALETTE[3])
        assert text.count(f"\x1b[38;2;{blue};48;2;{blue}m▀") == 10
        assert text.count(f"\x1b[38;2;{blue}m▀") == 10
        assert text.count(f"\x1b[38;2;{green};48;2;{green}m▀") == 30

    def test_widest_tasks_fit_in_eighty_columns(self) -> None:
        for task in load("arcagi2:evaluation").tasks[:6]:
            assert "…" not in printed(task, width=80, colour=True)

    def test_strange_grids(self) -> None:
        text = printed(Task("[bold]x[/bold]", (Pair(((12, -1),), ()),)))
        assert "[bold]x[/bold]" in text
        assert "12 -1" in text


class TestPicture:
    @pytest.mark.parametrize("suffix", [".png", ".PNG", ".svg"])
    def test_file_shows_the_grids(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"task{suffix}"
        save_task(SMALL, path)
        colours = (read_svg if suffix == ".svg" else read_png)(path.read_bytes())
        top = 2 * GAP + HEIGHT * 2 * LETTER + HEIGHT * LETTER + LABEL_GAP
        left = GAP
        assert cells(colours, top, left, 2, 5) == [list(PALETTE[:5]), list(PALETTE[5:])]
        right = len(colours[0]) - GAP - len(lettered("train[0] output 2x2")[0]) * LETTER
        assert cells(colours, top, right, 2, 2) == [list(PALETTE[1:3]), list(PALETTE[3:5])]
        assert (colours[0][0], colours[top][left], colours[-1][-1]) == (PAPER, LINE, PAPER)

    def test_grids_have_labels(self) -> None:
        boxes = {(box.x, box.y) for box in task_picture(SMALL).boxes if box.width == LETTER}
        left, top = min(x for x, _ in boxes), min(y for _, y in boxes)
        dots = {((y - top) // LETTER, (x - left) // LETTER) for x, y in boxes}
        for i, line in enumerate(lettered("train[0] input 2x5")):
            assert "".join("#" if (i, j) in dots else "." for j in range(len(line))) == line

    def test_labels_have_a_sign_for_every_character(self) -> None:
        assert {len(line) for glyph in GLYPHS.values() for line in glyph.split()} == {3}
        assert lettered("A\N{SNOWMAN}") == (".#..###", "#.#.###", "###.###", "#.#.###", "#.#.###")

    def test_svg_and_png_are_the_same_picture(self, tmp_path: Path) -> None:
        task = load("arcagi:training")["a85d4709"]
        for answers in (True, False):
            save_task(task, tmp_path / "a.svg", answers=answers)
            save_task(task, str(tmp_path / "a.png"), answers=answers)
            assert read_svg((tmp_path / "a.svg").read_bytes()) == read_png((tmp_path / "a.png").read_bytes())

    def test_answers_can_be_hidden(self, tmp_path: Path) -> None:
        task = Task("a", (Pair(((1,),), ((2,),)),), (Pair(((3,),), ((4,),)),))
        for answers, shown in ((True, {1, 2, 3, 4}), (False, {1, 2, 3})):
            save_task(task, tmp_path / "a.svg", answers=answers)
            colours = {colour for row in read_svg((tmp_path / "a.svg").read_bytes()) for colour in row}
            assert colours == {PAPER, LINE} | {PALETTE[cell] for cell in shown}

    def test_title_is_escaped(self, tmp_path: Path) -> None:
        save_task(Task("<a&b>\ud800", SMALL.train), tmp_path / "a.svg")
        title = ET.fromstring((tmp_path / "a.svg").read_bytes())[0]
        assert title.text == "<a&b>?"

    def test_strange_tasks(self) -> None:
        assert {box.colour for box in task_picture(Task("none", ())).boxes} == {PAPER, LINE}
        colours = [box.colour for box in task_picture(Task("odd", (Pair(((12, -1),), ()),))).boxes]
        assert colours.count(STRANGE) == 2

    @pytest.mark.parametrize("name", ["task.gif", "task", "task.svg.txt"])
    def test_unknown_suffix(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(DataError, match=r"unknown kind of picture '.*'; accepted are \.svg, \.png$"):
            save_task(SMALL, tmp_path / name)
        assert not list(tmp_path.iterdir())

    def test_rich_is_not_needed(self) -> None:
        code = "import sys, arcloom.tasks.draw; print(*sys.modules)"
        modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert "rich" not in modules.split()
