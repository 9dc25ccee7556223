"""Text for people."""

from __future__ import annotations

import re
from collections.abc import Iterator

FIRST_POLL_S, LONGEST_POLL_S = 0.1, 2.0

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return one line without control characters, which could change a terminal or the direction of text."""
    return CONTROL.sub(" ", text)


def clock(seconds: float) -> str:
    """Format a time as `m:ss.s` or `h:mm:ss`."""
    tenths = round(seconds * 10)
    minutes, hours = tenths // 600 % 60, tenths // 36000
    if hours:
        return f"{hours}:{minutes:02}:{tenths // 10 % 60:02}"
    return f"{minutes}:{tenths % 600 / 10:04.1f}"


def pauses() -> Iterator[float]:
    """Yield growing pauses in seconds, for polling."""
    pause = FIRST_POLL_S
    while True:
        yield pause
        pause = min(LONGEST_POLL_S, pause * 1.5)
