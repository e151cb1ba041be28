"""Sample records for the package's tests."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from tallycast.messages import StreamMessage, decode_message
from tallycast.models import CountersRecord, Feeds, PredictionRecord

FRESH = {"updated_ts": 1, "age_s": 0, "stale": False}


def post(number: int, **change: Any) -> dict[str, Any]:
    flags = {"is_reply": False, "is_quote": False, "is_retweet": False, "is_counted": None, "is_deleted": False}
    return {"tweet_id": str(number), "text": "text", "created_ts": number * 1000, **flags, **change}


def latest(newest: int, count: int = 15) -> list[dict[str, Any]]:
    """Newest first, like listings."""
    return [post(number) for number in range(newest, max(0, newest - count), -1)]


def counters(**change: Any) -> dict[str, Any]:
    counts = {"market_oracle_counter": 1, "real_counter": 2, "market_ui_counter": 1}
    deltas = {"settlement_delta": 1, "display_delta": 1, "internal_delta": 0}
    feeds = {field.name: FRESH for field in fields(Feeds)}
    event = {"event_id": 1, "event_title": "Posts", "image": "", "start_ts": 0, "end_ts": 1_000_000}
    return {**zeros(CountersRecord), **event, **counts, **deltas, "feeds": feeds, **change}


def zeros(record: type) -> dict[str, Any]:
    """A value for every required field, so that a new one changes nothing here."""
    return {field.name: 0 for field in fields(record) if field.default is MISSING}


def prediction(price: float | None = 0.4, **change: Any) -> dict[str, Any]:
    counts = {"market_oracle_counter": 1, "real_counter": 2, "market_ui_counter": 1}
    return {**zeros(PredictionRecord), "event_id": 1, **counts, "markets": [{"title": "10-19", "market_price": price}], **change}


def snapshot(**change: Any) -> StreamMessage:
    data = {
        "timestamp": 1_000_000,
        "account": "account_a",
        "tier": "FREE",
        "meta": [counters()],
        "prediction": [prediction()],
        "posts": [],
        **change,
    }
    return message("snapshot", data)


def message(event: str, data: dict[str, Any]) -> StreamMessage:
    decoded = decode_message("1-0", event, data)
    assert decoded is not None
    return decoded
