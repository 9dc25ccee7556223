"""
HTML for notebooks. Notebooks run scripts of their outputs, and labels, prompts and names may have been written by
anybody: every text passes `escape`.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ._text import clock, plain

if TYPE_CHECKING:
    from .answers import Answer
    from .events import Event

Picture = Callable[["Event"], "bytes | None"]

SHOWN_PICTURES = 12
"""Evidence images in a table; each takes about 50 kB of the notebook."""


def escape(text: object) -> str:
    """Return text for HTML, also in quoted attributes."""
    return html.escape(plain(str(text)), quote=True)


def picture_html(picture: bytes | None, alt: str, width: int) -> str:
    """Embed a JPEG; return nothing for other bytes."""
    if not picture or not picture.startswith(b"\xff\xd8\xff"):
        return ""
    data = base64.b64encode(picture).decode()
    return f'<img src="data:image/jpeg;base64,{data}" alt="{escape(alt)}" style="max-width:{width}px">'


def event_html(event: Event, picture: bytes | None) -> str:
    """Show one event with its evidence."""
    notes = [event.reason, *event.caveats]
    return (
        f'<figure style="margin:0">{picture_html(picture, event.label, 640)}<figcaption>'
        f"<b>{escape(event.label)}</b><br>{escape(event.video_name)}, "
        f"{clock(event.start_s)} to {clock(event.end_s)}, confidence {event.confidence:.2f}, {escape(event.approval)}"
        f"{''.join(f'<br><small>{escape(note)}</small>' for note in notes if note)}</figcaption></figure>"
    )


def table_html(events: Sequence[Event], picture_of: Picture, *, more: bool) -> str:
    """Show events as a table; the first ones with their evidence."""
    if not events:
        return "<p>No events.</p>"
    head = _row(("", "Event", "Video", "Start", "End", "Confidence", "Severity", "Verdict"), "th")
    rows = (
        _row(
            (
                picture_html(picture_of(event), event.label, 160) if at < SHOWN_PICTURES else "",
                escape(event.label),
                escape(event.video_name),
                clock(event.start_s),
                clock(event.end_s),
                f"{event.confidence:.2f}",
                escape(event.severity),
                escape(event.approval),
            ),
            "td",
        )
        for at, event in enumerate(events)
    )
    note = f"<p>The first {len(events)} events.</p>" if more else ""
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>{note}"


def answer_html(answer: Answer, picture_of: Picture) -> str:
    """Show an answer: its text, its events, and what was not searched for."""
    missing = "".join(
        f"<li>{escape(part['text'])}: {escape(part['reason'] or part['status'])}</li>"
        for part in answer.coverage
        if part["status"] != "looked_for"
    )
    return (
        f"<p><b>{escape(answer.query)}</b>, {escape(answer.video_name)}<br>{escape(answer.text)}</p>"
        f"{table_html(answer.events, picture_of, more=False)}"
        f"{f'<p>Not or only partly searched for:</p><ul>{missing}</ul>' if missing else ''}"
    )


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"
