"""Fixtures and settings of all tests.

Hypothesis tries 16 examples per test, in CI the same ones every time, and 100 in ``make nightly``. The texts that a
test records as the property "told" are printed after all tests.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from arcloom.engine import devices
from arcloom.engine.devices import auto

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a background job of a shell; tests send SIGINT
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "here", deadline=None, max_examples=16, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("ci", parent=settings.get_profile("here"), derandomize=True)
settings.register_profile("nightly", parent=settings.get_profile("here"), max_examples=100)  # Hypothesis's default
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "here"))


CHROMIUM_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1200,900",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium, driven by Selenium. Tests that need it are skipped if it is not installed."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("needs chromium and chromedriver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*CHROMIUM_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    found.implicitly_wait(5)
    yield found
    found.quit()


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset the state of the device ``auto`` to that of a new process."""
    monkeypatch.setattr(auto, "_engine_is_loaded", lambda: False)
    monkeypatch.setitem(devices._open, "auto", auto.Auto())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for report in terminalreporter.getreports("passed"):
        for text in (text for name, text in report.user_properties if name == "told"):
            terminalreporter.write_line(text)
