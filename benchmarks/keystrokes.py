"""Measure the time from a keystroke in the studio to the picture of every line, in Chromium.

    python benchmarks/keystrokes.py [--tasks 40]

Bundled programs are opened on their own tasks with an additional line that mirrors the output. In this line, "hmirror"
is changed to "vmirror" and back, key by key, so that each keystroke changes the picture. The time is measured from the
key event to the end of the frame in which the values are drawn. Needs Chromium, its driver and the extra "dev".
"""

import argparse
import shutil
import statistics
import tempfile
import threading
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from arcloom.cli.language import catalogue
from arcloom.library import bundled
from arcloom.program.print import to_text
from arcloom.studio.search import Search
from arcloom.studio.server import Server, Studio
from arcloom.studio.workbench import Workbench

DATA = "arcagi:training"
KEYS = (Keys.BACKSPACE, "v", Keys.BACKSPACE, "h") * 3
PATIENCE = 60
"""Time limit for a picture, in seconds."""

OPEN = """localStorage.setItem("arcloom.program." + arguments[0], arguments[1]);
performance.clearMarks();
openTask(arguments[0]);"""
DRAWN = "return performance.getEntriesByName('picture').length"
TIME = """const [from] = performance.getEntriesByName("keystroke"), [to] = performance.getEntriesByName("picture");
return to && from && to.startTime > from.startTime ? to.startTime - from.startTime : null;"""


def browser() -> Any:
    """Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1440,900", "--no-first-run")
    for flag in (*flags, f"--user-data-dir={tempfile.mkdtemp()}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def typed(driver: Any, id: str, text: str) -> list[float]:
    """Milliseconds from each keystroke in a program to its picture."""
    wait = WebDriverWait(driver, PATIENCE, poll_frequency=0.05)
    driver.execute_script(OPEN, id, text)
    wait.until(lambda _: driver.execute_script("return state.task?.id") == id and driver.execute_script(DRAWN))
    editor = driver.find_element("css selector", "#source")
    driver.execute_script(
        "source.focus(); source.setSelectionRange(arguments[0], arguments[0])", text.rindex("mirror(")
    )
    times = []
    for key in KEYS:
        editor.send_keys(key)
        times.append(float(wait.until(lambda _: driver.execute_script(TIME))))
    return times


def mirrored(text: str) -> str:
    """The program with an additional line that mirrors its output."""
    before, _, result = text.rstrip().rpartition("    return ")
    return f"{before}    P = hmirror({result})\n    return P\n"


def main(count: int) -> None:
    """Print the median, the 95th percentile and the maximum of the times, and the slowest programs."""
    programs = bundled()[:: max(1, len(bundled()) // count)]
    server = Server(Studio(Workbench(catalogue()), Search(Path(tempfile.mkdtemp()))), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    driver = browser()
    try:
        driver.get(server.address)
        WebDriverWait(driver, PATIENCE).until(lambda _: driver.execute_script(DRAWN))
        found = {
            id: typed(driver, id, mirrored(to_text(program)))
            for program in programs
            for id in [program.name.removeprefix("solve_")]
        }
    finally:
        driver.quit()
        server.shutdown()
    times = sorted(time for one in found.values() for time in one)
    print(f"{len(times)} keystrokes in {len(found)} programs: median {statistics.median(times):.0f} ms, ", end="")
    print(f"95 % within {times[int(len(times) * 0.95)]:.0f} ms, longest {times[-1]:.0f} ms")
    slowest = sorted(found, key=lambda id: -statistics.median(found[id]))[:5]
    print("slowest programs:", ", ".join(f"{id} {statistics.median(found[id]):.0f} ms" for id in slowest))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=40, help="number of programs")
    main(parser.parse_args().tasks)
