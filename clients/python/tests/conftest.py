"""
Fixtures on a running service: `SIGHTLINE_URL`, `SIGHTLINE_API_KEY`, and `SIGHTLINE_TEST_CLIP`, a clip in which the
picture gets dark once, from 6 to 8 seconds. `acceptance/python-client.world.test.ts` starts it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from wire import Wire

from sightline import Answer, Client
from sightline.models import VideoStatus

DARK = "the picture gets dark"
HOSTILE = """<img src=x onerror=alert(1)><script>alert("2")</script> ' & name"""
"""A name and a label that are HTML."""


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture(scope="session")
def clip() -> Path:
    return Path(os.environ["SIGHTLINE_TEST_CLIP"])


@pytest.fixture(scope="session")
def video(client: Client, clip: Path) -> VideoStatus:
    return client.upload(clip, name=HOSTILE, folder="Python")


@pytest.fixture(scope="session")
def answer(client: Client, video: VideoStatus) -> Answer:
    return client.answer(DARK, video)


@pytest.fixture
def wire(client: Client) -> Iterator[Wire]:
    wire = Wire(client.url)
    yield wire
    wire.close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replaces pauses of the client, and lists their seconds."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses
