"""The studio: its answers, and the requests that it refuses."""

import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcloom.cli import app
from arcloom.store import Store
from arcloom.studio.server import BODY_MAX, is_loopback
from report.runs import stored

from .conftest import TASK, Client

SOURCE = "def solve_mirror(I):\n    x1 = width(I)\n    O = vmirror(I)\n    return O\n"


def traced(client: Client, source: str) -> Any:
    status, found = client.ask("/api/trace", {"source": source, "task": TASK})
    assert status == 200
    return found


def test_pages_and_tasks(client: Client, tmp_path: Path) -> None:
    status, text = client.ask("/")
    assert status == 200
    assert client.server.studio.token in text
    data = str(tmp_path / "tasks.json")
    status, found = client.ask(f"/api/tasks?data={data}")
    assert [(task["id"], task["sizes"]) for task in found["tasks"]] == [("mirror", "same"), ("other", "same")]
    assert client.ask(f"/api/task?data={data}&id=mirror")[1]["train"] == [[["12"], ["21"]]]
    assert client.ask("/run")[0] == 200
    assert client.ask("/api/run") == (200, None)


def test_a_trace(client: Client) -> None:
    found = traced(client, SOURCE)
    assert found["errors"] == []
    assert found["trace"]["wrong"] == []
    assert [value["text"] for value in found["trace"]["lines"][0]["values"]] == ["2", "3"]


def test_errors_have_lines_and_the_lines_before_them_are_traced(client: Client) -> None:
    found = traced(client, SOURCE.replace("    O", "    x2 = hmirror(I)\n    O").replace("vmirror", "nothing"))
    assert [(error["line"], error["message"].split()[0]) for error in found["errors"]] == [(4, "nothing")]
    assert [line["text"] for line in found["trace"]["lines"]] == ["x1 = width(I)", "x2 = hmirror(I)"]
    assert found["trace"]["partial"]
    assert found["trace"]["wrong"] == []
    [error] = traced(client, SOURCE.replace("vmirror(I)", "crop(I, I, I)"))["errors"]
    assert (error["line"], error["message"].startswith("crop: ")) == (3, True)
    assert traced(client, "def solve(I):\n    x = (\n")["trace"] is None
    assert traced(client, "") == {"errors": [], "trace": None, "seconds": pytest.approx(0, abs=60)}


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.mkdir('made')\n",
        "def solve(I):\n    x = __import__('os').mkdir('made')\n    return I\n",
        "open('made', 'w')",
    ],
)
def test_nothing_is_executed(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert traced(client, text)["errors"]
    assert not (tmp_path / "made").exists()


def test_a_program_is_saved_with_its_score(client: Client, tmp_path: Path) -> None:
    content = {"source": SOURCE, "data": str(tmp_path / "tasks.json"), "id": "mirror"}
    assert "is now in" in client.ask("/api/save", content)[1]["saved"]
    assert "is already in" in client.ask("/api/save", {**content, "data": None})[1]["saved"]
    with Store.open(tmp_path / "library.sqlite") as store:
        [listed] = store.listed()
    assert listed.score is not None
    assert listed.score.is_solution
    assert client.ask("/api/save", {**content, "source": "x"})[0] == 400


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/api/task?data=arcagi:training&id=00d62c1", "did you mean 00d62c1b"),
        ("/api/tasks?data=nowhere", "'nowhere' is not a file, folder or bundled set"),
        ("/api/nothing", "there is nothing here"),
        ("/api/run/task?id=x", "there is no run in"),
    ],
)
def test_wrong_requests(client: Client, path: str, message: str) -> None:
    status, found = client.ask(path)
    assert status in (400, 404)
    assert message in found["error"]


def test_wrong_contents(client: Client) -> None:
    assert client.ask("/api/trace", body=b"{")[0] == 400
    assert client.ask("/api/trace", body=b"[" * 100_000)[0] == 400
    assert client.ask("/api/trace", [])[0] == 400
    assert client.ask("/api/trace", {"source": "x"})[0] == 404
    assert client.ask("/api/trace", {"source": "x", "task": 5})[0] == 400
    assert client.ask("/api/trace", {"source": "x", "task": {"train": [{"input": "x"}]}})[0] == 400
    assert client.ask("/api/search/start", {"data": "arcagi:training", "budget": "soon"})[0] == 400
    assert client.ask("/api/search/start", {"data": "--help", "budget": "1s"})[0] == 400
    assert client.ask("/api/search/start", {"data": "arcagi:training", "budget": "1s", "mode": "help"})[0] == 400
    assert client.ask("/api/trace", body=b"{}", Content_Length=str(BODY_MAX + 1))[0] == 413


def test_requests_of_other_sites_are_refused(client: Client) -> None:
    own = f"http://127.0.0.1:{client.port}"
    content = {"source": SOURCE, "task": TASK}
    assert client.ask("/api/trace", content, Origin=own)[0] == 200
    assert client.ask("/api/trace", content, Origin="http://evil.example")[0] == 403
    assert client.ask("/api/trace", content, Origin="null")[0] == 403
    assert client.ask("/api/trace", content, Sec_Fetch_Site="cross-site")[0] == 403
    assert client.ask("/", Host=f"evil.example:{client.port}")[0] == 403
    assert client.ask("/", Host=f"localhost:{client.port}")[0] == 200
    assert client.ask("/api/trace", content, X_Arcloom_Token="guess")[0] == 403
    assert client.ask("/api/trace", content, X_Arcloom_Token="")[0] == 403


def test_other_machines_need_the_token(client: Client) -> None:
    client.server.local = False
    token = client.server.studio.token
    assert client.ask("/")[0] == 403
    assert client.ask("/api/run")[0] == 403
    assert client.ask("/?token=guess")[0] == 403
    assert client.ask(f"/?token={token}")[0] == 200
    assert client.ask("/api/run", Cookie=f"arcloom_token={token}")[0] == 200
    assert client.ask("/api/run", Cookie="arcloom_token=guess")[0] == 403
    assert client.server.address.endswith(f"/?token={token}")


def test_a_connection_that_is_reset_prints_nothing(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", client.port)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() sends a reset
        connection.sendall(b"GET / HTTP/1.1\r\n")
    assert client.ask("/")[0] == 200
    client.server.shutdown()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("length", ["x", "-1", "+2", "2_0", "\u00b2", "", "0", "9" * 5000])
def test_a_bad_content_length_is_refused_and_ends_the_connection(
    client: Client, capsys: pytest.CaptureFixture[str], length: str
) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        head = f"POST /api/trace HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(head.encode("latin-1"))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 413"))
    assert b"Content-Length" in answer or b"bytes" in answer
    assert client.ask("/")[0] == 200
    assert capsys.readouterr().err == ""


def test_addresses_that_cannot_be_read_are_refused(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    assert client.ask("/", Host="[")[0] == 400
    with socket.create_connection(("127.0.0.1", client.port), timeout=60) as connection:
        connection.sendall(b"GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 400")
    assert capsys.readouterr().err == ""


def test_an_unexpected_error_is_reported_in_one_line(
    client: Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("broken on purpose")

    monkeypatch.setattr(client.server.studio, "read", broken)
    status, found = client.ask("/api/search")
    assert status == 500
    assert "broken on purpose" in found["error"]
    assert "Traceback" not in capsys.readouterr().err


def test_loopback_addresses() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.0.1", "example.org", "", "127.0.0.1.evil.example")))


def test_a_search_is_started_and_stopped(client: Client, tmp_path: Path) -> None:
    content = {"data": str(tmp_path / "tasks.json"), "budget": "5m"}
    assert client.ask("/api/search/start", content)[1]["running"]
    assert client.ask("/api/search/start", content)[0] == 400
    assert client.ask("/api/search")[1]["running"]
    assert client.ask("/api/search/stop", {})[1]["stopping"]
    client.server.studio.search.close()
    found = client.ask("/api/search/stop", {})[1]
    assert (found["running"], found["stopping"], found["problem"]) == (False, False, "")


def test_a_search_that_cannot_start_reports_the_reason(client: Client, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "submission.json").write_text("{}", encoding="utf-8")
    assert client.ask("/api/search")[1]["used"]
    search = client.server.studio.search
    search.start(str(tmp_path / "tasks.json"), "1s", hide_own=False)
    assert search._process is not None
    search._process.wait()
    assert "has the answers of an earlier run" in client.ask("/api/search")[1]["problem"]


def test_a_run_is_shown(client: Client, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    stored(tmp_path / "run")
    found = client.ask("/api/run")[1]
    assert (found["status"], found["figures"]["solved"]) == ("finished", 1)
    assert client.ask("/api/run/task?id=mirror")[1]["task"]["id"] == "mirror"
    assert client.ask("/api/run/task?id=mirrow")[0] == 400


def test_missing_tasks_are_reported_in_one_line() -> None:
    result = CliRunner().invoke(app, ["studio", "--data", "nowhere"])
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert "'nowhere' is not a file, folder or bundled set" in line


def test_a_port_in_use_is_reported_in_one_line() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = CliRunner().invoke(app, ["studio", "--port", str(other.getsockname()[1])])
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert "cannot be served (Address already in use); choose another with --host or --port" in line


def test_more_connections_than_there_is_room_for(client: Client) -> None:
    client.server._room = threading.BoundedSemaphore(2)
    idle = [socket.create_connection(("127.0.0.1", client.port), timeout=60) for _ in range(5)]
    assert [connection.recv(1) for connection in idle[2:]] == [b""] * 3, "these are closed"
    for connection in idle:
        connection.close()
    wait_until(lambda: client.server._room._value == 2)
    assert client.ask("/api/search")[0] == 200


def wait_until(happens: Callable[[], bool]) -> None:
    """Wait for something that takes milliseconds on an idle machine."""
    end = time.monotonic() + 60
    while not happens() and time.monotonic() < end:
        time.sleep(0.01)
    assert happens()


@pytest.mark.parametrize("wrong", [7, None, [], {"id": 1}, True])
@pytest.mark.parametrize("name", ["source", "id", "data"])
def test_a_program_is_not_saved_with_parts_that_are_no_texts(client: Client, name: str, wrong: Any) -> None:
    if name == "data" and wrong is None:
        return  # a task that was drawn belongs to no set
    good = {"source": "def solve(I):\n    return vmirror(I)\n", "id": "mirror", "data": "arcagi:training"}
    assert client.ask("/api/save", {**good, name: wrong}) == (400, {"error": f"{name} must be a text"})
