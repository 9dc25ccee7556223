"""Errors of the client."""

from __future__ import annotations

import json
from typing import Any

import httpx


class SightlineError(Exception):
    """Base of all errors of this package. Its text is a sentence."""


class ServiceUnreachable(SightlineError):
    """The service does not respond, or connections to it break, after several attempts."""


class AnalysisFailed(SightlineError):
    """An analysis has ended without an answer; the text is the reason."""

    def __init__(self, message: str, code: str = "analysis_failed") -> None:
        super().__init__(message)
        self.code = code


class ApiError(SightlineError):
    """A response that is not a success."""

    status: int
    """HTTP status."""
    code: str
    """Stable code of the error reference, such as `video_not_found`; `unknown` without one."""
    message: str
    """What is wrong, in a sentence."""
    detail: Any
    """The same, or an object where there is structure."""
    errors: list[dict[str, str]]
    """All invalid fields of the request, with `param` and `message`."""
    request_id: str | None
    """Identifies the request in the log of the service."""

    retry_after: str | None
    """Seconds after which a repeat may succeed, if the service states them."""

    def __init__(self, status: int, body: Any, request_id: str | None = None, retry_after: str | None = None) -> None:
        fields = body if isinstance(body, dict) else {}
        text = (
            fields.get("message") if isinstance(fields.get("message"), str) else body if isinstance(body, str) else ""
        )
        self.status = status
        self.code = fields["error"] if isinstance(fields.get("error"), str) else "unknown"
        self.message = (text or "")[:500] or f"The server responded with status {status}."
        self.detail = fields.get("detail")
        self.errors = fields["errors"] if isinstance(fields.get("errors"), list) else []
        self.request_id = request_id
        self.retry_after = retry_after
        super().__init__(self.message)

    @classmethod
    def of(cls, response: httpx.Response, sentence: str | None = None) -> ApiError:
        """Error of a response whose body was read; `sentence` is used if it has none."""
        body: Any = response.text
        try:
            body = json.loads(body)
        except ValueError:
            body = body or sentence
        headers = response.headers
        return cls(response.status_code, body, headers.get("x-request-id"), headers.get("retry-after"))

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} ({self.code}, status {self.status}{request})"
