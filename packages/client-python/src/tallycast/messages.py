"""Live stream messages, by event name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Union

from ._decode import decode
from .models import CountersRecord, PostRecord, PredictionRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    event_id: int
    title: str
    market_price: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Feed:
    feed: str
    updated_ts: int | None
    age_s: int | None
    stale: bool
    problem: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    event_id: int
    final_count: int
    winning_bucket: str | None
    revision: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    timestamp: int
    account: str
    tier: str
    meta: list[CountersRecord]
    prediction: list[PredictionRecord]
    posts: list[PostRecord]
    settlements: list[Settlement] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Missed posts that can no longer be listed, because they are older than the caller's tier may see."""

    after_ts: int
    before_ts: int


@dataclass(frozen=True, slots=True)
class SnapshotMessage:
    """The whole state, sent at the start and whenever missed messages are no longer available."""

    id: str
    data: Snapshot
    event: Literal["snapshot"] = "snapshot"


@dataclass(frozen=True, slots=True)
class CountersMessage:
    id: str
    data: CountersRecord
    event: Literal["counters"] = "counters"


@dataclass(frozen=True, slots=True)
class PostMessage:
    id: str
    data: PostRecord
    event: Literal["post"] = "post"


@dataclass(frozen=True, slots=True)
class ForecastMessage:
    """Sent to PRO callers only."""

    id: str
    data: PredictionRecord
    event: Literal["forecast"] = "forecast"


@dataclass(frozen=True, slots=True)
class PriceMessage:
    id: str
    data: Price
    event: Literal["price"] = "price"


@dataclass(frozen=True, slots=True)
class FeedMessage:
    id: str
    data: Feed
    event: Literal["feed"] = "feed"


@dataclass(frozen=True, slots=True)
class SettlementMessage:
    id: str
    data: Settlement
    event: Literal["settlement"] = "settlement"


@dataclass(frozen=True, slots=True)
class GapMessage:
    id: str
    data: Gap
    event: Literal["gap"] = "gap"


StreamMessage = Union[
    SnapshotMessage,
    CountersMessage,
    PostMessage,
    ForecastMessage,
    PriceMessage,
    FeedMessage,
    SettlementMessage,
]
Change = Union[StreamMessage, GapMessage]


def decode_message(message_id: str, event: str, data: Any) -> StreamMessage | None:
    """Returns None for an event type that only a later version of the service knows."""
    if event == "snapshot":
        return SnapshotMessage(message_id, decode(Snapshot, data))
    if event == "counters":
        return CountersMessage(message_id, decode(CountersRecord, data))
    if event == "post":
        return PostMessage(message_id, decode(PostRecord, data))
    if event == "forecast":
        return ForecastMessage(message_id, decode(PredictionRecord, data))
    if event == "price":
        return PriceMessage(message_id, decode(Price, data))
    if event == "feed":
        return FeedMessage(message_id, decode(Feed, data))
    if event == "settlement":
        return SettlementMessage(message_id, decode(Settlement, data))
    return None
