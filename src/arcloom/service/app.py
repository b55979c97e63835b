"""The HTTP interface of scoring: single programs, streams of programs, health and metrics, with limits for clients."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from starlette.requests import ClientDisconnect

import arcloom
from arcloom.notices import say_once
from arcloom.program.trace_errors import unexpected
from arcloom.scoring.requests import MAX_REQUEST
from arcloom.scoring.stream import BATCH
from arcloom.service.dispatcher import Dispatcher, JsonAnswers

MAX_BODY, MAX_LINES = 32_000_000, 20_000
"""Maximum numbers of bytes and lines in a body with many requests."""

BODY_SECONDS, SEND_SECONDS = 30.0, 30.0
"""Time limits for a client to send a request, and to receive each part of an answer, in seconds."""

BUSY_SECONDS = 0.05
"""Seconds between two tries to submit lines while the queue is full."""

LINES = "application/x-ndjson"


class RequestRefused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def response(self) -> Response:
        headers = {"Retry-After": "1"} if self.status == 503 else {}
        if self.status in (408, 413):  # the rest of the body is not read
            headers["Connection"] = "close"
        return JSONResponse({"error": str(self)}, self.status, headers)


def make_app(dispatcher: Dispatcher) -> FastAPI:
    """The ASGI application. It starts and stops the dispatcher, which scores the programs."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        dispatcher.start()
        yield
        await dispatcher.stop()

    made = FastAPI(title="arcloom", version=arcloom.__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    statuses: Counter[tuple[str, int]] = Counter()
    made.add_middleware(_Guard, statuses=statuses)

    @made.exception_handler(RequestRefused)
    async def refused(_: Request, error: RequestRefused) -> Response:
        return error.response()

    @made.post("/judge", openapi_extra=_body("application/json"))
    async def judge(request: Request) -> Response:
        """Score one program: {"task": ..., "program": ...}."""
        asked = dispatcher.requests.read(0, await _read(request, MAX_REQUEST))
        if asked.error is not None:
            raise RequestRefused(404 if " has no task " in asked.error else 400, asked.error)
        [answer] = await _answers(dispatcher, [asked])
        return JSONResponse(answer)

    @made.post("/judge/lines", openapi_extra=_body(LINES))
    async def judge_lines(request: Request) -> Response:
        """Score many programs, one request per line. The answers have one line for each request, in the same order."""
        lines = [line for line in (await _read(request, MAX_BODY)).split(b"\n") if line.strip()]
        if len(lines) > MAX_LINES:
            raise RequestRefused(413, f"more than {MAX_LINES:,} lines")
        if dispatcher.waiting and dispatcher.waiting + len(lines) > MAX_LINES:
            raise RequestRefused(503, "too many programs are waiting")
        return StreamingResponse(_judged(dispatcher, lines), media_type=LINES)

    @made.get("/health")
    async def health() -> Response:
        """The status of the service: 200 while it scores programs, 503 while it stops."""
        state = "ok" if dispatcher.is_alive else "stopping"
        content = {"status": state, "tasks": len(dispatcher.requests.dataset), "waiting": dispatcher.waiting}
        return JSONResponse({**content, "version": arcloom.__version__}, 200 if state == "ok" else 503)

    @made.get("/metrics")
    async def metrics() -> Response:
        """Counts in the text format of Prometheus."""
        return PlainTextResponse("".join(_metrics(dispatcher, statuses)), media_type="text/plain; version=0.0.4")

    return made


def _body(kind: str) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {kind: {"schema": {"type": "object"}}}}}


async def _read(request: Request, limit: int) -> bytes:
    """The body of a request. Raises RequestRefused if it is too large or takes too long."""
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > limit:
        raise RequestRefused(413, f"a body of {int(declared):,} bytes (at most {limit:,})")
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                parts.append(part)
                size += len(part)
                if size > limit:
                    raise RequestRefused(413, f"a body of more than {limit:,} bytes")
    except TimeoutError:
        raise RequestRefused(408, f"the body took more than {BODY_SECONDS:.0f} s") from None
    except ClientDisconnect:
        raise RequestRefused(400, "the client has disconnected") from None
    return b"".join(parts)


async def _answers(dispatcher: Dispatcher, requests: list[Any]) -> JsonAnswers:
    future = dispatcher.submit(requests)
    if future is None:
        raise RequestRefused(503, "too many programs are waiting")
    return await future


async def _judged(dispatcher: Dispatcher, lines: list[bytes]) -> AsyncIterator[bytes]:
    """The answers to all lines. Lines are submitted in batches, as soon as the queue has room."""
    for start in range(0, len(lines), BATCH):
        asked = [dispatcher.requests.read(k, line) for k, line in enumerate(lines[start : start + BATCH], start)]
        while (future := dispatcher.submit(asked)) is None:
            if not dispatcher.is_alive:
                return
            await asyncio.sleep(BUSY_SECONDS)
        yield b"".join(json.dumps(answer).encode() + b"\n" for answer in await future)


def _metrics(dispatcher: Dispatcher, statuses: Counter[tuple[str, int]]) -> list[str]:
    programs = [
        f'arcloom_programs_total{{verdict="{verdict}"}} {count}\n'
        for verdict, count in sorted(dict(dispatcher.verdicts).items())
    ]
    requests = [
        f'arcloom_requests_total{{path="{path}",status="{status}"}} {count}\n'
        for (path, status), count in sorted(statuses.items())
    ]
    return [
        "# TYPE arcloom_programs_total counter\n", *programs,
        "# TYPE arcloom_requests_total counter\n", *requests,
        f"# TYPE arcloom_waiting gauge\narcloom_waiting {dispatcher.waiting}\n",
        f"# TYPE arcloom_uptime_seconds gauge\narcloom_uptime_seconds {time.monotonic() - dispatcher.began:.1f}\n",
    ]  # fmt: skip


Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
PATHS = ("/judge", "/judge/lines", "/health", "/metrics")


class _Guard:
    """Counts responses by status, and disconnects clients that do not read them. Errors are logged in one line."""

    def __init__(self, app: Callable[..., Awaitable[None]], statuses: Counter[tuple[str, int]]) -> None:
        self.app = app
        self.statuses = statuses

    async def __call__(self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        is_gone = False

        async def guarded(message: Message) -> None:
            nonlocal is_gone
            if message["type"] == "http.response.start":
                path = scope["path"] if scope["path"] in PATHS else "other"
                self.statuses[path, message["status"]] += 1
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(message)
            except Exception:
                is_gone = True
                raise

        try:
            await self.app(scope, receive, guarded if scope["type"] == "http" else send)
        except (Exception, asyncio.CancelledError) as error:  # the server closes the connection
            if scope["type"] != "http":
                raise
            if not is_gone and not isinstance(error, TimeoutError | asyncio.CancelledError):  # the server ends these
                say_once(unexpected(error))
