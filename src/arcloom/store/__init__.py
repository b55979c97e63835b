"""The store: programs, what they are worth, where they come from, and the runs that found them, in one SQLite file."""

from arcloom.store.records import (
    Attempt,
    Descent,
    Entry,
    Generation,
    Listed,
    Resumed,
    Run,
    Score,
    TaskKey,
    installed_versions,
)
from arcloom.store.store import Store, StoreError, default_path

__all__ = [
    "Attempt",
    "Descent",
    "Entry",
    "Generation",
    "Listed",
    "Resumed",
    "Run",
    "Score",
    "Store",
    "StoreError",
    "TaskKey",
    "default_path",
    "installed_versions",
]
