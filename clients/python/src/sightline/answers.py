"""Queries while they run, and their answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._html import answer_html
from ._streams import StreamEvent
from ._text import plain
from .errors import AnalysisFailed
from .events import EventList, from_document, picture_of
from .models import AnalysisDocument, Coverage, StartedQuery

if TYPE_CHECKING:
    from .client import Client


class Answer:
    """The answer to one prompt on one video. A notebook shows it with its events."""

    document: AnalysisDocument
    """The whole document, as the service sent it."""
    events: EventList
    candidates: EventList
    """Possible events with less confidence than was requested."""

    def __init__(self, client: Client, document: AnalysisDocument) -> None:
        self.document = document
        self.events = EventList(from_document(client, document, event) for event in document["events"])
        self.candidates = EventList(from_document(client, document, event) for event in document.get("candidates", []))

    @property
    def video_id(self) -> str:
        """Identifier of the video."""
        return self.document["video_id"]

    @property
    def analysis_id(self) -> str:
        """Identifier of the analysis."""
        return self.document["analysis_id"]

    @property
    def video_name(self) -> str:
        """Name of the video."""
        return str(self.document["metadata"].get("filename", ""))

    @property
    def query(self) -> str:
        """The prompt."""
        return self.document["analysis"]["query"]

    @property
    def text(self) -> str:
        """The answer in words."""
        return self.document["analysis"]["answer"]

    @property
    def interpretation(self) -> str | None:
        """How the prompt was understood."""
        return self.document["analysis"].get("interpretation")

    @property
    def coverage(self) -> list[Coverage]:
        """What was searched for in each part of the prompt, and why not."""
        return self.document["analysis"]["coverage"]

    def __str__(self) -> str:
        return plain(self.text)

    def __repr__(self) -> str:
        return f"Answer(query={self.query!r}, video_name={self.video_name!r}, text={self.text!r})"

    def _repr_html_(self) -> str:
        return answer_html(self, picture_of)


class Run(Iterator[StreamEvent]):
    """
    A running query. Iterate to follow its progress and events; lost connections are resumed. `answers` then has the
    documents. It runs on if nobody follows it, until it is canceled.
    """

    def __init__(self, client: Client, started: StartedQuery) -> None:
        self.batch_id: str = started["batch_id"]
        self.stream_id: str = started["stream_id"]
        self.total: int = started["total"]
        """Number of analyses, one per video."""
        self.failures: dict[str, str] = {}
        """Reason of each failed analysis, by the id of its video."""
        self._client = client
        self._stream = client.follow(self.stream_id)
        self._completed: list[tuple[str, str]] = []
        self._error: AnalysisFailed | None = None

    def __next__(self) -> StreamEvent:
        event = next(self._stream)
        data = event.data
        if event.kind == "video_completed":
            if data["status"] == "completed":
                self._completed.append((data["video_id"], data["analysis_id"]))
            else:
                self.failures[data["video_id"]] = data.get("message") or "The analysis failed."
        elif event.kind == "error":
            self._error = AnalysisFailed(data.get("message") or "The query failed.", data.get("code") or "query_failed")
        return event

    def answers(self) -> list[Answer]:
        """
        Wait for the end, and return the answers in the order in which they were completed. Videos whose analysis
        failed are in `failures` instead. Raises `AnalysisFailed` if the query as a whole failed.
        """
        for _ in self:
            pass
        if self._error:
            raise self._error
        return [self._client.document(video_id, analysis_id) for video_id, analysis_id in self._completed]

    def cancel(self) -> None:
        """Cancel the analyses that still run."""
        self._client.request("POST", f"/api/batch/{self.batch_id}/cancel")
