"""Make the images of the README and of these pages from a real run: ``make images``.

    python docs/images/make.py [FOLDER]

FOLDER is the --out folder of a search on arcagi:training; without it, a search of three minutes is run first. The
images are screenshots of Chromium and need the extra "dev".
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from rich.console import Console
from selenium import webdriver

import arcloom
from arcloom.cli.language import catalogue
from arcloom.report.page import report_page
from arcloom.report.run_data import RunData, latest_run
from arcloom.report.terminal import TraceView
from arcloom.report.trace import trace_program
from arcloom.store import Store
from arcloom.studio.search import Search
from arcloom.studio.server import Server, Studio
from arcloom.studio.workbench import Workbench

HERE = Path(__file__).parent
SEARCH = "solve --data arcagi:training --hide-own --budget 3m --profile --out"
FLAGS = "--headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1.5 --no-first-run"
TASK = "08ed6ac7"
PROGRAM = f"""def solve_{TASK}(I):
    x1 = objects(I, T, F, T)
    x2 = argmin(x1, size)
    x3 = recolor(4, x2)
    O = paint(I, x3)
    return O
"""

REMEMBER = """localStorage.setItem("arcloom.task.arcagi:training", arguments[0]);
localStorage.setItem("arcloom.program." + arguments[0], arguments[1]);"""
"""Opens a task with a program when the workbench is loaded the next time."""


def searched() -> Path:
    """The folder of a new search."""
    folder = Path(tempfile.mkdtemp()) / "results"
    subprocess.run([sys.executable, "-m", "arcloom", *SEARCH.split(), str(folder)], check=True)
    return folder


def save_trace(driver: Any) -> None:
    """Take a picture of a trace as a terminal shows it."""
    [program] = arcloom.parse(PROGRAM)
    task = arcloom.load("arcagi:training")[TASK]
    console = Console(file=io.StringIO(), width=88, record=True, force_terminal=True, color_system="truecolor")
    console.print(TraceView(trace_program(program, task, source=PROGRAM), samples=[0]))
    text = console.export_svg(title=f"arcloom trace mine.py {TASK}")
    drawing = re.sub(r"@font-face {.*?}", "", text, flags=re.DOTALL)  # the fonts would be loaded from elsewhere
    width, height = (round(float(side)) for side in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    page = Path(tempfile.mkdtemp()) / "trace.html"
    page.write_text(f'<body style="margin:0">{drawing}', encoding="utf-8")
    save_view(driver, page.as_uri(), "trace.png", width, height)


def browser() -> Any:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS.split(), f"--user-data-dir={tempfile.mkdtemp()}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def save_report(driver: Any, folder: Path) -> None:
    """Take pictures of the overview and of a task of a report."""
    page = Path(tempfile.mkdtemp()) / "report.html"
    with Store.open(folder / "library.sqlite", must_exist=True) as store:
        data = RunData(store, latest_run(store))
        page.write_text(report_page(data), encoding="utf-8")
        solved = [one.task.id for one in data.results if one.state == "solved"]
    save_view(driver, page.as_uri(), "report.png", 1240, 1100)
    save_view(driver, f"{page.as_uri()}#task/{TASK if TASK in solved else solved[0]}", "task.png", 1240, 1440)


def save_studio(driver: Any) -> None:
    """Take a picture of the workbench with a program that is not right yet."""
    folder = Path(tempfile.mkdtemp())
    server = Server(Studio(Workbench(catalogue(), library=folder / "library.sqlite"), Search(folder)), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    driver.get(server.address)
    driver.execute_script(REMEMBER, TASK, PROGRAM)
    save_view(driver, server.address, "studio.png", 1240, 1080)
    server.shutdown()


def save_view(driver: Any, address: str, name: str, width: int, height: int) -> None:
    """Take a picture of a page when everything that is visible has been drawn."""
    driver.set_window_size(width, height)
    missing = height - driver.execute_script("return innerHeight")
    driver.set_window_size(width, height + missing)
    driver.get("about:blank")
    driver.get(address)
    driver.execute_async_script("setTimeout(arguments[0], 1500)")
    driver.save_screenshot(str(HERE / name))


def main(folder: Path) -> None:
    """Make all images."""
    driver = browser()
    try:
        save_trace(driver)
        save_studio(driver)
        save_report(driver, folder)
    finally:
        driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else searched())
