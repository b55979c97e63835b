"""The HTTP server. It closes silent connections, and completes running requests before it stops."""

import asyncio
import socket
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arcloom.scoring.requests import Requests
from arcloom.scoring.result import Settings
from arcloom.service.app import make_app
from arcloom.service.dispatcher import Dispatcher

HEADER_SECONDS = 10.0
"""Time limit for a client to send the head of a request."""

IDLE_SECONDS, STOP_SECONDS = 15, 20
"""Time limit of a connection without requests, and of running requests when the server stops."""

MAX_CONNECTIONS = 512
MAX_HEADER_BYTES = 16_384


class ImpatientProtocol(H11Protocol):
    """The HTTP protocol of uvicorn with a time limit for the head of a request."""

    overdue: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, or close the connection if no more can be sent: for example after a HEAD."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Close the connection after HEADER_SECONDS unless a request is being answered."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self.overdue is None:
            self.overdue = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self.overdue is not None:
            self.overdue.cancel()
            self.overdue = None

    def _close(self) -> None:
        self.overdue = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def serve(requests: Requests, settings: Settings, workers: int, host: str, port: int) -> None:
    """Serve until the process gets a signal to stop. Raises OSError if the address cannot be used."""
    with socket.create_server((host, port), backlog=MAX_CONNECTIONS) as listening:
        server_of(requests, settings, workers).run(sockets=[listening])


def server_of(requests: Requests, settings: Settings, workers: int) -> uvicorn.Server:
    """The server, which is not running yet."""
    app = make_app(Dispatcher(requests, settings, workers))
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=ImpatientProtocol,
            ws="none",
            lifespan="on",
            log_level="critical",
            access_log=False,
            server_header=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        )
    )
