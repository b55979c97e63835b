"""Reports and traces in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arcloom
from arcloom.report.page import report_page, trace_page
from arcloom.report.run_data import RunData, latest_run
from arcloom.report.trace import trace_program
from arcloom.store import Store

from .runs import EVIL, stored


@pytest.fixture
def report(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """A browser that shows a report. The page must not write to the console or load anything."""
    folder = stored(tmp_path)
    with Store.open(folder / "library.sqlite") as store:
        (tmp_path / "report.html").write_text(report_page(RunData(store, latest_run(store))), encoding="utf-8")
    browser.get((tmp_path / "report.html").as_uri())
    browser.execute_script("localStorage.clear(); setCells('plain')")
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def texts(browser: Any, selector: str) -> list[str]:
    found = "return [...document.querySelectorAll(arguments[0])].map(element => element.innerText)"
    return list(browser.execute_script(found, selector))


def count(browser: Any, selector: str) -> int:
    return int(browser.execute_script("return document.querySelectorAll(arguments[0]).length", selector))


def press(browser: Any, key: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).send_keys(getattr(Keys, key, key)).perform()


def heading(browser: Any, text: str) -> bool:
    """Wait until the page has this heading."""
    from selenium.webdriver.support.wait import WebDriverWait

    return bool(WebDriverWait(browser, 10).until(lambda found: any(text in one for one in texts(found, "h1"))))


def test_the_overview(report: Any) -> None:
    assert texts(report, ".great") == ["1\nof 4 tasks solved"]
    assert texts(report, ".state-row strong") == ["1", "1", "1", "1", "1"]
    assert count(report, ".tile") == 5
    assert count(report, ".tile.solved") == 1
    assert count(report, "img") == 0
    assert EVIL in report.find_element("css selector", ".tile.found").get_attribute("aria-label")
    assert count(report, ".curve .line") == 2


def test_filters(report: Any) -> None:
    report.find_element("css selector", ".chip.wrong").click()
    assert count(report, ".tile") == 1
    report.find_element("css selector", ".chip.open").click()
    assert count(report, ".tile") == 2
    for chip in report.find_elements("css selector", ".chip[aria-pressed='true']"):
        chip.click()
    report.find_element("css selector", "#search").send_keys("MIRR")
    assert count(report, ".tile") == 1
    assert texts(report, "[role='status']") == ["1 of 5 tasks"]


def test_figures_lead_to_tasks(report: Any) -> None:
    report.find_element("css selector", ".state-row.wrong").click()
    assert count(report, ".tile") == 1
    assert texts(report, ".chip[aria-pressed='true']") == ["✗ wrong 1"]
    report.find_element("css selector", ".figures .link").click()
    assert count(report, ".tile") == 3
    assert texts(report, "[role='status']") == ["3 of 5 tasks"]
    press(report, "ARROW_RIGHT")
    assert "mirror" in texts(report, ".peek")[0]


def test_a_task(report: Any) -> None:
    report.find_element("css selector", ".tile.wrong").click()
    assert heading(report, "turned")
    assert any("4 wrong" in text for text in texts(report, ".answer figcaption"))
    assert texts(report, ".trace .code")[0] == "O = vmirror(I)"
    assert count(report, "canvas") > 8
    report.execute_script("location.hash = '#task/' + encodeURIComponent(arguments[0])", EVIL)
    assert heading(report, EVIL)
    assert count(report, "img") == 0
    assert count(report, "ins") > 0


def test_the_keyboard(report: Any) -> None:
    press(report, "ARROW_RIGHT")
    press(report, "ARROW_RIGHT")
    press(report, "ENTER")
    assert heading(report, "turned")
    press(report, "ARROW_LEFT")
    assert heading(report, "mirror")
    press(report, "d")
    assert report.execute_script("return settings.cells") == "digits"
    press(report, "ESCAPE")
    assert heading(report, "Run on")
    press(report, "/")
    press(report, "open")
    assert count(report, ".tile") == 1
    assert report.execute_script("return settings.cells") == "digits"


def test_themes_and_narrow_windows(report: Any) -> None:
    report.find_element("css selector", "[data-theme-choice='dark']").click()
    dark = report.execute_script("return getComputedStyle(document.body).backgroundColor")
    report.find_element("css selector", "[data-theme-choice='light']").click()
    assert report.execute_script("return getComputedStyle(document.body).backgroundColor") != dark
    report.set_window_size(500, 900)
    try:
        assert report.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        report.execute_script("location.hash = '#task/turned'")
        assert heading(report, "turned")
        assert report.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    finally:
        report.set_window_size(1200, 900)


def test_a_trace(browser: Any, tmp_path: Path) -> None:
    source = (
        "def solve(I):\n    f = compose(size, first)\n    x = objects(I, T, F, T)\n    y = first(x)\n    return I\n"
    )
    [program] = arcloom.parse(source)
    task = arcloom.load("arcagi:training")["08ed6ac7"]
    (tmp_path / "trace.html").write_text(trace_page(task, [trace_program(program, task, source=source)]))
    browser.get((tmp_path / "trace.html").as_uri())
    assert texts(browser, ".trace .type") == ["function", "set[object]", "object", "grid"]
    assert count(browser, ".trace .expected canvas") == 3
    assert browser.get_log("browser") == []
    drawn = "const c = document.querySelector('.value.wrong canvas'); return c.width > 50 && c.mode !== undefined"
    assert browser.execute_script(drawn)
