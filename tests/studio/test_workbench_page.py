"""The workbench in a browser: typing, completion, errors, the first difference, and painting."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Client


@pytest.fixture
def bench(browser: Any, client: Client) -> Any:
    """A browser that shows the workbench with its first task."""
    browser.get_log("browser")
    browser.get(f"http://127.0.0.1:{client.port}/")
    browser.execute_script("localStorage.clear()")
    wait(browser, lambda: browser.execute_script("return document.querySelectorAll('#traced .trace').length === 1"))
    return browser


def wait(browser: Any, condition: Callable[[], object]) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 20).until(lambda _: condition())


def text_of(browser: Any, selector: str) -> str:
    """The current text of the first matching element; empty if there is none."""
    return str(browser.execute_script("return document.querySelector(arguments[0])?.innerText || ''", selector))


def write(browser: Any, text: str) -> None:
    browser.execute_script("source.value = arguments[0]; edited(); source.focus()", text)


def test_typing_shows_values_errors_and_the_difference(bench: Any) -> None:
    wait(bench, lambda: text_of(bench, "#title") == "Program for mirror")
    write(bench, "def solve_mirror(I):\n    x1 = width(I)\n    return hmirror(I)\n")
    wait(bench, lambda: len(bench.find_elements("css selector", "#traced .value.wrong")) == 2)
    bench.execute_script("firstDifference()")
    wait(bench, lambda: bench.find_elements("css selector", "#traced .flash"))
    write(bench, "def solve_mirror(I):\n    x1 = widht(I)\n    return hmirror(I)\n")
    wait(bench, lambda: bench.find_elements("css selector", ".gutter .wrong"))
    assert text_of(bench, ".problem").startswith("line 2: widht is not defined")
    assert text_of(bench, ".gutter .wrong").strip() == "2"
    assert bench.get_log("browser") == []


def test_names_are_completed_and_explained(bench: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    write(bench, "def solve_mirror(I):\n    return ")
    editor = bench.find_element("css selector", "#source")
    editor.send_keys(Keys.CONTROL, Keys.END)
    editor.send_keys("vmirr", Keys.TAB, "(I")
    assert editor.get_attribute("value").endswith("    return vmirror(I")
    wait(bench, lambda: "vmirror(piece" in text_of(bench, ".signature"))
    editor.send_keys(")", Keys.ENTER)
    wait(bench, lambda: "2 of 2 known outputs are right" in text_of(bench, ".verdict"))


def test_a_task_is_painted(bench: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    bench.execute_script("drawTask()")
    wait(bench, lambda: bench.find_elements("css selector", ".editable"))
    bench.find_element("css selector", ".swatch:nth-child(8)").click()
    first = bench.find_element("css selector", ".editable")
    ActionChains(bench).move_to_element_with_offset(first, -25, -25).click().perform()
    text = bench.find_element("css selector", ".json").get_attribute("value")
    assert json.loads(text)["train"][0]["input"][0][0] == 7
    task = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[5]]}]}
    bench.execute_script("document.querySelector('.json').value = arguments[0]", json.dumps(task))
    [use] = [one for one in bench.find_elements("css selector", ".exchange button") if one.text == "use this text"]
    use.click()
    assert bench.execute_script("return state.task.test[0][0][0][0]") == 5
