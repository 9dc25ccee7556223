"""A server that sends given responses, for what a service rarely does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Canned:
    status: int
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]


@contextmanager
def canned_server(*responses: Canned) -> Iterator[tuple[str, list[Received]]]:
    """Sends the responses one after another, the last one again and again. Yields the URL and what it received."""
    waiting = list(responses)
    received: list[Received] = []

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            received.append(Received(self.command, self.path, headers))
            self.rfile.read(int(headers.get("content-length", 0)))
            response = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            self.send_response(response.status)
            for name, value in {"content-length": str(len(response.body)), **response.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = do_POST = respond

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
