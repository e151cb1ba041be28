"""Request and response handling shared by both clients."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from ._sse import EventParser
from .errors import NoAnswerError, UnexpectedAnswerError, read_error
from .messages import StreamMessage, decode_message


class StreamEnded(NoAnswerError):
    """The service closed an open stream, as it does on shutdown."""


def headers_of(api_key: str | None) -> dict[str, str]:
    return {"Accept": "application/json", **({"X-API-Key": api_key} if api_key else {})}


def read_answer(response: httpx.Response, also_takes: frozenset[int]) -> Any:
    if not response.is_success and response.status_code not in also_takes:
        raise read_error(response)
    try:
        return response.json()
    except ValueError as error:
        raise UnexpectedAnswerError(f"{response.url} did not return JSON") from error


def wrap_failure(error: httpx.HTTPError, url: str) -> NoAnswerError:
    return NoAnswerError(f"no response from {url}: {error or type(error).__name__}")


class StreamReading:
    """Position in a stream, across any number of connections."""

    def __init__(self, last_event_id: str) -> None:
        self._last_event_id = last_event_id
        self._parser = EventParser()

    def begin(self) -> None:
        """Starts a new connection and drops a partial message, which the service sends again."""
        self._parser = EventParser()

    def headers(self) -> dict[str, str]:
        resume = {"Last-Event-ID": self._last_event_id} if self._last_event_id else {}
        return {"Accept": "text/event-stream", "Cache-Control": "no-store", **resume}

    def feed(self, chunk: bytes) -> Iterator[StreamMessage]:
        for heard in self._parser.feed(chunk):
            message = decode_message(heard.id, heard.event, json.loads(heard.data))
            self._last_event_id = heard.id or self._last_event_id
            if message is not None:
                yield message
