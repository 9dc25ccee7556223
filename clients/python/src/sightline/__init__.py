"""Client of Sightline, the self-hosted video analysis service."""

from ._streams import StreamEvent
from .answers import Answer, Run
from .client import Client
from .errors import AnalysisFailed, ApiError, ServiceUnreachable, SightlineError
from .events import Event, EventCollection, EventList, EventSearch

__all__ = [
    "AnalysisFailed",
    "Answer",
    "ApiError",
    "Client",
    "Event",
    "EventCollection",
    "EventList",
    "EventSearch",
    "Run",
    "ServiceUnreachable",
    "SightlineError",
    "StreamEvent",
]
