"""What all tests share: how many examples Hypothesis tries. In CI it tries the same ones every time.

What a test records as the property "told" is printed after the tests.
"""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from arcloom.engine import devices
from arcloom.engine.devices import auto

settings.register_profile(
    "here", deadline=None, max_examples=16, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile("ci", parent=settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the device ``auto`` choose as in a process that has run nothing yet."""
    monkeypatch.setattr(auto, "_engine_is_loaded", lambda: False)
    monkeypatch.setitem(devices._open, "auto", auto.Auto())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for report in terminalreporter.getreports("passed"):
        for text in (text for name, text in report.user_properties if name == "told"):
            terminalreporter.write_line(text)
