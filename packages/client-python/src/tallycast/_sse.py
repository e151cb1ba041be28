"""Parses the bytes of a text/event-stream into messages, following the HTML standard. Stateful, but performs no I/O."""

from __future__ import annotations

import codecs
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    id: str  # the stream's last id, from this or an earlier message
    event: str
    data: str


class EventParser:
    """Accepts bytes in chunks of any size."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        text = self._rest + self._decoder.decode(chunk)
        # A trailing carriage return may be half of CRLF, so it waits for the next chunk.
        held = "\r" if text.endswith("\r") else ""
        lines = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + held
        return [event for event in map(self._read_line, lines) if event is not None]

    def _read_line(self, line: str) -> ServerSentEvent | None:
        if line == "":
            return self._end_message()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _end_message(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        return ServerSentEvent(self._id, event or "message", "\n".join(data)) if data else None
