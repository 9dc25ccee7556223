"""Zones, datasets, livestreams and webhooks: groups of methods of the client, one for each kind of resource."""

from __future__ import annotations

import builtins
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import quote

from ._streams import StreamEvent, follow
from ._text import pauses
from .errors import SightlineError
from .models import (
    Dataset,
    DatasetRequest,
    DatasetVersion,
    DatasetVersionRequest,
    ListLiveSessionsParametersQuery,
    ListWebhookDeliveriesParametersQuery,
    LiveQuery,
    LiveSession,
    LiveSessionSummary,
    NewLiveSession,
    StartedLiveSession,
    Webhook,
    WebhookChange,
    WebhookDelivery,
    WebhookRequest,
    WebhookWithSecret,
    Zone,
    ZoneChange,
    ZoneRequest,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import Client

PAGE = 100


class Resources:
    """Methods for one kind of resource."""

    def __init__(self, client: Client) -> None:
        self._client = client


class Zones(Resources):
    """Named polygons and lines in the frame of a fixed camera, for prompts such as "a person enters zone door"."""

    def create(self, /, **zone: Unpack[ZoneRequest]) -> Zone:
        """
        Draw a zone of a video (`video_id`) or of a folder (`folder_id`). `points` are fractions of the frame, from its
        top left corner: two make a line, more a polygon.
        """
        return cast(Zone, self._client.request("POST", "/api/zones", json=zone))

    def list(self, *, video_id: str | None = None, folder_id: str | None = None) -> list[Zone]:
        """Return the zones that hold for a video, or those of a folder."""
        params = {"video_id": video_id, "folder_id": folder_id}
        return cast("list[Zone]", self._client.request("GET", "/api/zones", params=params)["zones"])

    def change(self, zone_id: str, /, **change: Unpack[ZoneChange]) -> Zone:
        """Rename or redraw a zone."""
        return cast(Zone, self._client.request("PATCH", f"/api/zones/{_quoted(zone_id)}", json=change))

    def delete(self, zone_id: str) -> None:
        """Delete a zone. Analyses that exist do not change."""
        self._client.request("DELETE", f"/api/zones/{_quoted(zone_id)}")


class Datasets(Resources):
    """Named sets of batches and videos, with frozen versions."""

    def create(self, /, **dataset: Unpack[DatasetRequest]) -> Dataset:
        """Create a dataset of batches and videos."""
        return cast(Dataset, self._client.request("POST", "/api/data-curation/datasets", json=dataset))

    def list(self, scope: Literal["user", "org"] = "user") -> Iterator[Dataset]:
        """Yield your datasets, or those that are shared in the organization, newest first."""
        before: str | None = None
        while True:
            body = {"scope": scope, "limit": PAGE, "before": before}
            page: list[Dataset] = self._client.request("POST", "/api/data-curation/datasets/list", json=body)
            yield from page
            if len(page) < PAGE:
                return
            before = page[-1]["id"]

    def get(self, dataset_id: str) -> Dataset:
        """Return a dataset with its counts."""
        return cast(Dataset, self._client.request("GET", f"/api/data-curation/datasets/{_quoted(dataset_id)}"))

    def delete(self, dataset_id: str) -> None:
        """Delete a dataset and its versions. Its batches and videos remain."""
        self._client.request("DELETE", f"/api/data-curation/datasets/{_quoted(dataset_id)}")

    def freeze(self, dataset_id: str, /, **request: Unpack[DatasetVersionRequest]) -> DatasetVersion:
        """
        Freeze the events of a dataset that match all filters, with their verdicts, and wait until the version is ready.
        Raises a `SightlineError` if it failed.
        """
        version = self._client.request("POST", f"/api/datasets/{_quoted(dataset_id)}/versions", json=request)
        for pause in pauses():
            if version["status"] == "ready":
                return cast(DatasetVersion, version)
            if version["status"] == "failed":
                raise SightlineError(f"The version {version['number']} could not be frozen.")
            time.sleep(pause)
            version = self.version(dataset_id, version["number"])
        raise AssertionError("unreachable")

    def versions(self, dataset_id: str) -> builtins.list[DatasetVersion]:
        """Return the versions of a dataset, newest first."""
        found = self._client.request("GET", f"/api/datasets/{_quoted(dataset_id)}/versions")["versions"]
        return cast("list[DatasetVersion]", found)

    def version(self, dataset_id: str, number: int) -> DatasetVersion:
        """Return a version of a dataset."""
        path = f"/api/datasets/{_quoted(dataset_id)}/versions/{number}"
        return cast(DatasetVersion, self._client.request("GET", path))

    def delete_version(self, dataset_id: str, number: int) -> None:
        """Delete a version. Its number is not used again."""
        self._client.request("DELETE", f"/api/datasets/{_quoted(dataset_id)}/versions/{number}")

    def download(self, dataset_id: str, number: int, path: str | os.PathLike[str]) -> Path:
        """
        Write the file of a version to `path`. Raises a `SightlineError` if it is not the file that was frozen, although
        none of its videos was deleted.
        """
        signed = self._client.request("GET", f"/api/datasets/{_quoted(dataset_id)}/versions/{number}/download")
        if signed["download_url"] is None:
            raise SightlineError(f"The version {number} is not ready.")
        content = self._client.fetch(signed["download_url"])
        version = self.version(dataset_id, number)
        if version["missing_videos"] == 0 and hashlib.sha256(content).hexdigest() != version["sha256"]:
            raise SightlineError(f"The file of the version {number} has another checksum than the version.")
        target = Path(path)
        target.write_bytes(content)
        return target


class Livestreams(Resources):
    """Sessions that record livestreams and analyze them."""

    def start(self, source_url: str, name: str, /, query: str | None = None, **options: Any) -> StartedLiveSession:
        """
        Start a session on a source, such as `rtsp://…` or `https://….m3u8`. Options are those of the API: `stream_id`,
        `folder_id`, `scope`, `retention_days`.
        """
        body: NewLiveSession = {"source_url": source_url, "name": name, "rapid_review_query": query, **options}  # type: ignore[typeddict-item]
        return cast(StartedLiveSession, self._client.request("POST", "/api/live/start-session", json=_given(body)))

    def list(self, **filters: Unpack[ListLiveSessionsParametersQuery]) -> Iterator[LiveSessionSummary]:
        """Yield sessions, newest first; `limit` is the size of a page."""
        return self._client._pages("/api/live/live-sessions", "sessions", filters)

    def get(self, session: StartedLiveSession | LiveSession) -> LiveSession:
        """Return a session with its status, gaps and events."""
        path = f"/api/live/live-sessions/{_quoted(session['stream_id'])}/{_quoted(session['session_id'])}"
        return cast(LiveSession, self._client.request("GET", path))

    def follow(self, session_id: str, last_id: int = 0) -> Iterator[StreamEvent]:
        """Yield what happens in a session until it ends. Resumes lost connections without gaps."""
        return follow(self._client._transport, f"/api/live/session/{_quoted(session_id)}/events", last_id)

    def ask(self, session_id: str, query: str, *, add: bool = False) -> LiveQuery:
        """Replace the query of an active session, or `add` to it. Earlier events remain."""
        body = {"rapid_review_query": query, "mode": "add" if add else "replace"}
        path = f"/api/live/session/{_quoted(session_id)}/query"
        return cast(LiveQuery, self._client.request("POST", path, json=body))

    def end(self, session: StartedLiveSession | LiveSession) -> None:
        """End a session. Its recording becomes a video."""
        body = {"stream_id": session["stream_id"], "session_id": session["session_id"]}
        self._client.request("POST", "/api/live/end-session", json=body)


class Webhooks(Resources):
    """URLs that receive messages about events of the organization; needs the key of an admin."""

    def create(self, /, **webhook: Unpack[WebhookRequest]) -> WebhookWithSecret:
        """Create a webhook. Its `secret` verifies the signatures of messages and is returned only here."""
        return cast(WebhookWithSecret, self._client.request("POST", "/api/webhooks", json=webhook))

    def list(self) -> list[Webhook]:
        """Return all webhooks of the organization."""
        return cast("list[Webhook]", self._client.request("GET", "/api/webhooks")["webhooks"])

    def change(self, webhook_id: str, /, **change: Unpack[WebhookChange]) -> Webhook:
        """Change a webhook, or enable it again."""
        return cast(Webhook, self._client.request("PATCH", f"/api/webhooks/{_quoted(webhook_id)}", json=change))

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook and its deliveries."""
        self._client.request("DELETE", f"/api/webhooks/{_quoted(webhook_id)}")

    def rotate_secret(self, webhook_id: str, *, overlap_hours: int | None = None) -> WebhookWithSecret:
        """Return a new secret. Messages are signed with both for the overlap."""
        path = f"/api/webhooks/{_quoted(webhook_id)}/rotate-secret"
        body = _given({"overlap_hours": overlap_hours})
        return cast(WebhookWithSecret, self._client.request("POST", path, json=body))

    def ping(self, webhook_id: str) -> WebhookDelivery:
        """Send a test message and return its delivery."""
        return cast(WebhookDelivery, self._client.request("POST", f"/api/webhooks/{_quoted(webhook_id)}/ping"))

    def deliveries(
        self, webhook_id: str, /, **filters: Unpack[ListWebhookDeliveriesParametersQuery]
    ) -> Iterator[WebhookDelivery]:
        """Yield the deliveries of a webhook, newest first; `limit` is the size of a page."""
        return self._client._pages(f"/api/webhooks/{_quoted(webhook_id)}/deliveries", "deliveries", filters)

    def resend(self, delivery: WebhookDelivery) -> WebhookDelivery:
        """Send the message of a delivery again."""
        path = f"/api/webhooks/{_quoted(delivery['webhook_id'])}/deliveries/{_quoted(delivery['delivery_id'])}/resend"
        return cast(WebhookDelivery, self._client.request("POST", path))


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _given(fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
