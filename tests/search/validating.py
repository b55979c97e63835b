"""A process that validates until it is ended, for ``test_validate.py``: it tells the pids of its workers first."""

import sys
import time

from arcloom.engine.run import run
from arcloom.program.parse import parse_one
from arcloom.search.review.validate import Validator


def main(ending: str) -> None:
    """Start workers, tell of them, and then end in one of several ways."""
    samples = [{"I": ((1, 2), (3, 4))}]
    results = run([parse_one("O = trim(I)")], samples, device="reference")
    with Validator(2) as validator:
        validator.validate(results, samples)
        assert validator._pool is not None
        print(*validator._pool._processes, flush=True)
        if ending == "wait":
            time.sleep(60)
        if ending == "error":
            raise SystemExit("told so")


if __name__ == "__main__":
    main(sys.argv[1])
