"""Server-sent events, resumed after lost connections."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from ._text import clock, plain
from ._transport import Transport, may_pass, pause_s, unreachable
from .errors import ApiError, ServiceUnreachable

MAX_RECONNECTS = 10


@dataclass(frozen=True)
class StreamEvent:
    """One event of a stream. Its text is a line for people; `data` has everything."""

    id: int
    """Position in the stream, to resume after."""
    kind: str
    """`batch_created`, `progress`, `finding`, `video_completed`, `done` or `error`."""
    data: dict[str, Any]

    def __str__(self) -> str:
        data = self.data
        if self.kind == "progress":
            return plain(f"{data.get('message') or data.get('stage')}: {data.get('progress')} %")
        if self.kind == "finding":
            found = data.get("finding") or {}
            at = clock(found.get("start_s") or 0)
            return plain(f"found at {at}: {found.get('label')} ({found.get('confidence')})")
        text = data.get("answer") or data.get("message") or data.get("interpretation") or data.get("status") or ""
        return plain(f"{self.kind}: {text}" if text else self.kind)


@dataclass
class _Message:
    id: str | None
    event: str
    data: str


def parse(parts: Iterable[bytes]) -> Iterator[_Message]:
    """Parse a stream of server-sent events from parts that may end anywhere. An incomplete last message is dropped."""
    rest = b""
    message = _Message(None, "message", "")
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for raw in lines:
            line = raw.removesuffix(b"\r").decode("utf-8", "replace")
            if line == "":
                if message.data:
                    yield message
                message = _Message(None, "message", "")
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "id":
                message.id = value
            elif name == "event":
                message.event = value
            elif name == "data":
                message.data += f"\n{value}" if message.data else value


def follow(transport: Transport, path: str, last_id: int = 0) -> Iterator[StreamEvent]:
    """
    Yield the events of a stream after `last_id` until it ends. After a lost connection it reconnects with growing
    pauses and resumes after the last event, without gaps or duplicates.
    """
    failed = False
    breaks = 0
    while True:
        lost: ServiceUnreachable | ApiError = ServiceUnreachable("The event stream was disconnected too often.")
        try:
            with transport.stream(path, {"accept": "text/event-stream", "last-event-id": str(last_id)}) as parts:
                for message in parse(parts):
                    position = int(message.id or last_id)
                    # An ended stream sends `done` to every client that resumes it, also at or past its end.
                    if position <= last_id and message.event != "done":
                        continue
                    last_id, breaks = position, 0
                    event = StreamEvent(position, message.event, json.loads(message.data))
                    yield event
                    if event.kind == "done":
                        return
                    failed = event.kind == "error"
        except httpx.TransportError as error:
            lost = unreachable(error)
        except ApiError as error:
            # A refusal is final.
            if error.status < 500 and not may_pass(error.status):
                raise
            lost = error
        if failed:
            return
        breaks += 1
        if breaks > MAX_RECONNECTS:
            raise lost
        time.sleep(pause_s(breaks))
