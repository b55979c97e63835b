"""The web server of the studio. It answers only requests of its own pages; other machines need a token."""

import hmac
import ipaddress
import json
import secrets
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from arcloom.notices import say_once
from arcloom.program.parse import ParseError
from arcloom.program.trace_errors import unexpected
from arcloom.report.page import REPORT_SCRIPTS, page
from arcloom.store import StoreError
from arcloom.studio.search import Search
from arcloom.studio.workbench import Workbench
from arcloom.tasks.task import DataError

BODY_MAX = 1 << 20
"""Maximum number of bytes in the body of a request."""

MAX_CONNECTIONS = 128
"""Maximum number of connections at a time. Each has a thread; more are closed at once."""

COOKIE, HEADER = "arcloom_token", "X-Arcloom-Token"
"""The cookie in which a browser keeps the token, and the header in which the scripts of a page send it."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


WORKBENCH_SCRIPTS = ("draw.js", "trace.js", "shell.js", "canvas_editor.js", "studio.js")
RUN_SCRIPTS = (*REPORT_SCRIPTS, "shell.js", "run_page.js")
"""The scripts of the two pages."""


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass
class Studio:
    """The application: its pages and the functions that they call."""

    workbench: Workbench
    search: Search
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def page(self, path: str) -> str | None:
        """The text of the page at a path; None if there is none."""
        shell = {"token": self.token, **self.workbench.names()}
        match path:
            case "/":
                return page("arcloom studio", None, WORKBENCH_SCRIPTS, studio=shell)
            case "/run":
                return page("arcloom run", self.search.overview() or {"empty": True}, RUN_SCRIPTS, studio=shell)
        return None

    def read(self, path: str, query: Mapping[str, str]) -> Any:
        """The answer to a read-only request. Raises KeyError for an unknown path or a missing parameter."""
        functions: dict[str, Callable[[], Any]] = {
            "/api/tasks": lambda: self.workbench.tasks(query["data"]),
            "/api/task": lambda: self.workbench.task(query["data"], query["id"]),
            "/api/search": self.search.state,
            "/api/run": self.search.overview,
            "/api/run/task": lambda: self._alone(lambda: self.search.task(query["id"])),
        }
        return functions[path]()

    def change(self, path: str, body: Mapping[str, Any]) -> Any:
        """The answer to a request that runs or changes something. Raises KeyError as ``read`` does."""
        functions: dict[str, Callable[[], Any]] = {
            "/api/trace": lambda: self._alone(lambda: self.workbench.trace(_text(body, "source"), body["task"])),
            "/api/save": lambda: self._alone(
                lambda: self.workbench.save(
                    _text(body, "source"), None if body.get("data") is None else _text(body, "data"), _text(body, "id")
                )
            ),
            "/api/search/start": lambda: self.search.start(
                _text(body, "data"), _text(body, "budget"), body.get("hide_own") is True, _text(body, "mode", "new")
            ),
            "/api/search/stop": self.search.stop,
        }
        return functions[path]()

    def _alone(self, function: Callable[[], Any]) -> Any:
        """The result of a function that runs programs. Only one request at a time uses the engine."""
        with self.lock:
            return function()


def _text(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A text in the content of a request. Raises DataError if it is none."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise DataError(f"{name} must be a text")
    return value


class _Refused(Exception):
    """A refused request: the status code and the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def _split(address: str) -> SplitResult:
    """The parts of a URL. Refuses a malformed one."""
    try:
        return urlsplit(address)
    except ValueError:
        raise _Refused(400, "the address cannot be read") from None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Server"
    timeout = 60
    disable_nagle_algorithm = True  # an answer is two writes, and the second must not wait for an acknowledgement

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing for a request."""

    def do_GET(self) -> None:
        """Answer a request for a page or for data."""
        self._answer(self._got)

    def do_POST(self) -> None:
        """Answer a request that runs or changes something."""
        self._answer(self._posted)

    def _answer(self, function: Callable[[], None]) -> None:
        try:
            self._check_origin()
            function()
        except _Refused as refused:
            self._send_json({"error": str(refused)}, refused.code)
        except (DataError, StoreError, ParseError) as error:
            self._send_json({"error": str(error)}, 400)
        except KeyError:
            self._send_json({"error": "there is nothing here"}, 404)
        except OSError as error:
            self.close_connection = True
            if not isinstance(error, ConnectionError | TimeoutError):
                self._send_json({"error": str(error)}, 400)
        except Exception as error:
            say_once(unexpected(error))
            self._send_json({"error": unexpected(error)}, 500)

    def _check_origin(self) -> None:
        """Refuse requests of other sites, including those whose host name resolves to this machine (DNS rebinding)."""
        host = self.headers.get("Host", "")
        name = _split(f"//{host}").hostname or ""
        if self.server.local and not is_loopback(name):
            raise _Refused(403, "this address is not served")
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{host}":
            raise _Refused(403, "requests of other sites are refused")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise _Refused(403, "requests of other sites are refused")

    def _got(self) -> None:
        parts = _split(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if not self.server.local:
            self._check_visitor(query.get("token", ""))
        text = self.server.studio.page(parts.path)
        if text is not None:
            cookie = {"Set-Cookie": f"{COOKIE}={self.server.studio.token}; HttpOnly; SameSite=Strict; Path=/"}
            self._send(text.encode(), "text/html; charset=utf-8", 200, {} if self.server.local else cookie)
            return
        self._send_json(self.server.studio.read(parts.path, query))

    def _posted(self) -> None:
        body = self.rfile.read(self._length())
        if not self._is_token(self.headers.get(HEADER, "")):
            raise _Refused(403, "the token is missing; load the page again")
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            raise _Refused(400, "the request is not JSON") from None
        if not isinstance(content, dict):
            raise _Refused(400, "the request is no object")
        self._send_json(self.server.studio.change(_split(self.path).path, content))

    def _length(self) -> int:
        """The declared length of the body. A refusal closes the connection, because the start of the next request is
        unknown."""
        text = self.headers.get("Content-Length", "")
        self.close_connection = True
        if not text.isascii() or not text.isdecimal():
            raise _Refused(400, "the header Content-Length is no number")
        digits = text.lstrip("0")
        if not digits or len(digits) > len(str(BODY_MAX)) or int(digits) > BODY_MAX:
            raise _Refused(413, f"a request has between 1 and {BODY_MAX:,} bytes")
        self.close_connection = False
        return int(digits)

    def _check_visitor(self, given: str) -> None:
        cookies = SimpleCookie(self.headers.get("Cookie", ""))
        known = cookies[COOKIE].value if COOKIE in cookies else ""
        if not self._is_token(given) and not self._is_token(known):
            raise _Refused(403, "the token is missing; open the address that 'arcloom studio' printed")

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.server.studio.token.encode())

    def _send_json(self, content: Any, code: int = 200) -> None:
        self._send(json.dumps(content).encode(), "application/json", code)

    def _send(self, body: bytes, kind: str, code: int, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {**HEADERS, **(headers or {}), "Content-Type": kind}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """The server. With a loopback address it serves only this machine; otherwise every page needs the token."""

    daemon_threads = True

    def __init__(self, studio: Studio, host: str, port: int) -> None:
        self.studio, self.local = studio, is_loopback(host)
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__((host, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer requests of a connection in a thread of its own, if there is room for one more."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer requests of a connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error in one line. Closed connections are ignored."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            say_once(unexpected(error))

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/" + ("" if self.local else f"?token={self.studio.token}")
