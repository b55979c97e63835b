"""The display of a search on different terminals, as a log, and with no output."""

import io
import re
import sys

import pytest
from rich.console import Console

from arcloom.cli.live import Hidden, Live, Log, SearchView, clock, display, line
from arcloom.cluster.coordinator import SearchProgress, Solution
from arcloom.engine.compile.progress import CompileProgress
from arcloom.search.origin import Origins
from arcloom.store import Vote
from arcloom.tasks.terminal import ThumbnailsView, thumbnail

BLUE = ((1, 1), (1, 1))
PROGRESS = SearchProgress(
    left=61.0,
    seconds=60.0,
    generation=3,
    candidates=7_000,
    untyped=5,
    tasks=400,
    solved=12,
    settled=4,
    best=900,
    before=1_000,
    sources={"enumeration": 2_400, "bundled": 3_600},
    expressions={"enumeration": 120_000_000},
    found={"enumeration": 9, "bundled": 3},
    latest=[Solution("aaaa", "bundled", BLUE), Solution("bbbb", "enumeration", ((0,) * 30,) * 30)],
)


def drawn(width: int = 100, height: int = 40, colour: bool = False, progress: SearchProgress | None = PROGRESS) -> str:
    view = SearchView("some tasks")
    if progress is not None:
        view.update(progress)
    file = io.StringIO()
    system = "truecolor" if colour else None
    Console(file=file, width=width, height=height, color_system=system, force_terminal=True).print(view)  # type: ignore[arg-type]
    return file.getvalue()


def test_a_view_has_time_counts_rates_sources_and_thumbnails() -> None:
    text = drawn()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0].startswith(("1:01 left", "1:00 left"))
    assert "12 of 400 tasks solved on demonstrations, 4 settled (several programs agree)" in lines
    assert "some tasks: generation 3, 100 candidates/s, 2,000,000 expressions/s" in lines
    assert "enumeration 9 40 2,000,000" in lines and "bundled 3 60" in lines
    assert "bbbb aaaa" in lines and "enumeration bundled" in lines
    assert "Ctrl-C ends the search; submission.json is still written" in lines


def test_colours_and_digits() -> None:
    assert "▀" in drawn(colour=True) and "\n11" not in drawn(colour=True)
    assert " 11 " in drawn(colour=False) and "▀" not in drawn(colour=False)


@pytest.mark.parametrize(("width", "height"), [(50, 40), (100, 12)])
def test_small_terminals_get_the_first_lines(width: int, height: int) -> None:
    text = drawn(width, height)
    assert "candidates/s" in text and "aaaa" not in text
    assert all(len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize(("height", "colour"), [(20, False), (21, True), (24, False)])
def test_a_view_is_never_higher_than_the_terminal(height: int, colour: bool) -> None:
    text = drawn(100, height, colour=colour)
    assert len(text.splitlines()) <= height
    assert "Ctrl-C" in text and ("aaaa" in text) == (height > 20)


def test_before_the_first_unit_and_without_a_budget() -> None:
    assert drawn(progress=None) == "0:00  starting workers\n"
    text = drawn(progress=SearchProgress(None, 3.0, 0, 0, 0, 400, 0, 0, 0))
    assert text.startswith("0:03 since the start") and "starting workers" in text


def test_thumbnails_fit_the_width() -> None:
    file = io.StringIO()
    grids = [(f"task{i}", "induction", BLUE) for i in range(9)]
    Console(file=file, width=30).print(ThumbnailsView(grids))
    assert file.getvalue().split()[-2:] == ["induction", "induction"]
    assert thumbnail(((0,) * 30,) * 13) == ((0,) * 10,) * 5
    assert thumbnail(()) == ()


def test_a_log_has_a_line_per_interval(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    for second in range(0, 301, 5):
        log(SearchProgress(**{**PROGRESS.__dict__, "seconds": float(second), "left": None}))
    lines = capsys.readouterr().err.splitlines()
    assert [found[1] for text in lines if (found := re.match(r"arcloom: (\d+:\d\d): 12 of 400 tasks", text))] == [
        *("0:15", "0:30", "0:45", "1:00", "1:15", "1:30", "1:45", "2:00"),
        *("3:00", "4:00", "5:00"),
    ]


def test_the_line_of_a_log() -> None:
    assert line(PROGRESS) == (
        "1:00, 1:01 left: 12 of 400 tasks solved on demonstrations (4 settled), generation 3, "
        "100 candidates/s, 2,000,000 expressions/s"
    )
    assert (clock(3725), clock(59.9)) == ("1:02:05", "0:59")


def test_the_display_depends_on_the_output_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(display("x", quiet=True)) is Hidden
    assert type(display("x", quiet=False)) is Log
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert type(display("x", quiet=False)) is Live


def test_compiling_is_shown() -> None:
    live = Live("x")
    assert live.report is not None
    live.report(CompileProgress(3, 10, 1.0))
    assert "Compiling kernels (once): 3/10" in live._view.phase
    live.report(CompileProgress(10, 10, 1.0, ended=True))
    assert live._view.phase == "starting workers"


def vote(source: str, root: str, weight: float = 1.0) -> Vote:
    return Vote("digest", source, root, weight, True, ())


def test_origins_distinguish_bundled_programs_from_those_of_the_user() -> None:
    own, other = vote("library", "solve_00d62c1b"), vote("library", "solve_mine")
    origins = Origins()
    assert (origins.of(own), origins.of(other), origins.of(vote("induction", "x"))) == (
        "bundled",
        "library",
        "induction",
    )
    assert origins.is_own(own, "00d62c1b") and not origins.is_own(own, "3c9b0459")
    assert Origins(["def solve_00d62c1b(I):\n    return I\n"]).of(own) == "library"
    assert origins.first([vote("repair", "x", 0.5), vote("merge", "y", 0.7)]) == "merge"
    assert origins.first([]) is None
    assert (origins.source("library"), Origins(["def f(I): return I"]).source("library")) == ("bundled", "library")


def test_a_report_names_origins_as_the_search_did() -> None:
    own = Vote("", "library", "solve_00d62c1b", 1.0, True, ())
    given = Origins(["def solve_00d62c1b(I):\n    return I\n"])
    stored = Origins.of_settings([{"data": "x"}, {"replaced": given.replaced}])
    assert (stored.of(own), stored.source("library")) == ("library", "library")
    without = Origins.of_settings([{"data": "x"}])
    assert (Origins().replaced, without.of(own), without.source("library")) == (None, "bundled", "bundled")
