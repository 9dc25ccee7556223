from __future__ import annotations

import os

import pytest
from canned import Canned, canned_server
from conftest import DARK
from wire import Wire

from sightline import AnalysisFailed, Answer, ApiError, Client, SightlineError, StreamEvent
from sightline._streams import parse
from sightline.models import VideoStatus

KEY = os.environ["SIGHTLINE_API_KEY"]


def test_a_query_reports_its_progress_and_ends_with_the_documents(client: Client, video: VideoStatus) -> None:
    run = client.ask(DARK, video)
    steps = list(run)
    assert [step.id for step in steps] == list(range(1, len(steps) + 1))
    assert steps[0].kind == "batch_created"
    assert steps[-1].kind == "done"
    assert any(str(step).startswith("found at 0:0") for step in steps if step.kind == "finding")
    [answer] = run.answers()
    assert answer.video_id == video["video_id"]
    assert answer.document["analysis"]["status"] == "COMPLETED"
    assert answer.interpretation is not None
    assert [part["status"] for part in answer.coverage] == ["looked_for"]
    [event] = answer.events
    assert event.start_s == pytest.approx(6, abs=0.1)
    assert event.end_s == pytest.approx(8, abs=0.1)
    assert 0.5 <= event.confidence <= 1
    assert event.reason
    assert client.document(video, answer.analysis_id).document == answer.document


def test_all_ready_videos_of_a_folder_are_queried(client: Client, video: VideoStatus) -> None:
    run = client.ask(DARK, folder="Python", fast=True, min_confidence=0.6)
    [answer] = run.answers()
    assert (run.total, answer.video_id) == (1, video["video_id"])
    assert answer.document["analysis"]["mode"] == "fast"
    assert answer.document["analysis"].get("min_confidence") == 0.6


def test_a_query_needs_videos(client: Client, video: VideoStatus) -> None:
    with pytest.raises(SightlineError, match="`videos` or a `folder`"):
        client.ask(DARK)
    with pytest.raises(SightlineError, match="no videos"):
        client.ask(DARK, [])
    with pytest.raises(ApiError):
        client.ask(DARK, ["missing"])


def test_a_preview_stores_nothing(client: Client, video: VideoStatus) -> None:
    before = len(list(client.events(video_id=video["video_id"])))
    preview = client.preview(DARK, video)
    assert preview["total_videos"] == 1
    assert "dark" in preview["interpretation"]
    assert len(list(client.events(video_id=video["video_id"]))) == before


def test_a_canceled_query_ends(client: Client, video: VideoStatus) -> None:
    run = client.ask(DARK, [video, video["video_id"]])
    run.cancel()
    # An analysis that had ended by then keeps its answer.
    answers = run.answers()
    assert len(answers) < 2 if run.failures else len(answers) == 2


STARTED = Canned(200, b'{"stream_id":"s","batch_id":"b","total":1}')


def stream_of(*messages: str) -> Canned:
    return Canned(200, "".join(messages).encode(), {"content-type": "text/event-stream"})


def test_a_failed_analysis_is_reported_with_its_reason() -> None:
    data = '{"video_id":"v","analysis_id":"a","status":"failed","message":"The video was deleted."}'
    stream = stream_of(f"id: 1\nevent: video_completed\ndata: {data}\n\n", "id: 2\nevent: done\ndata: {}\n\n")
    with canned_server(STARTED, stream) as (url, _), Client(url, "sk_key") as client:
        run = client.ask(DARK, "v")
        assert run.answers() == []
        assert run.failures == {"v": "The video was deleted."}
    with (
        canned_server(STARTED, stream) as (url, _),
        Client(url, "sk_key") as client,
        pytest.raises(AnalysisFailed, match="The video was deleted"),
    ):
        client.answer(DARK, "v")


def test_an_error_in_the_stream_is_raised() -> None:
    stream = stream_of('id: 1\nevent: error\ndata: {"message":"It broke.","code":"internal_error"}\n\n')
    with canned_server(STARTED, stream) as (url, _), Client(url, "sk_key") as client:
        with pytest.raises(AnalysisFailed, match="It broke") as raised:
            client.ask(DARK, "v").answers()
        assert raised.value.code == "internal_error"


def test_a_lost_stream_resumes_without_gaps_or_duplicates(
    client: Client, video: VideoStatus, wire: Wire, pauses: list[float]
) -> None:
    stream_id = client.ask(DARK, video).stream_id
    with Client(wire.url, KEY) as unlucky:
        # Each connection is cut somewhere else: in the headers, between events, and inside of them.
        wire.faults = [("down", size) for size in range(1000, 3000, 130)]
        steps = list(unlucky.follow(stream_id))
    assert wire.connections > 3
    whole = list(client.follow(stream_id))
    assert steps == whole
    assert steps[-1].kind == "done"
    assert list(client.follow(stream_id, last_id=whole[-2].id)) == whole[-1:]


def test_a_stream_that_is_refused_ends_at_once(client: Client, pauses: list[float]) -> None:
    with pytest.raises(ApiError) as raised:
        list(client.follow("missing"))
    assert raised.value.status == 404
    assert pauses == []


def test_a_stream_that_stays_lost_ends_after_ten_reconnects(
    client: Client, video: VideoStatus, wire: Wire, pauses: list[float]
) -> None:
    stream_id = client.ask(DARK, video).stream_id
    with Client(wire.url, KEY) as unlucky:
        wire.faults = [("down", 0)] * 20
        with pytest.raises(SightlineError, match="cannot be reached"):
            list(unlucky.follow(stream_id))
    assert wire.connections == 11


def test_messages_are_parsed_wherever_their_parts_end() -> None:
    text = ": stream\n\nid: 1\nevent: a\ndata: {\ndata: }\n\nid:2\r\ndata: \u2028ä\r\n\r\ndata: incomplete\n".encode()
    expected = [("1", "a", "{\n}"), ("2", "message", "\u2028ä")]
    for size in range(1, len(text) + 1):
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        assert [(each.id, each.event, each.data) for each in parse(parts)] == expected


def test_lines_for_people_have_no_control_characters(answer: Answer) -> None:
    step = StreamEvent(1, "progress", {"message": "\x1b[2Jgone\u202e", "progress": 10})
    assert str(step) == " [2Jgone : 10 %"
    assert DARK.split()[-1] in str(answer)
