from __future__ import annotations

import hashlib
from itertools import pairwise
from pathlib import Path

import pytest
from canned import Canned, canned_server
from wire import Wire

from sightline import ApiError, Client, _uploads
from sightline.models import VideoStatus

Progress = list[tuple[int, int]]


def test_a_file_becomes_a_video_in_a_folder(client: Client, video: VideoStatus, clip: Path) -> None:
    assert video["status"] == "uploaded"
    listed = list(client.videos(folder="Python"))
    assert [each["video_id"] for each in listed] == [video["video_id"]]
    assert listed[0]["size_bytes"] == clip.stat().st_size


def test_lists_are_read_page_by_page(client: Client, video: VideoStatus, clip: Path) -> None:
    other = client.upload(clip, folder="Pages")
    another = client.upload(clip, name="another.mp4", folder="Pages", sha256=digest_of(clip))
    ids = [each["video_id"] for each in client.videos(folder="Pages", limit=1)]
    assert ids == [another["video_id"], other["video_id"]]


def test_an_upload_resumes_after_lost_connections(
    client: Client, clip: Path, wire: Wire, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_uploads, "CHUNK_BYTES", 64 * 1024)
    size = clip.stat().st_size
    wire.faults = [("up", size // 3), ("down", 0), ("up", size // 3)]
    progress: Progress = []
    with Client(wire.url, client._transport._api.headers["x-api-key"]) as unlucky:
        video = unlucky.upload(clip, sha256=digest_of(clip), on_progress=lambda *step: progress.append(step))
    assert video["status"] == "uploaded"
    assert wire.connections > 3
    assert progress[-1] == (size, size)
    assert all(earlier <= later for (earlier, _), (later, _) in pairwise(progress))
    # What had arrived was not sent again.
    assert wire.sent < size + 4 * 64 * 1024


@pytest.mark.parametrize("other_process", [False, True])
def test_the_same_call_resumes_an_upload_that_was_interrupted(
    client: Client, clip: Path, monkeypatch: pytest.MonkeyPatch, other_process: bool
) -> None:
    monkeypatch.setattr(_uploads, "CHUNK_BYTES", 64 * 1024)
    size = clip.stat().st_size

    def interrupt(sent: int, _: int) -> None:
        if sent > size / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.upload(clip, name="resumed.mp4", on_progress=interrupt)
    [upload_id] = client._unfinished.values()
    progress: Progress = []
    if other_process:
        client._unfinished.clear()
        video = client.upload(clip, resume=upload_id, on_progress=lambda *step: progress.append(step))
    else:
        video = client.upload(clip, name="resumed.mp4", on_progress=lambda *step: progress.append(step))
    assert video["video_id"] == upload_id
    assert size / 2 < progress[0][0] < size
    assert client._unfinished == {}


def test_a_file_that_is_no_video_is_refused_with_the_reason(client: Client, tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("not a video")
    with pytest.raises(ApiError) as raised:
        client.upload(text)
    assert raised.value.code != "unknown"
    assert client._unfinished == {}
    with pytest.raises(FileNotFoundError):
        client.upload(tmp_path / "missing.mp4")


def test_the_service_fetches_a_url(client: Client, clip: Path) -> None:
    with canned_server(Canned(200, clip.read_bytes(), {"content-type": "video/mp4"})) as (url, _):
        video = client.upload(f"{url}/remote.mp4", name="fetched.mp4")
    assert (video["status"], video["video_name"]) == ("uploaded", "fetched.mp4")


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
