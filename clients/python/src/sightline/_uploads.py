"""Uploads in chunks by the tus protocol."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx

from ._transport import Transport, may_pass, pause_s, unreachable
from .errors import ApiError, SightlineError

CHUNK_BYTES = 8 * 1024 * 1024
"""Size of a chunk: the most that a broken connection loses."""
TRIES = 8
TUS = {"tus-resumable": "1.0.0"}
OUT_OF_SYNC = {409, 423, 460}
"""Wrong offset, concurrent writer, or corrupted chunk: the upload continues after reading the offset."""

OnProgress = Callable[[int, int], None]
"""Called with the number of bytes that the service has, and the size of the file."""


def begin_upload(transport: Transport, path: Path, fields: Mapping[str, str | None]) -> str:
    """Start an upload. Returns its id, which is also the id of the video."""
    metadata = ",".join(
        f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in fields.items() if value is not None
    )
    headers = {**TUS, "upload-length": str(path.stat().st_size), "upload-metadata": metadata}
    location = transport.request("POST", "/api/uploads", headers=headers).headers["location"]
    return str(location).rsplit("/", 1)[-1]


def continue_upload(transport: Transport, path: Path, upload_id: str, on_progress: OnProgress | None) -> None:
    """
    Send the rest of a file. Broken connections resume at the offset that the service reports. Raises an `ApiError` for
    permanent failures, such as a file that is not a video.
    """
    address = f"/api/uploads/{upload_id}"
    size = path.stat().st_size
    attempt = 1
    retry_after: str | None = None
    # None: unknown, so the offset is requested before the next chunk.
    offset: int | None = None
    with path.open("rb") as file:
        while offset is None or offset < size:
            try:
                if offset is None:
                    response = transport.once("HEAD", address, headers=TUS)
                    offset = _offset(response, "This upload has ended. Start a new one.")
                else:
                    file.seek(offset)
                    chunk = file.read(CHUNK_BYTES)
                    if not chunk:
                        raise SightlineError(f"{path} became shorter during its upload.")
                    offset = _offset(_send(transport, address, offset, chunk))
                    attempt = 1
            except httpx.TransportError as error:
                if attempt == TRIES:
                    raise unreachable(error) from error
                offset = None
            except ApiError as error:
                if attempt == TRIES or not (may_pass(error.status) or error.status in OUT_OF_SYNC):
                    raise
                offset = None
                retry_after = error.retry_after
            if offset is None:
                time.sleep(pause_s(attempt, retry_after))
                retry_after = None
                attempt += 1
            elif on_progress:
                on_progress(offset, size)


def _send(transport: Transport, address: str, offset: int, chunk: bytes) -> httpx.Response:
    checksum = base64.b64encode(hashlib.sha256(chunk).digest()).decode()
    headers = {
        **TUS,
        "content-type": "application/offset+octet-stream",
        "upload-offset": str(offset),
        "upload-checksum": f"sha256 {checksum}",
    }
    return transport.once("PATCH", address, headers=headers, content=chunk)


def _offset(response: httpx.Response, sentence: str | None = None) -> int:
    if not response.is_success:
        raise ApiError.of(response, sentence)
    return int(response.headers["upload-offset"])
