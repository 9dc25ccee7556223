"""HTTP with retries: the only module that opens connections."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx

from .errors import ApiError, ServiceUnreachable

TRIES = 4
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
READS = {"GET", "HEAD", "OPTIONS"}
PASSING = {408, 429, 502, 503, 504}
"""Statuses of transient failures."""
TIMEOUT = httpx.Timeout(120, connect=10)


def may_pass(status: int) -> bool:
    """Return true if a repeat of the request may succeed."""
    return status in PASSING


def pause_s(attempt: int, retry_after: str | None = None) -> float:
    """Return the pause after an attempt (from 1) in seconds; `Retry-After` takes precedence over the growing pause."""
    try:
        requested = float(retry_after or 0)
    except ValueError:
        requested = 0
    return min(LONGEST_PAUSE_S, requested if requested > 0 else FIRST_PAUSE_S * 2 ** (attempt - 1))


class Transport:
    """Requests to one service. Close it."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"x-api-key": key, "user-agent": f"sightline-python/{version('sightline-client')}"}
        # No redirects: they would send the key to another server.
        self._api = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT, follow_redirects=False)
        self._files = httpx.Client(timeout=TIMEOUT, follow_redirects=True)

    def close(self) -> None:
        """Close all connections."""
        self._api.close()
        self._files.close()

    def once(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, content: bytes | None = None
    ) -> httpx.Response:
        """Send one request, without retries. Returns the response whatever its status."""
        return self._api.request(method, path, headers=headers, content=content)

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """
        Send a request with a small body, and retry transient failures. All attempts of a write have one
        `Idempotency-Key`, so that it runs once. Raises an `ApiError` for every response that is not a success.
        """
        own = dict(headers or {})
        if method not in READS:
            own.setdefault("idempotency-key", str(uuid.uuid4()))
        given = {name: value for name, value in (params or {}).items() if value is not None}
        response = retry(lambda: self._api.request(method, path, params=given, json=json, headers=own))
        if not response.is_success:
            raise ApiError.of(response)
        return response

    @contextmanager
    def stream(self, path: str, headers: Mapping[str, str]) -> Iterator[Iterator[bytes]]:
        """Open a response and yield its bytes as they arrive. Raises an `ApiError` if it is not a success."""
        with self._api.stream("GET", path, headers=headers) as response:
            if not response.is_success:
                response.read()
                raise ApiError.of(response)
            yield response.iter_bytes()

    def fetch(self, url: str) -> bytes:
        """Return a file behind a signed URL, which gets no key."""
        response = retry(lambda: self._files.get(url))
        if not response.is_success:
            raise ApiError.of(response)
        return response.content

    def save(self, url: str, path: Path) -> None:
        """Stream a file behind a signed URL to disk. A download that fails leaves an earlier file as it was."""
        partial = path.with_name(f"{path.name}.partial")

        def download() -> httpx.Response:
            with self._files.stream("GET", url) as response, partial.open("wb") as file:
                if not response.is_success:
                    response.read()
                    return response
                for part in response.iter_bytes():
                    file.write(part)
                return response

        try:
            response = retry(download)
            if not response.is_success:
                raise ApiError.of(response)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def retry(send: Callable[[], httpx.Response]) -> httpx.Response:
    """Call `send` again after transient failures. Raises `ServiceUnreachable` if the connection fails each time."""
    for attempt in range(1, TRIES + 1):
        try:
            response = send()
        except httpx.TransportError as error:
            if attempt == TRIES or isinstance(error, httpx.UnsupportedProtocol):
                raise unreachable(error) from error
            time.sleep(pause_s(attempt))
            continue
        retry_after = response.headers.get("retry-after")
        # A conflict with `Retry-After`: the first attempt of this write is still running.
        passing = may_pass(response.status_code) or (response.status_code == 409 and retry_after is not None)
        if attempt == TRIES or not passing:
            return response
        time.sleep(pause_s(attempt, retry_after))
    raise AssertionError("unreachable")


def unreachable(error: httpx.TransportError) -> ServiceUnreachable:
    """Return the error of this package for one of the network."""
    reason = str(error).rstrip(".") or type(error).__name__
    return ServiceUnreachable(f"The service cannot be reached: {reason}.")
