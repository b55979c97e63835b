"""Misbehaving clients of the studio and of the judge service: each gets an answer or none, and others are served."""

import json
import logging
import random
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from arcloom import notices
from arcloom.cli.language import catalogue
from arcloom.scoring.requests import Requests
from arcloom.scoring.result import Settings
from arcloom.service.server import server_of
from arcloom.studio.search import Search
from arcloom.studio.server import Server, Studio
from arcloom.studio.workbench import Workbench
from arcloom.tasks.load import load
from common import Fault, main

TASK = {
    "id": "mirror",
    "train": [{"input": [[1, 2]], "output": [[2, 1]]}],
    "test": [{"input": [[3, 4, 0]], "output": [[0, 4, 3]]}],
}
PROGRAM = "def solve(I):\n    x1 = vmirror(I)\n    return x1\n"
PATHS = (
    "/", "/run", "/judge", "/judge/lines", "/health", "/api/tasks", "/api/task", "/api/search", "/api/run",
    "/api/run/task", "/api/trace", "/api/save", "/api/search/stop", "/api/search/start", "//", "*", "/%00", "http://[",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", "mirror", "a\ud800", "\x00", PROGRAM, PROGRAM * 50, "x = power(rot90, 9999)(I)\n",
    "def solve(I):\n    return " + "(" * 500 + "I", [], [[]], {}, TASK, {"train": []}, {**TASK, "train": [{}]}, [TASK],
)  # fmt: skip
KEYS = ("source", "task", "data", "id", "program", "budget", "mode", "hide_own", "outputs")
HEADERS = (
    "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 5\r\nContent-Length: 7",
    "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Host: example.org", "Host: [", "Host:",
    "Cookie: arcloom_token=\x01; =; ;;;\"", "Origin: null", "Expect: 100-continue", "Connection: Upgrade, close",
    "X: " + "y" * 70_000, "\r\n".join(f"X{k}: y" for k in range(300)), "no colon", ": ", "\xff: \xfe",
    "Sec-Fetch-Site: x",
)  # fmt: skip
MOST_AT_ONCE = 60
"""Connections that a client opens and leaves open."""


@cache
def servers() -> tuple[tuple[int, str, bytes], ...]:
    """Both servers: the port, the token, and a request that is answered with status 200."""
    folder = Path(tempfile.mkdtemp(prefix="arcloom-fuzz-"))
    (folder / "tasks.json").write_text(json.dumps({"mirror": TASK}), encoding="utf-8")
    bench = Workbench(catalogue(), [str(folder / "tasks.json")], folder / "library.sqlite")
    studio = Server(Studio(bench, Search(folder / "run")), "127.0.0.1", 0)
    threading.Thread(target=studio.serve_forever, daemon=True).start()
    service = server_of(Requests(load(folder / "tasks.json")), Settings("reference"), 0)
    listening = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=service.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not service.started:
        time.sleep(0.01)
    judged = json.dumps({"task": "mirror", "program": PROGRAM}).encode()
    return (
        (studio.server_address[1], studio.studio.token, b"GET /api/search HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (
            listening.getsockname()[1],
            "",
            b"POST /judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(judged) + judged,
        ),
    )


class _Logged(logging.Handler):
    """Keeps what the event loop reports: errors that nothing has caught."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message with its traceback."""
        self.texts.append(self.format(record))


LOGGED = _Logged()
logging.getLogger("asyncio").addHandler(LOGGED)


def request(chance: random.Random, token: str) -> bytes:
    """A request that is right but for some parts."""
    keys = chance.sample(KEYS, chance.randint(0, len(KEYS)))
    content: Any = {key: chance.choice(VALUES) for key in keys}
    if chance.random() < 0.1:
        content = chance.choice(VALUES)
    body = json.dumps(content).encode()
    path = chance.choice(PATHS)
    if path == "/api/search/start":  # which would begin a search
        body = b"{}"
    if chance.random() < 0.4:
        path += "?" + "&".join(f"{key}={chance.choice(('mirror', '%ff', 'a', ''))}" for key in ("data", "id", "data"))
    lines = [f"{chance.choice(('GET', 'POST', 'POST', 'PUT', 'HEAD', 'get', ''))} {path} HTTP/1.1"]
    lines += ["Host: localhost", f"X-Arcloom-Token: {token}", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}"]
    for _ in range(chance.choice((0, 0, 1, 2))):
        lines.insert(chance.randint(1, len(lines)), chance.choice(HEADERS))
    data = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
    if chance.random() < 0.2:
        at = chance.randrange(len(data))
        data = data[:at] + chance.choice((b"", b"\0", b"\r\n\r\n", b"\xff" * 9, data[:at])) + data[at + 3 :]
    return data


def sent_whole(connection: socket.socket, data: bytes, chance: random.Random) -> bytes:
    """The answer to bytes, after which the client sends no more."""
    connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)
    answer = b""
    while part := connection.recv(1 << 16):
        answer += part
    return answer


def sent_in_part(connection: socket.socket, data: bytes, chance: random.Random) -> bytes:
    """Send a part of the bytes, and go away."""
    connection.sendall(data[: chance.randrange(len(data))])
    return b""


def not_read(connection: socket.socket, data: bytes, chance: random.Random) -> bytes:
    """Send the bytes often, and read no answer."""
    connection.settimeout(0.2)
    connection.sendall(data * 20)
    return b""


WAYS: tuple[Callable[[socket.socket, bytes, random.Random], bytes], ...] = (
    sent_whole, sent_whole, sent_whole, sent_in_part, not_read,
)  # fmt: skip


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Misbehave, and then ask something as a good client."""
    port, token, good = chance.choice(servers())
    before = len(notices._said)
    LOGGED.texts.clear()
    idle = chance.randint(1, MOST_AT_ONCE) if chance.random() < 0.05 else 0
    opened = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(idle)]
    for _ in range(5):
        data = request(chance, token)
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 20) as connection:
            check(chance.choice(WAYS)(connection, data, chance), data, counts)
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(good)
        answer = connection.recv(1 << 16)
    for connection in opened:
        connection.close()
    if b" 200 " not in answer.split(b"\r\n")[0]:
        raise Fault(f"a good request gets {answer[:300]!r}")
    if len(notices._said) > before:
        raise Fault(f"a message was shown: {notices._said}")
    if LOGGED.texts:
        raise Fault("\n".join(LOGGED.texts))


def check(answer: bytes, data: bytes, counts: Counter[str]) -> None:
    """The answer, if there is one, says what is wrong with the request."""
    status = answer.split(b" ")[1][:3].decode("latin-1") if answer.startswith(b"HTTP/1.") else "none"
    counts[f"status {status}"] += 1
    if status.startswith("5") and status not in ("501", "505"):
        raise Fault(f"{data[:3_000]!r}\ngets {answer[:2_000]!r}")


if __name__ == "__main__":
    main(case, __doc__)
