"""Records the outcomes of the golden programs again: ``python -m tests.golden.regenerate``.

Review the diff before you commit it: each line of the file is one program, and each changed line is a change of the
language.
"""

import json

from . import OUTCOMES, outcomes, programs


def main() -> None:
    """Overwrite the recorded outcomes."""
    lines = [f"{json.dumps(p.name)}: {json.dumps(outcomes(p), separators=(',', ':'))}" for p in programs()]
    OUTCOMES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
