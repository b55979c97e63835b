"""Write down anew what the golden programs give: ``python -m tests.golden.regenerate``.

Look at the difference before you keep it: each line of the file is one program, and each change a change of meaning.
"""

import json

from . import OUTCOMES, outcomes, programs


def main() -> None:
    """Overwrite the recorded outcomes."""
    lines = [f"{json.dumps(p.name)}: {json.dumps(outcomes(p), separators=(',', ':'))}" for p in programs()]
    OUTCOMES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
