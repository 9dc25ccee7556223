"""A network with faults between the client and a service."""

from __future__ import annotations

import socket
import struct
from threading import Thread
from urllib.parse import urlsplit


class Wire:
    """A proxy on loopback. Each new connection uses the next of `faults`, or none if none is left."""

    def __init__(self, url: str) -> None:
        target = urlsplit(url)
        self._target = (target.hostname or "", target.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[Thread] = []
        self._sockets: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.faults: list[tuple[str, int]] = []
        """`("up", n)` or `("down", n)`: reset the connection after n bytes in this direction."""
        self.connections = 0
        self.sent = 0
        """Bytes from the client to the service."""
        self._start(self._accept)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._sockets:
            _reset(each)
        for thread in self._threads:
            thread.join()

    def _start(self, target: object, *args: object) -> None:
        thread = Thread(target=target, args=args)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            way, limit = self.faults.pop(0) if self.faults else ("none", 0)
            service = socket.create_connection(self._target)
            self._sockets += [client, service]
            self._start(self._pass, client, service, "up", limit if way == "up" else None)
            self._start(self._pass, service, client, "down", limit if way == "down" else None)

    def _pass(self, source: socket.socket, target: socket.socket, way: str, limit: int | None) -> None:
        passed = 0
        try:
            while part := source.recv(65536):
                part = part if limit is None else part[: limit - passed]
                target.sendall(part)
                passed += len(part)
                self.sent += len(part) if way == "up" else 0
                if passed == limit:
                    break
        except OSError:
            pass
        _reset(source)
        _reset(target)


def _reset(each: socket.socket) -> None:
    try:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    each.close()
