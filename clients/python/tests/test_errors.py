from __future__ import annotations

from pathlib import Path

import pytest
from canned import Canned, canned_server

from sightline import ApiError, Client, ServiceUnreachable, SightlineError


def test_an_error_has_the_code_the_sentence_and_the_request_of_the_service(client: Client) -> None:
    with pytest.raises(ApiError) as raised:
        client.video("missing")
    error = raised.value
    assert (error.status, error.code) == (404, "video_not_found")
    assert error.message.endswith(".")
    assert error.request_id
    assert error.request_id in str(error)
    assert error.message in str(error)


def test_an_error_lists_all_invalid_fields(client: Client) -> None:
    with pytest.raises(ApiError) as raised:
        client.request("PATCH", "/api/events/missing", json={"approval": "perhaps", "start_s": -1})
    assert {each["param"] for each in raised.value.errors} == {"approval", "start_s"}


def test_a_wrong_key_is_refused_at_once(client: Client, pauses: list[float]) -> None:
    with Client(client.url, f"sk_{'x' * 40}") as stranger, pytest.raises(ApiError) as raised:
        next(stranger.videos())
    assert raised.value.code == "key_unknown"
    assert pauses == []


def test_a_response_that_is_not_json_is_an_error_with_its_status() -> None:
    with (
        canned_server(Canned(418, b""), Canned(413, b"<h1>Too large</h1>")) as (url, _),
        Client(url, "sk_key") as client,
    ):
        with pytest.raises(ApiError, match="418") as raised:
            client.video("v")
        assert (raised.value.status, raised.value.code) == (418, "unknown")
        with pytest.raises(ApiError, match="Too large"):
            client.video("v")


def test_a_service_that_cannot_be_reached_is_tried_again(pauses: list[float]) -> None:
    with Client("http://127.0.0.1:9", "sk_key") as client, pytest.raises(ServiceUnreachable, match="cannot be reached"):
        client.video("v")
    assert pauses == [0.25, 0.5, 1]


def test_a_limit_is_awaited_as_long_as_the_service_says(pauses: list[float]) -> None:
    limits = [Canned(429, headers={"retry-after": "7"}), Canned(503, headers={"retry-after": "soon"})]
    with canned_server(*limits, Canned(200, b'{"stream_id":"s","batch_id":"b","total":1}')) as (url, received):
        with Client(url, "sk_key") as client:
            assert client.ask("a dog", "v").batch_id == "b"
        assert pauses == [7, 0.5]
        # One write, sent three times.
        assert len({request.headers["idempotency-key"] for request in received}) == 1
        assert [request.headers["x-api-key"] for request in received] == ["sk_key"] * 3


def test_the_key_follows_no_redirect() -> None:
    with canned_server(Canned(200)) as (other, received):
        redirect = Canned(307, headers={"location": f"{other}/api/my-videos"})
        with canned_server(redirect) as (url, _), Client(url, "sk_key") as client:
            with pytest.raises(ApiError) as raised:
                client.request("GET", "/api/my-videos")
            assert raised.value.status == 307
        assert received == []


def test_files_behind_signed_urls_are_fetched_without_the_key() -> None:
    with canned_server(Canned(200, b"file")) as (url, received), Client("http://127.0.0.1:9", "sk_key") as client:
        assert client.fetch(f"{url}/file") == b"file"
        assert "x-api-key" not in received[0].headers


def test_a_download_that_breaks_off_leaves_the_earlier_file(tmp_path: Path, pauses: list[float]) -> None:
    target = tmp_path / "events.csv"
    target.write_text("earlier")
    half = Canned(200, b"half", {"content-length": "8"})
    with canned_server(half) as (url, received), Client(url, "sk_key") as client:
        with pytest.raises(ServiceUnreachable):
            client._transport.save(f"{url}/file", target)
        assert len(received) == 4
    assert target.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [target]
    with canned_server(half, Canned(200, b"complete")) as (url, _), Client(url, "sk_key") as client:
        client._transport.save(f"{url}/file", target)
    assert target.read_text() == "complete"


def test_a_client_needs_a_key_and_the_url_of_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIGHTLINE_API_KEY")
    with pytest.raises(SightlineError, match="SIGHTLINE_API_KEY"):
        Client()
    with pytest.raises(SightlineError, match="http://"):
        Client("localhost:8099", "sk_key")
    assert "sk_secret" not in repr(Client("http://localhost:8099/", "sk_secret"))
