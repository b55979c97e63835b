"""The service: its answers, and its robustness against misbehaving clients."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
import httpx

from arcloom.scoring.requests import Feed, Requests
from arcloom.scoring.result import Settings
from arcloom.service import app as app_module
from arcloom.service import server as server_module
from arcloom.service.server import server_of
from arcloom.tasks import Dataset, Pair, Task

MIRROR = Task("mirror", (Pair(((1, 2),), ((2, 1),)),), (Pair(((3, 4),), ((4, 3),)),))
RIGHT = {"task": "mirror", "program": "def solve(I):\n    return vmirror(I)"}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A client of a running service."""
    monkeypatch.setattr(server_module, "HEADER_SECONDS", 0.3)
    monkeypatch.setattr(app_module, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(app_module, "MAX_BODY", 100_000)
    server = server_of(Requests(Dataset("set", (MIRROR,))), Settings("reference"), 0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=20) as made:
            while not server.started:
                time.sleep(0.01)
            yield made
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def raw(client: httpx.Client, *parts: bytes) -> bytes:
    """The answer of the service to bytes on a new connection, until the service closes it."""
    with socket.create_connection(("127.0.0.1", client.base_url.port or 0), timeout=10) as connection:
        for part in parts:
            connection.sendall(part)
        answer = b""
        while data := connection.recv(65536):
            answer += data
        return answer


def test_one_program_is_judged(client: httpx.Client) -> None:
    answer = client.post("/judge", json=RIGHT)
    assert (answer.status_code, answer.json()["verdict"], answer.json()["reward"]) == (200, "right", 1.0)


def test_many_programs_are_judged_in_order(client: httpx.Client) -> None:
    lines = [json.dumps({**RIGHT, "id": k}) if k % 3 else "{" for k in range(1200)]
    answer = client.post("/judge/lines", content="\n".join(lines))
    answers = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [entry["index"] for entry in answers] == list(range(1200))
    assert all(("error" in entry) == (entry["index"] % 3 == 0) for entry in answers)
    assert answers[1]["id"] == 1


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"", 400, "not JSON"),
        (b"\xff\xfe\x00", 400, "not JSON"),
        (b"[" * 50_000, 400, "not JSON"),
        (b'{"task": "mirror"}', 400, "program must be a string"),
        (b'{"task": "miror", "program": ""}', 404, "set has no task 'miror'; did you mean mirror?"),
        (b'{"task": "' + b"x" * 3_000_000, 413, "a body of 3,000,010 bytes (at most 2,000,000)"),
    ],
)
def test_bad_requests_get_clear_errors(client: httpx.Client, content: bytes, status: int, message: str) -> None:
    answer = client.post("/judge", content=content)
    assert answer.status_code == status
    assert answer.json()["error"].startswith(message)
    assert client.post("/judge", json=RIGHT).json()["verdict"] == "right"


def test_a_body_without_a_declared_size_is_limited(client: httpx.Client) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    with suppress(httpx.WriteError, httpx.ReadError):  # the connection is closed while the client is still sending
        assert client.post("/judge/lines", content=endless()).status_code == 413
    assert client.get("/health").json()["status"] == "ok"


def test_clients_that_misbehave_do_no_harm(client: httpx.Client) -> None:
    head = b"POST /judge HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n"
    assert raw(client) == b""  # nothing is sent
    assert raw(client, b"POST /judge HT") == b""  # half a head
    assert b"408" in raw(client, head, b"{").split(b"\r\n")[0]  # half a body
    assert b"400" in raw(client, b"\0\0\0 nonsense\r\n\r\n").split(b"\r\n")[0]
    assert b"400" in raw(client, b"GET / HTTP/1.1\r\n" + b"a: " + b"x" * 100_000 + b"\r\n\r\n").split(b"\r\n")[0]
    with socket.create_connection(("127.0.0.1", client.base_url.port or 0)) as connection:
        connection.sendall(head + b'{"task"')  # then the client disconnects
    assert client.get("/nothing").status_code == 404
    assert client.get("/judge").status_code == 405
    assert client.post("/judge", json=RIGHT).json()["verdict"] == "right"


def test_clients_at_the_same_time_get_their_own_answers(client: httpx.Client) -> None:
    def ask(k: int) -> Any:
        with httpx.Client(base_url=client.base_url, timeout=20) as own:
            program = RIGHT["program"] if k % 2 else f"O = fill(I, {k}, asindices(I))"
            return own.post("/judge", json={"task": "mirror", "program": program, "id": k}).json()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(40)))
    assert [answer["id"] for answer in answers] == list(range(40))
    assert [answer["verdict"] for answer in answers] == ["wrong", "right"] * 20


def test_a_busy_service_refuses_requests(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Feed, "offer", lambda *_: False)
    answer = client.post("/judge", json=RIGHT)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


def test_an_exception_in_scoring_is_an_error_answer(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr("arcloom.scoring.batch.Scorer.__call__", broken)
        assert client.post("/judge", json=RIGHT).json()["error"] == "it could not be run: broken"
    assert client.post("/judge", json=RIGHT).json()["verdict"] == "right"


def test_health_and_metrics(client: httpx.Client) -> None:
    client.post("/judge", json=RIGHT)
    client.post("/judge", content=b"")
    health = client.get("/health").json()
    assert (health["status"], health["tasks"], health["waiting"]) == ("ok", 1, 0)
    lines = client.get("/metrics").text.splitlines()
    assert 'arcloom_programs_total{verdict="right"} 1' in lines
    assert 'arcloom_requests_total{path="/judge",status="400"} 1' in lines


def test_the_command_serves_and_stops_cleanly(tmp_path: Path) -> None:
    (tmp_path / "mirror.json").write_text('{"train": [{"input": [[1]], "output": [[1]]}], "test": []}')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "arcloom", "judge", "--data", str(tmp_path), "--device", "reference"]
        command += ["--serve", f"127.0.0.1:{port}"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 2
        assert "in use" in ended.stderr.splitlines()[-1]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert f"http://127.0.0.1:{port}" in process.stderr.readline()
        for _ in range(200):
            try:
                answer = httpx.post(f"http://127.0.0.1:{port}/judge", json=RIGHT)
                break
            except httpx.ConnectError:
                time.sleep(0.05)
        assert answer.json()["verdict"] == "right"
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == "arcloom: stopped\n"


@pytest.mark.parametrize("id", ["NaN", "-Infinity", "1e999", '"\\ud800"', "[[NaN]]"])
def test_ids_that_are_no_valid_json_are_refused(client: httpx.Client, id: str) -> None:
    body = f'{{"id": {id}, "task": "mirror", "program": "def f(I):\\n    return I"}}'
    answer = client.post("/judge", content=body)
    assert answer.status_code == 400 and "id must be without" in answer.json()["error"]
    [line] = client.post("/judge/lines", content=body).text.splitlines()
    assert "id must be without" in json.loads(line)["error"]


@pytest.mark.parametrize("program", ["def f(I):\n    return \ud800(I)", "x = '\udfff'", "# \ud800\nx = rot90(I)"])
def test_surrogates_in_a_program_are_answered(client: httpx.Client, program: str) -> None:
    answer = client.post("/judge", content=json.dumps({"task": "mirror", "program": program}))
    assert answer.status_code == 200 and answer.json()["verdict"] in ("unparsable", "wrong")


def test_stopping_beside_a_client_that_sends_half_a_request_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server_module, "STOP_SECONDS", 1)
    server = server_of(Requests(Dataset("set", (MIRROR,))), Settings("reference"), 0)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        with socket.create_connection(listening.getsockname(), timeout=20) as stalled:
            stalled.sendall(b"POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            while not server.server_state.tasks:
                time.sleep(0.01)
            server.should_exit = True
            thread.join(60)
    assert not thread.is_alive() and capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "head", ["HEAD /health HTTP/1.1", "POST /health HTTP/1.1", "POST /judge HTTP/1.1", "GET /metrics HTTP/1.1"]
)
def test_a_body_that_cannot_be_read_shows_no_error(
    client: httpx.Client, head: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    sent = f"{head}\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n".encode()
    for parts in ((sent,), (sent[:-10], sent[-10:]), (sent * 3,)):
        with suppress(ConnectionError):
            raw(client, *parts)
    assert client.post("/judge", json=RIGHT).status_code == 200
    assert (capfd.readouterr().err, caplog.text) == ("", "")
