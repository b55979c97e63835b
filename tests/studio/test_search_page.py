"""A search in a browser is started, watched, stopped and continued. Each step waits for a state."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arcloom.store import Store

from .conftest import TASK, Client

PATIENCE = 500
"""Time limit for a state, in seconds. A search first compiles kernels if they are not in the cache."""

NOISE = {
    "train": [{"input": [[1, 2], [3, 4]], "output": [[7, 7, 1], [0, 3, 8]]}, {"input": [[5]], "output": [[9, 2]]}],
    "test": [{"input": [[4, 1]], "output": [[6, 3, 3, 1]]}],
}
"""A task that no program solves, so that the search runs until it is stopped."""


@pytest.fixture
def page(browser: Any, client: Client, tmp_path: Path) -> Any:
    """A browser that shows the page for searches, with one solvable and one unsolvable task."""
    (tmp_path / "tasks.json").write_text(json.dumps({"mirror": TASK, "noise": NOISE}), encoding="utf-8")
    browser.get_log("browser")
    browser.get(f"http://127.0.0.1:{client.port}/run")
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    return browser


def wait(browser: Any, condition: str) -> None:
    """Wait until an expression of JavaScript is true."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(f"return Boolean({condition})"))


def press(browser: Any, id: str) -> None:
    wait(browser, f"document.getElementById('{id}')?.checkVisibility()")
    browser.find_element("css selector", f"#{id}").click()


def shown(browser: Any, selector: str) -> Callable[[], str]:
    return lambda: str(browser.execute_script("return document.querySelector(arguments[0])?.innerText", selector))


def test_a_search_is_started_watched_stopped_and_continued(page: Any, client: Client, tmp_path: Path) -> None:
    assert "No run yet" in shown(page, "#main")()
    page.execute_script("document.getElementById('budget').value = ''")
    page.find_element("css selector", "#budget").send_keys("1h")
    press(page, "start")
    wait(page, "searching.running && document.getElementById('stop').checkVisibility()")
    wait(page, "document.querySelectorAll('.tile').length === 2")
    wait(page, "document.querySelector('.tile.solved')?.href.endsWith('mirror')")
    assert shown(page, ".great strong")() == "1"
    assert page.execute_script("return run.status") == "running"
    page.find_element("css selector", ".tile.solved").click()
    wait(page, "document.querySelector('h1')?.innerText.includes('mirror') && document.querySelector('.trace canvas')")
    page.execute_script("location.hash = ''")
    press(page, "stop")
    wait(page, "!searching.running && document.getElementById('resume').checkVisibility()")
    assert client.ask("/api/search")[1]["problem"] == ""
    page.refresh()
    wait(page, "run.status === 'finished' && document.querySelector('.tile.solved')")
    with Store.open(tmp_path / "run" / "library.sqlite", must_exist=True) as store:
        assert any(listed.score and listed.score.is_solution for listed in store.listed())
    press(page, "resume")
    wait(page, "searching.running && run.status === 'running' && run.sessions.length === 2")
    assert shown(page, ".great strong")() == "1"
    press(page, "stop")
    wait(page, "!searching.running")
    assert (tmp_path / "run" / "submission.json").exists()
    assert page.get_log("browser") == []
