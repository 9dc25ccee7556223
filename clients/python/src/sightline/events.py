"""Events with their evidence, as tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from ._html import event_html, table_html
from ._text import clock, plain
from .errors import SightlineError
from .models import AnalysisDocument, EventReviewRequest, EventSummary, ReadableEvent

if TYPE_CHECKING:
    import pandas
    from IPython.display import Video
    from typing_extensions import Unpack

    from .client import Client

COLUMNS = {
    "event_id": "str",
    "video_id": "str",
    "video_name": "str",
    "analysis_id": "str",
    "query": "str",
    "type": "str",
    "label": "str",
    "severity": "str",
    "confidence": "float64",
    "start_s": "float64",
    "end_s": "float64",
    "approval": "str",
}
"""Columns of a data frame of events, with their types."""
LONGEST_CLIP_S = 300
SHOWN_ROWS = 50


@dataclass(frozen=True)
class Event:
    """Something found in a video. A notebook shows it with its evidence."""

    event_id: str
    video_id: str
    video_name: str
    analysis_id: str
    query: str
    """The prompt that found it."""
    type: str
    label: str
    severity: str
    confidence: float
    """0 to 1."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    approval: str
    """The verdict: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`."""
    image_url: str | None = field(repr=False)
    """Signed URL of the evidence image, valid for a day; None without evidence frames."""
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """All fields as the service sent them: an `EventSummary` or a `ReadableEvent`."""
    _client: Client = field(repr=False, compare=False)

    @property
    def caveats(self) -> list[str]:
        """What was not checked; only of events of an answer."""
        return list(self.data.get("caveats", []))

    @property
    def reason(self) -> str | None:
        """The measurements that support the event; only of events of an answer."""
        return self.data.get("aiAnalysis")

    def image(self) -> bytes | None:
        """Return the evidence frame with its boxes as JPEG; None if there is none."""
        return self._client.fetch(self.image_url) if self.image_url else None

    def clip(self, padding_s: float = 1) -> Video:
        """Return the video of the event for a notebook, with `padding_s` seconds before and after; at most 300 s."""
        try:
            from IPython.display import Video
        except ImportError as error:
            raise SightlineError(NEEDS_EXTRA) from error
        start_s = max(0.0, self.start_s - padding_s)
        data = self._client.clip(self.video_id, start_s, min(self.end_s + padding_s, start_s + LONGEST_CLIP_S))
        return Video(data=data, embed=True, mimetype="video/mp4")  # type: ignore[no-untyped-call]

    def review(self, **change: Unpack[EventReviewRequest]) -> Event:
        """Set your verdict (`approval`), or correct `label`, `severity`, `start_s` and `end_s`. Returns the event."""
        return self._client.review(self, **change)[0]

    def __str__(self) -> str:
        return plain(f"{clock(self.start_s)} to {clock(self.end_s)}: {self.label} ({self.confidence}, {self.approval})")

    def _repr_html_(self) -> str:
        return event_html(self, picture_of(self))


NEEDS_EXTRA = "This needs packages for notebooks: pip install 'sightline-client[notebook]'"


class EventCollection(Iterable[Event]):
    """Events that a notebook shows as a table."""

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a data frame with one row per event; times are seconds from the first frame."""
        try:
            import pandas
        except ImportError as error:
            raise SightlineError(NEEDS_EXTRA) from error
        rows = [{name: getattr(event, name) for name in COLUMNS} for event in self]
        frame: pandas.DataFrame = pandas.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)
        return frame

    def _repr_html_(self) -> str:
        shown = list(islice(self, SHOWN_ROWS + 1))
        return table_html(shown[:SHOWN_ROWS], picture_of, more=len(shown) > SHOWN_ROWS)


class EventList(EventCollection, Sequence[Event]):
    """The events of an answer."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._events = tuple(events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> EventList: ...
    def __getitem__(self, index: int | slice) -> Event | EventList:
        return EventList(self._events[index]) if isinstance(index, slice) else self._events[index]

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __repr__(self) -> str:
        return f"EventList({list(self._events)!r})"


class EventSearch(EventCollection):
    """Events that match filters. Each iteration reads them again, page by page."""

    def __init__(self, search: Callable[[], Iterator[Event]]) -> None:
        self._search = search

    def __iter__(self) -> Iterator[Event]:
        return self._search()


def picture_of(event: Event) -> bytes | None:
    """Return the evidence image for display; None if it cannot be read, which must not hide the event."""
    try:
        return event.image()
    except SightlineError:
        return None


def from_summary(client: Client, event: EventSummary) -> Event:
    """Make an event of one in a list."""
    return Event(
        **{name: event[name] for name in COLUMNS},  # type: ignore[literal-required]
        image_url=event["annotated_thumbnail_url"],
        data=event,
        _client=client,
    )


def from_document(client: Client, document: AnalysisDocument, event: ReadableEvent) -> Event:
    """Make an event of one in an analysis document."""
    return Event(
        event_id=event["event_id"],
        video_id=document["video_id"],
        video_name=str(document["metadata"].get("filename", "")),
        analysis_id=document["analysis_id"],
        query=document["analysis"]["query"],
        type=event["type"],
        label=event["label"],
        severity=event["severity"],
        confidence=event["confidence"],
        start_s=event["start_s"],
        end_s=event["end_s"],
        approval=event["approval"],
        image_url=event.get("annotated_thumbnail_url"),
        data=event,
        _client=client,
    )
