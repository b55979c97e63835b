"""A studio that the tests share."""

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arcloom.cli.language import catalogue
from arcloom.studio.search import Search
from arcloom.studio.server import Server, Studio
from arcloom.studio.workbench import Workbench

TASK = {
    "id": "mirror",
    "train": [{"input": [[1, 2]], "output": [[2, 1]]}],
    "test": [{"input": [[3, 4, 0]], "output": [[0, 4, 3]]}],
}


class Client:
    """A client that sends requests to a server like its own pages, unless other headers are given."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.port = server.server_address[1]

    def ask(self, path: str, content: Any = None, *, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"X-Arcloom-Token": self.server.studio.token}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        if content is not None:
            body = json.dumps(content).encode()
        connection.request("POST" if body is not None else "GET", path, body, sent)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(text) if is_json else text


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "tasks.json").write_text(json.dumps({"mirror": TASK, "other": TASK}), encoding="utf-8")
    bench = Workbench(catalogue(), [str(tmp_path / "tasks.json")], tmp_path / "library.sqlite")
    server = Server(Studio(bench, Search(tmp_path / "run")), "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield Client(server)
    server.studio.search.close()
    server.shutdown()
    thread.join()
    server.server_close()
