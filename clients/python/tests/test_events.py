from __future__ import annotations

import csv
from html.parser import HTMLParser
from pathlib import Path

import pandas
import pytest
from conftest import DARK, HOSTILE

from sightline import Answer, ApiError, Client, EventList
from sightline.client import _file_name
from sightline.events import COLUMNS


def test_events_are_a_data_frame(answer: Answer) -> None:
    frame = answer.events.to_dataframe()
    assert list(frame.columns) == list(COLUMNS)
    assert pandas.api.types.is_float_dtype(frame["start_s"])
    [row] = frame.to_dict("records")
    assert row["start_s"] == pytest.approx(6, abs=0.1)
    assert (row["video_name"], row["query"], row["approval"]) == (HOSTILE, DARK, "pending")
    empty = EventList([]).to_dataframe()
    assert list(empty.dtypes) == list(frame.dtypes)
    assert len(empty) == 0


def test_evidence_and_clips_are_shown_in_notebooks(answer: Answer) -> None:
    event = answer.events[0]
    picture = event.image()
    assert picture is not None
    assert picture.startswith(b"\xff\xd8\xff")
    for shown in (event, answer.events, answer):
        assert shown._repr_html_().count('src="data:image/jpeg;base64,') == 1
    clip = event.clip(padding_s=0.5)
    assert clip.data[4:8] == b"ftyp"
    assert 'src="data:video/mp4;base64,' in clip._repr_html_()  # type: ignore[no-untyped-call]


class Tags(HTMLParser):
    """All tags and attributes of a text, and what it shows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.sources: list[str] = []
        self.shown: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.sources += [value or "" for name, value in attrs if name == "src"]
        if tag == "img":
            self.shown += [value or "" for name, value in attrs if name == "alt"]

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


def test_text_of_others_never_becomes_html(client: Client, answer: Answer) -> None:
    event = answer.events[0].review(label=HOSTILE, note=HOSTILE)
    assert event.label == HOSTILE
    found = client.events(video_id=answer.video_id, label=HOSTILE)
    again = client.document(answer.video_id, answer.analysis_id)
    for shown in (event, found, again, again.events):
        page = Tags(shown._repr_html_())
        assert page.tags <= {"figure", "figcaption", "img", "b", "br", "small", "p", "ul", "li"} | {
            *("table", "thead", "tbody", "tr", "th", "td"),
        }
        assert page.attributes <= {"style", "src", "alt"}
        assert all(source.startswith("data:image/jpeg;base64,") for source in page.sources)
        assert HOSTILE in page.shown
    client.review(event, label="picture is dark")


def test_verdicts_and_missed_events(client: Client, answer: Answer) -> None:
    [event] = client.review(answer.events[0], approval="rejected", reason="wrong thing")
    assert (event.approval, client.event(event.event_id).approval) == ("rejected", "rejected")
    added = client.add_event(answer, label="A door opens", start_s=2, end_s=3)
    assert (added.approval, added.start_s) == ("approved", 2)
    both = client.review([event, added], approval="approved", note="both")
    assert {each.approval for each in both} == {"approved"}
    with pytest.raises(ApiError) as raised:
        client.review([event, "missing"], approval="rejected")
    assert raised.value.status == 404


def test_a_search_reads_all_pages_again_and_again(client: Client, answer: Answer) -> None:
    client.add_event(answer, label="A bell rings", start_s=1, end_s=1.5)
    found = client.events(video_id=answer.video_id, added=True, limit=1)
    labels = [event.label for event in found]
    assert "A bell rings" in labels
    assert labels == list(found.to_dataframe()["label"])
    assert len(list(client.events(video_id=answer.video_id, limit=1))) > 1


def test_an_export_is_a_file(client: Client, answer: Answer, tmp_path: Path) -> None:
    named = client.export(tmp_path / "mine.csv", format="csv", video_ids=[answer.video_id])
    assert named == tmp_path / "mine.csv"
    with named.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {row["event_id"] for row in rows} == {event.event_id for event in client.events(video_id=answer.video_id)}
    given = client.export(tmp_path, format="vtt", video_ids=[answer.video_id])
    assert given.parent == tmp_path
    assert given.suffix == ".vtt"
    assert given.read_text().startswith("WEBVTT")
    with pytest.raises(ApiError):
        client.export(tmp_path, format="vtt")
    assert sorted(tmp_path.iterdir()) == sorted([named, given])


@pytest.mark.parametrize("name", ["../../etc/passwd", "..\\..\\passwd", "/etc/passwd", "passwd"])
def test_a_name_of_the_service_never_leads_out_of_the_folder(name: str) -> None:
    assert _file_name(name) == "passwd"
    assert _file_name("..") == _file_name("a/") == "events"
