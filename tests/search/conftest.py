"""Fixtures of the tests of the search."""

import pytest

from arcloom.tasks.task import Dataset
from search.small import MIRROR, PAINT, RIDDLE


@pytest.fixture
def dataset() -> Dataset:
    """A task that a mirror solves, one that other colours solve, and one that nothing solves."""
    return Dataset("small", (MIRROR, PAINT, RIDDLE))
