"""Fuzz commands with invalid arguments: each ends with a message and a documented exit code."""

import json
import os
import random
import socket
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from arcloom.cli import app
from common import Fault, main

PROGRAM = "def solve_68b16354(I):\n    return hmirror(I)\n"
TASK = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}
CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "good.py": PROGRAM.encode(),
    "good.json": json.dumps({"a": TASK}).encode(),
    "submission.json": json.dumps({"a": [{"attempt_1": [[1]], "attempt_2": [[2]]}]}).encode(),
    "binary": bytes(range(256)) * 40,
    "latin.py": PROGRAM.replace("hmirror(I)", "hmirror(I)  # \u00fcber").encode("latin-1"),
    "utf16.json": json.dumps({"a": TASK}).encode("utf-16"),
    "nul.py": b"def f(I):\n    return I\x00\n",
    "crlf.py": PROGRAM.replace("\n", "\r\n").encode(),
    "bom.json": b"\xef\xbb\xbf" + json.dumps({"a": TASK}).encode(),
    "cut.json": json.dumps({"a": TASK}).encode()[:-7],
    "deep.json": b"[" * 100_000 + b"]" * 100_000,
    "deep objects.json": b'{"train":' * 5_000 + b"1" + b"}" * 5_000,
    "deep.py": b"x = " + b"(" * 5_000 + b"I" + b")" * 5_000 + b"\n",
    "deep calls.py": b"x = " + b"rot90(" * 3_000 + b"I" + b")" * 3_000 + b"\n",
    "deep blocks.py": b"def f(I):\n" + b"".join(b" " * k + b"if I:\n" for k in range(1, 120)),
    "minus.py": b"x = " + b"-" * 50_000 + b"1\n",
    "number.json": b'{"a": {"train": [{"input": [[' + b"9" * 10_000 + b"]]}]}}",
    "number.py": b"x = add(I, " + b"9" * 10_000 + b")\n",
    "float.json": b'{"a": {"train": [{"input": [[1e400]], "output": [[NaN]]}], "test": []}}',
    "wide.json": json.dumps({"a": {"train": [{"input": [[1] * 100_000], "output": [[1]]}], "test": []}}).encode(),
    "names.json": json.dumps({"": TASK, "../x": TASK, "a\nb\u202e\x1b[31m": TASK, "x" * 5_000: TASK}).encode(),
    "surrogate.json": b'{"\\ud800": ' + json.dumps(TASK).encode() + b"}",
    "twice.json": b'{"a": 1, "a": 2}',
    "list.json": b"[1, 2, 3]",
    "null.json": b"null",
    "string.json": b'"text"',
    "requests.jsonl": b'{"task": "a", "program": 7}\n[]\n{"task": ["a"]}\n\xff\n{"id": {}, "program": ""}\nnull\n',
    "fake.sqlite": b"SQLite format 3\x00" + b"\x07" * 5_000,
    "solve.pkl": b"\x80\x04cos\nsystem\n.",
}

NAMES = (
    "missing", "missing/below", "folder", "empty folder", "loop", "dangling", "socket", "/dev/null", "/dev/full",
    "good.py/below", "n" * 300, "-", "", "a\udcff", "~", "*", "arcagi:", "arcagi:nothing", "arcagi:training:x", "@",
    "/proc/self/mem", "/proc/1/environ", "readonly",
)  # fmt: skip
"""Names of missing and special files, in addition to the files of CONTENTS."""

WORDS = (
    "0",
    "-1",
    "1e3",
    "99999999999999999999999",
    "nan",
    "\u0661",
    "",
    " ",
    "a",
    "\x00b",
    "--",
    "5s",
    "1/2",
    "train[0]",
)

FORMS = """\
check F
check F F
check F --data F --strict
check F --limit W
check F --device W
check F --prefix W
check F --max-side W
show F
show W --data F
show a --data F --out O
show F --out F
trace F W
trace F W --data F
trace --run F W
trace F a --data F --html O
trace F a --data F --sample W
report F
report F --html F
report F --run W
report F --data F --programs W
library list --library F
library list --limit W
library list --task W --library F
library show W --library F
library import F --library O
library import F --data F --library O
library export F --library F
library export O --library F
library merge F F --into O
library merge F --into F
library check --library F
library check --repair --library F
submission merge F F --into O
submission merge F --into F
submission merge F F --into O --prefer W
differs F
differs F --source
conform F --device reference
conform F --limit W
judge F --data F
judge F --data F --device W
judge F --budget W
judge --serve W
bench F --data F --against F
dsl W
dsl --takes W
dsl --gives W W
solve --data B --budget W --out O
solve --data B --memory W
solve --data B --shard W
solve --data B --workers W --out F
solve --data B --seed W --generations W
solve --data B --out F --budget 1s
solve --data B --differs F --budget 0s
solve --data B --device W
solve --data B --resume --out F
profile --data B --budget W
profile --data B --out F
kaggle-kit folder --no-download
kaggle-kit good.py --hours W
kaggle-kit folder --python W
W
W W
""".splitlines()
"""Commands. F stands for a file, B for a file without valid tasks, O for an output file, and W for a word."""

TASKS = ("good.json", "bom.json", "names.json", "surrogate.json", "folder")
"""Files with valid tasks, on which a search would start."""


@cache
def folder() -> Path:
    """A folder with all files."""
    made = Path(tempfile.mkdtemp(prefix="arcloom-fuzz-"))
    for name, content in CONTENTS.items():
        (made / name).write_bytes(content)
    for name in ("folder", "empty folder", "readonly"):
        (made / name).mkdir()
    for name in ("good.json", "deep.json", "binary", "cut.json"):
        (made / "folder" / f"{name}.json").write_bytes(CONTENTS[name])
    (made / "readonly").chmod(0o500)
    (made / "loop").symlink_to("loop")
    (made / "dangling").symlink_to("nowhere")
    os.mkfifo(made / "folder" / "pipe.json")
    with socket.socket(socket.AF_UNIX) as served:
        served.bind(str(made / "socket"))
    return made


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Run a command in the folder."""
    os.chdir(folder())
    with tempfile.TemporaryDirectory(prefix="arcloom-fuzz-") as name:
        made: dict[str, Callable[[], str]] = {
            "F": lambda: chance.choice((*NAMES, *CONTENTS)),
            "B": lambda: chance.choice([name for name in (*NAMES, *CONTENTS) if name not in TASKS]),
            "O": lambda: str(Path(name, "out")),
            "W": lambda: chance.choice(WORDS),
        }
        words = [made[word]() if word in made else word for word in chance.choice(FORMS).split()]
        check(words, CliRunner().invoke(app, words, input="{}\n"), counts)


def check(words: list[str], result: Any, counts: Counter[str]) -> None:
    """Raise Fault unless the exit code is a documented one, with a message if it is not 0."""
    counts[f"exit code {result.exit_code}"] += 1
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise Fault(f"{words}: {result.exception!r}") from result.exception
    if result.exit_code not in (0, 1, 2, 130) or "Traceback" in result.output:
        raise Fault(f"{words}: exit code {result.exit_code}\n{result.output}")
    if result.exit_code and not result.output.strip():
        raise Fault(f"{words}: exit code {result.exit_code} without a message")


if __name__ == "__main__":
    main(case, __doc__)
