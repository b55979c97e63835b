"""The store: an SQLite file with programs, their scores and ancestry, and the runs that found them."""

from arcloom.store.records import (
    Attempt,
    Delta,
    Descent,
    Entry,
    Listed,
    Member,
    ProgramText,
    Run,
    Session,
    Step,
    StoredScore,
    TaskKey,
    TaskRecord,
    Vote,
    installed_versions,
)
from arcloom.store.store import Store, StoreError, default_path

__all__ = [
    "Attempt",
    "Delta",
    "Descent",
    "Entry",
    "Listed",
    "Member",
    "ProgramText",
    "Run",
    "Session",
    "Step",
    "Store",
    "StoreError",
    "StoredScore",
    "TaskKey",
    "TaskRecord",
    "Vote",
    "default_path",
    "installed_versions",
]
