"""Fixtures of the tests of the search."""

import pytest

from arcloom.tasks.task import Dataset
from search.small import MIRROR, PAINT, RIDDLE


@pytest.fixture
def dataset() -> Dataset:
    """Three tasks: one is solved by a mirror image, one by recolouring, and one by no program."""
    return Dataset("small", (MIRROR, PAINT, RIDDLE))
