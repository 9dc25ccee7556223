from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from canned import Canned, canned_server
from conftest import DARK

from sightline import ApiError, Client, SightlineError
from sightline.models import VideoStatus, ZonePoint

DOOR: list[ZonePoint] = [{"x": 0.1, "y": 0.1}, {"x": 0.4, "y": 0.1}, {"x": 0.4, "y": 0.9}]
FFMPEG = shutil.which("ffmpeg")


def test_zones_are_drawn_renamed_used_in_prompts_and_deleted(client: Client, video: VideoStatus) -> None:
    zone = client.zones.create(name="door", points=DOOR, video_id=video["video_id"])
    assert zone["kind"] == "polygon"
    assert client.zones.change(zone["zone_id"], name="gate")["points"] == zone["points"]
    assert [each["name"] for each in client.zones.list(video_id=video["video_id"])] == ["gate"]
    assert "gate" in client.preview("a person enters zone gate", video)["interpretation"]
    client.zones.delete(zone["zone_id"])
    assert client.zones.list(video_id=video["video_id"]) == []
    with pytest.raises(ApiError, match="zone") as caught:
        client.zones.change(zone["zone_id"], name="gone")
    assert caught.value.status == 404


def test_labels_confirm_events_and_add_missed_ones(client: Client, video: VideoStatus, tmp_path: Path) -> None:
    run = client.ask(DARK, video)
    [answer] = run.answers()
    [event] = answer.events
    labels = tmp_path / "labels.csv"
    rows = [f"{event.label},{event.start_s},{event.end_s},{video['video_id']}", f"dark,12,13,{video['video_id']}"]
    labels.write_text("\n".join(["label,start_s,end_s,video_id", *rows]))
    checked = client.import_labels(run.batch_id, labels, dry_run=True)
    assert (checked["status"], checked["confirmed"], checked["added"]) == ("checked", 1, 1)
    done = client.import_labels(run.batch_id, labels, format="csv")
    assert (done["status"], done["confirmed"], done["added"], done["origin"]) == ("imported", 1, 1, "labels.csv")
    assert client.event(event.event_id).approval == "approved"
    labels.write_text("label,start_s,end_s,video_id\ndark,soon,13,x")
    invalid = client.import_labels(run.batch_id, labels)
    assert (invalid["status"], invalid["error_count"] > 0) == ("invalid", True)


def test_versions_of_datasets_stay_as_they_were(client: Client, video: VideoStatus, tmp_path: Path) -> None:
    run = client.ask(DARK, video)
    [answer] = run.answers()
    dataset = client.datasets.create(name="Dark scenes", batch_ids=[run.batch_id])
    assert client.datasets.get(dataset["id"])["totals"]["video_count"] == 1
    assert dataset["id"] in [each["id"] for each in client.datasets.list()]
    version = client.datasets.freeze(dataset["id"], name="First", val_share=0.5)
    assert (version["number"], version["status"], version["event_count"]) == (1, "ready", 1)
    answer.events[0].review(approval="rejected")
    file = client.datasets.download(dataset["id"], 1, tmp_path / "first.json")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == version["sha256"]
    assert json.loads(file.read_text())["version"]["name"] == "First"
    with pytest.raises(ApiError):
        client.datasets.download(dataset["id"], 7, tmp_path / "none.json")
    assert [each["number"] for each in client.datasets.versions(dataset["id"])] == [1]
    client.datasets.delete_version(dataset["id"], 1)
    assert client.datasets.versions(dataset["id"]) == []
    client.datasets.delete(dataset["id"])
    assert dataset["id"] not in [each["id"] for each in client.datasets.list()]


def test_a_changed_file_of_a_version_is_refused(tmp_path: Path) -> None:
    """The service sends the file as it was frozen; a proxy between may not."""
    target = tmp_path / "version.json"
    with canned_server(Canned(200, b"{}")) as (files, _):
        signed = Canned(200, json.dumps({"download_url": f"{files}/file"}).encode())
        version = Canned(200, json.dumps({"missing_videos": 0, "sha256": "0" * 64}).encode())
        with (
            canned_server(signed, version) as (url, _),
            Client(url, "sk_test") as client,
            pytest.raises(SightlineError, match="another checksum"),
        ):
            client.datasets.download("d", 1, target)
    assert not target.exists()


def test_webhooks_are_created_pinged_and_deleted(client: Client) -> None:
    with canned_server(Canned(204, b"")) as (url, received):
        webhook = client.webhooks.create(url=f"{url}/hook", event_types=["video.ready"], description="Python")
        assert webhook["secret"].startswith("whsec_")
        ping = client.webhooks.ping(webhook["webhook_id"])
        for _ in range(100):
            [delivery] = client.webhooks.deliveries(webhook["webhook_id"])
            if delivery["status"] != "pending":
                break
            time.sleep(0.1)
        assert (delivery["delivery_id"], delivery["status"]) == (ping["delivery_id"], "delivered")
        assert (received[0].path, "webhook-signature" in received[0].headers) == ("/hook", True)
        assert client.webhooks.resend(delivery)["message_id"] == ping["message_id"]
    rotated = client.webhooks.rotate_secret(webhook["webhook_id"], overlap_hours=1)
    assert rotated["secret"] != webhook["secret"]
    assert rotated["previous_secret_until"] is not None
    assert client.webhooks.change(webhook["webhook_id"], enabled=False)["enabled"] is False
    client.webhooks.delete(webhook["webhook_id"])
    assert webhook["webhook_id"] not in [each["webhook_id"] for each in client.webhooks.list()]


@pytest.fixture
def stream(clip: Path, tmp_path: Path) -> Iterator[str]:
    """The clip as a stream of HLS that has not ended."""
    segments = ["-hls_time", "1", "-hls_list_size", "0", "-hls_flags", "omit_endlist", str(tmp_path / "live.m3u8")]
    command = [FFMPEG or "", "-v", "error", "-i", str(clip), "-c:v", "libx264", "-g", "10", "-an", "-f", "hls"]
    subprocess.run([*command, *segments], check=True)  # noqa: S603

    class Files(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(tmp_path)))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/live.m3u8"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.skipif(FFMPEG is None, reason="the ffmpeg command line is not installed")
def test_livestreams_are_started_followed_and_ended(client: Client, stream: str) -> None:
    session = client.live.start(stream, "Python gate", query=DARK)
    seen = []
    for event in client.live.follow(session["session_id"]):
        seen.append(event.kind)
        if seen == ["progress"] or event.data.get("status") == "ACTIVE":
            asked = client.live.ask(session["session_id"], "a cut", add=True)
            assert len(asked["searches"]) == 2
            client.live.end(session)
    assert seen[-1] == "done"
    assert client.live.get(session)["status"] == "FINISHED"
    assert session["session_id"] in [each["session_id"] for each in client.live.list(limit=1)]
    with pytest.raises(ApiError) as caught:
        client.live.ask(session["session_id"], DARK)
    assert caught.value.status == 409
