"""The client: one method for each thing to do with the service."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast
from urllib.parse import quote, urlsplit

from ._resources import Datasets, Livestreams, Webhooks, Zones
from ._streams import StreamEvent, follow
from ._text import pauses
from ._transport import Transport
from ._uploads import OnProgress, begin_upload, continue_upload
from .answers import Answer, Run
from .errors import AnalysisFailed, ApiError, SightlineError
from .events import Event, EventSearch, from_summary
from .models import (
    EventReviewRequest,
    Export,
    ExportRequest,
    LabelImportResult,
    ListEventsParametersQuery,
    NewEvent,
    OutputSchema,
    Plan,
    QueryPreview,
    SearchVideosParametersQuery,
    VideoStatus,
)
from .models import Video as VideoSummary

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

DEFAULT_URL = "http://localhost:8099"

VideoRef: TypeAlias = str | Mapping[str, Any]
"""A video: its id, or what the client returned for it."""


class Client:
    """
    A client of one service. `url` defaults to `SIGHTLINE_URL`, else to this machine; `key` to `SIGHTLINE_API_KEY`.

    Transient failures are retried. All other failures raise a `SightlineError`; responses of the service an `ApiError`
    with its code, sentence and request id. Use it as a context manager, or close it.
    """

    url: str

    def __init__(self, url: str | None = None, key: str | None = None) -> None:
        self.url = (url or os.environ.get("SIGHTLINE_URL") or DEFAULT_URL).rstrip("/")
        if urlsplit(self.url).scheme not in {"http", "https"}:
            raise SightlineError(f'"{self.url}" is not a URL of a service. It must start with http:// or https://.')
        key = key or os.environ.get("SIGHTLINE_API_KEY")
        if not key:
            raise SightlineError("No key is given. Pass `key`, or set SIGHTLINE_API_KEY.")
        self._transport = Transport(self.url, key)
        self._unfinished: dict[tuple[object, ...], str] = {}
        self.zones = Zones(self)
        self.datasets = Datasets(self)
        self.live = Livestreams(self)
        self.webhooks = Webhooks(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client(url={self.url!r})"

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def request(self, method: str, path: str, *, params: Mapping[str, Any] | None = None, json: Any = None) -> Any:
        """
        Call any operation of the API, with retries, and return its JSON. `sightline.models` has the types of all
        requests and responses.
        """
        return self._transport.request(method, path, params=params, json=json).json()

    def fetch(self, url: str) -> bytes:
        """Return the file behind a signed URL. No key is sent."""
        return self._transport.fetch(url)

    # Videos

    def upload(
        self,
        source: str | os.PathLike[str],
        *,
        name: str | None = None,
        folder: str | None = None,
        scope: Literal["user", "org"] | None = None,
        sha256: str | None = None,
        resume: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> VideoStatus:
        """
        Upload a file in chunks, or let the service fetch a URL, and wait until the video is ready. Broken connections
        are resumed; so is an upload that failed or was interrupted, by the same call, or in another process by
        `resume`, the id of the upload.

        `name`: name of the video, by default that of the file. `folder`: name of a folder, created if there is none.
        `sha256`: digest in hex; a file with another one is refused. `on_progress(sent, total)` gets bytes.
        """
        folder_id = None
        if folder is not None:
            body = {"name": folder, "scope": scope or "user"}
            folder_id = str(self.request("POST", "/api/folders/create-or-get", json=body)["id"])
        if isinstance(source, str) and re.match("https?://", source):
            fields = {"video_url": source, "folder_id": folder_id, "scope": scope, "custom_name": name}
            given = {field: value for field, value in fields.items() if value is not None}
            video_id = self.request("POST", "/api/upload-video", json={"source": "video_url", **given})["video_id"]
            return self.ready(video_id)
        path = Path(source).resolve(strict=True)
        stat = path.stat()
        same = (path, stat.st_size, stat.st_mtime_ns, name, folder_id, scope, sha256)
        upload_id = resume or self._unfinished.get(same)
        if upload_id is None:
            fields = {"filename": name or path.name, "folder_id": folder_id, "scope": scope, "sha256": sha256}
            upload_id = self._unfinished[same] = begin_upload(self._transport, path, fields)
        try:
            continue_upload(self._transport, path, upload_id, on_progress)
        except ApiError:
            # Refused for good: the next call starts again.
            self._unfinished.pop(same, None)
            raise
        self._unfinished.pop(same, None)
        return self.ready(upload_id)

    def ready(self, video: VideoRef) -> VideoStatus:
        """Wait until a video is ready. Raises an `ApiError` with the reason if its upload failed."""
        for pause in pauses():
            status = self.video(video)
            if status["status"] == "uploaded":
                return status
            if status["status"] == "uploading_failed":
                raise ApiError(400, dict(status))
            time.sleep(pause)
        raise AssertionError("unreachable")

    def video(self, video: VideoRef) -> VideoStatus:
        """Return the status and the properties of a video."""
        return cast(VideoStatus, self.request("GET", f"/api/video/{_quoted(_id_of(video))}/status"))

    def videos(self, **filters: Unpack[SearchVideosParametersQuery]) -> Iterator[VideoSummary]:
        """Yield the videos that match all filters, such as `folder="Night drives"`; `limit` is the size of a page."""
        return self._pages("/api/videos", "videos", filters)

    def clip(self, video: VideoRef, start_s: float, end_s: float) -> bytes:
        """Return a part of a video as MP4, frame-accurate, of at most 300 seconds."""
        body = {"kind": "clip", "start": start_s, "end": end_s}
        signed = self.request("POST", f"/api/video/{_quoted(_id_of(video))}/signed-url", json=body)
        return self.fetch(signed["url"])

    # Queries

    def ask(
        self,
        query: str,
        videos: VideoRef | Iterable[VideoRef] | None = None,
        *,
        folder: str | None = None,
        fast: bool = False,
        min_confidence: float | None = None,
        verify: Literal["auto", "always", "never"] | None = None,
        vision_profile: str | None = None,
        detector: str | None = None,
        output_schema: OutputSchema | None = None,
        plan: Plan | None = None,
    ) -> Run:
        """
        Query videos, or all ready videos of a folder. The query starts at once; iterate over the result to follow it,
        then call its `answers`.

        `fast`: a sparse pass instead of all frames where that is sufficient. `min_confidence`: least confidence of an
        event, 0 to 1, by default 0.5. `detector`: name of the model that detects objects. `output_schema`: fields to
        fill. `plan`: a plan to follow instead of the prompt.
        """
        options = {
            "min_confidence": min_confidence,
            "verify": verify,
            "vision_profile": vision_profile,
            "detector": detector,
            "output_schema": output_schema,
            "plan": plan,
        }
        given = {name: value for name, value in options.items() if value is not None}
        path = "/api/router/query" if fast else "/api/router/v2/query/start"
        body = {"query": query, "video_ids": self._ids_of(videos, folder), **given}
        return Run(self, self.request("POST", path, json=body))

    def answer(self, query: str, video: VideoRef, **options: Any) -> Answer:
        """Query one video with the options of `ask`, and return the answer. Raises `AnalysisFailed` with the reason."""
        run = self.ask(query, [_id_of(video)], **options)
        for answer in run.answers():
            return answer
        raise AnalysisFailed(next(iter(run.failures.values()), "The analysis failed."))

    def preview(
        self, query: str, videos: VideoRef | Iterable[VideoRef] | None = None, *, folder: str | None = None
    ) -> QueryPreview:
        """Return how a query would be understood, what would search for each part, and its cost. Stores nothing."""
        ids = self._ids_of(videos, folder) if videos is not None or folder is not None else []
        return cast(
            QueryPreview, self.request("POST", "/api/router/v2/query/plan", json={"query": query, "video_ids": ids})
        )

    def follow(self, stream_id: str, last_id: int = 0) -> Iterator[StreamEvent]:
        """Yield the events of a query after `last_id` until it ends. Resumes lost connections without gaps."""
        return follow(self._transport, f"/api/router/v2/query/events/{_quoted(stream_id)}", last_id)

    def document(self, video: VideoRef, analysis_id: str) -> Answer:
        """Return an earlier answer."""
        path = f"/api/videos/{_quoted(_id_of(video))}/analyses/{_quoted(analysis_id)}"
        return Answer(self, self.request("GET", path))

    # Events

    def events(self, **filters: Unpack[ListEventsParametersQuery]) -> EventSearch:
        """Return the events of all analyses that match all filters; `limit` is the size of a page."""

        def search() -> Iterator[Event]:
            return (from_summary(self, event) for event in self._pages("/api/events", "events", filters))

        return EventSearch(search)

    def event(self, event_id: str) -> Event:
        """Return an event."""
        return from_summary(self, self.request("GET", f"/api/events/{_quoted(event_id)}"))

    def review(
        self, events: str | Event | Iterable[str | Event], /, **change: Unpack[EventReviewRequest]
    ) -> list[Event]:
        """
        Set your verdict on events (`approval`), or correct them: `label`, `severity`, `note`, and `start_s` and `end_s`
        of a single event. Up to 500 are changed together, all or none. Returns the events.
        """
        several = [events] if isinstance(events, (str, Event)) else list(events)
        ids = [event.event_id if isinstance(event, Event) else event for event in several]
        if len(ids) == 1:
            changed = [self.request("PATCH", f"/api/events/{_quoted(ids[0])}", json=change)]
        else:
            changed = self.request("POST", "/api/events/review", json={**change, "event_ids": ids})["events"]
        return [from_summary(self, event) for event in changed]

    def add_event(self, answer: Answer, /, **event: Unpack[NewEvent]) -> Event:
        """Add an event that an analysis missed, with your approval: its `label`, `start_s` and `end_s`."""
        path = f"/api/videos/{_quoted(answer.video_id)}/analyses/{_quoted(answer.analysis_id)}/events"
        return from_summary(self, self.request("POST", path, json=event))

    def import_labels(
        self,
        batch_id: str,
        path: str | os.PathLike[str],
        *,
        format: Literal["csv", "coco", "cvat", "label_studio"] | None = None,
        video: VideoRef | None = None,
        labels: list[str] | None = None,
        complete: bool = False,
        dry_run: bool = False,
    ) -> LabelImportResult:
        """
        Compare the labels in a file with the events that a batch found: matching events are approved, missed ones
        added. `complete`: the file has all events of its videos, so others are rejected. A file with errors changes
        nothing: the result has the status `invalid` and its `errors`.
        """
        file = Path(path)
        options = {"format": format, "video_id": video and _id_of(video), "labels": labels}
        given = {name: value for name, value in options.items() if value is not None}
        body = {"batch_id": batch_id, "content": file.read_text(encoding="utf-8"), "name": file.name, **given}
        flags = {"complete": complete, "dry_run": dry_run}
        return cast(LabelImportResult, self.request("POST", "/api/labels/import", json={**body, **flags}))

    def export(self, path: str | os.PathLike[str] | None = None, /, **request: Unpack[ExportRequest]) -> Path:
        """
        Write the events that match all filters to a file of a `format`, and return its path: `path`, or a file with the
        name that the service gives it, in the folder `path` or the working directory.
        """
        export_id = self.request("POST", "/api/exports", json=request)["export_id"]
        for pause in pauses():
            export: Export = self.request("GET", f"/api/exports/{_quoted(export_id)}")
            if export["status"] == "processing":
                time.sleep(pause)
                continue
            if export["download_url"] is None:
                raise ApiError(409, dict(export))
            target = Path(path or ".")
            if target.is_dir():
                target /= _file_name(export["filename"])
            self._transport.save(export["download_url"], target)
            return target
        raise AssertionError("unreachable")

    def _ids_of(self, videos: VideoRef | Iterable[VideoRef] | None, folder: str | None) -> list[str]:
        if (videos is None) == (folder is None):
            raise SightlineError("Name either `videos` or a `folder`.")
        if folder is not None:
            videos = self.videos(folder=folder, status="uploaded", limit=1000)
        several = [videos] if isinstance(videos, (str, Mapping)) else videos or []
        ids = [_id_of(video) for video in several]
        if not ids:
            raise SightlineError("There are no videos to query.")
        return ids

    def _pages(self, path: str, field: str, filters: Mapping[str, Any]) -> Iterator[Any]:
        cursor = filters.get("cursor")
        while True:
            page = self.request("GET", path, params={**filters, "cursor": cursor})
            yield from page[field]
            cursor = page["next_cursor"]
            if cursor is None:
                return


def _id_of(video: VideoRef) -> str:
    return video if isinstance(video, str) else str(video["video_id"])


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _file_name(name: str) -> str:
    """Return the last part of a name that the service gave: it never leads out of the folder."""
    last = re.split(r"[/\\]", name)[-1]
    return last if last not in {"", ".", ".."} else "events"
