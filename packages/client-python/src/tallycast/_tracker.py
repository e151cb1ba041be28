"""Tracks what a stream has sent, so that a second snapshot (after a gap longer than the service's log, e.g. a restart)
can be turned into the missed changes, each reported once. Stateful, but performs no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from .messages import (
    Change,
    CountersMessage,
    Feed,
    FeedMessage,
    ForecastMessage,
    Gap,
    GapMessage,
    PostMessage,
    Price,
    PriceMessage,
    Settlement,
    SettlementMessage,
    Snapshot,
    SnapshotMessage,
    StreamMessage,
)
from .models import CountersRecord, FeedAge, PostRecord, PredictionRecord

#: Far more posts than can appear between two reads; older entries are dropped.
_POSTS_KEPT = 10_000


class ChangeTracker:
    def __init__(self) -> None:
        self._has_begun = False
        # Posts made before the start are not new, even if a later listing includes them.
        self._begin_ts = 0
        self._newest_ts = 0
        self._posts: dict[str, bool] = {}
        self._latest: dict[tuple[Any, ...], Any] = {}

    def take(self, message: StreamMessage) -> list[Change]:
        """Returns the new parts of a message; an empty list if everything is known."""
        if not isinstance(message, SnapshotMessage):
            return [message] if self._note(message) else []
        if self._has_begun:
            return self._take_snapshot(message.id, message.data)
        self._has_begun = True
        self._take_snapshot(message.id, message.data)
        posts = message.data.posts
        self._begin_ts = posts[-1].created_ts if posts else message.data.timestamp
        return [message]

    def has_gap(self, message: StreamMessage) -> bool:
        """Whether there may be unknown posts older than the oldest post in this snapshot."""
        if not (isinstance(message, SnapshotMessage) and self._has_begun and self._posts):
            return False
        posts = message.data.posts
        return bool(posts) and not any(post.tweet_id in self._posts for post in posts)

    def is_known(self, post: PostRecord) -> bool:
        return post.tweet_id in self._posts or post.created_ts < self._begin_ts

    def take_missed(self, message_id: str, posts: Sequence[PostRecord], reaches_back: bool) -> list[Change]:
        """Returns the new posts in a listing, preceded by a gap if the listing did not reach back far enough."""
        gap: list[Change] = []
        if not reaches_back and posts:
            before_ts = min(post.created_ts for post in posts)
            gap = [GapMessage(message_id, Gap(after_ts=self._newest_ts, before_ts=before_ts))]
        return gap + self._take_posts(message_id, posts)

    def _take_posts(self, message_id: str, posts: Sequence[PostRecord]) -> list[Change]:
        return [PostMessage(message_id, post) for post in reversed(posts) if self._is_new_post(post)]

    def _take_snapshot(self, message_id: str, snapshot: Snapshot) -> list[Change]:
        changes: list[Change] = self._take_posts(message_id, snapshot.posts)
        candidates: list[StreamMessage] = [
            *(CountersMessage(message_id, record) for record in snapshot.meta),
            *(ForecastMessage(message_id, record) for record in snapshot.prediction if record.forecast),
            *(PriceMessage(message_id, price) for price in _list_prices(snapshot.prediction)),
            *(FeedMessage(message_id, feed) for feed in _list_feeds(snapshot.meta)),
            *(SettlementMessage(message_id, settlement) for settlement in snapshot.settlements),
        ]
        changes.extend(message for message in candidates if self._is_news(*_facts_of(message)))
        return changes

    def _note(self, message: StreamMessage) -> bool:
        """Records a single change; returns False for a known post or settlement."""
        if isinstance(message, PostMessage):
            return self._is_new_post(message.data)
        is_news = self._is_news(*_facts_of(message))
        return is_news or not isinstance(message, SettlementMessage)

    def _is_news(self, name: tuple[Any, ...], value: Any) -> bool:
        if name in self._latest and self._latest[name] == value:
            return False
        self._latest[name] = value
        return True

    def _is_new_post(self, post: PostRecord) -> bool:
        before = self._posts.get(post.tweet_id)
        if (post.created_ts < self._begin_ts) if before is None else before == post.is_deleted:
            return False
        self._posts.pop(post.tweet_id, None)
        self._posts[post.tweet_id] = post.is_deleted
        self._newest_ts = max(self._newest_ts, post.created_ts)
        if len(self._posts) > _POSTS_KEPT:
            del self._posts[next(iter(self._posts))]
        return True


def _facts_of(message: StreamMessage) -> tuple[tuple[Any, ...], Any]:
    """Returns a message's subject and content, without fields that always change."""
    data = message.data
    if isinstance(data, CountersRecord):
        counts = (data.real_counter, data.market_oracle_counter, data.market_ui_counter)
        return ("counters", data.event_id), counts
    if isinstance(data, PredictionRecord):
        return ("forecast", data.event_id), (
            data.forecast,
            [(market.title, market.model_prob) for market in data.markets],
        )
    if isinstance(data, Price):
        return ("price", data.event_id, data.title), data.market_price
    if isinstance(data, Feed):
        return ("feed", data.feed), data.stale
    if isinstance(data, Settlement):
        return ("settlement", data.event_id), data.revision
    raise TypeError(f"{message.event} is not a single change")


def _list_prices(records: Iterable[PredictionRecord]) -> Iterable[Price]:
    for record in records:
        for market in record.markets:
            yield Price(event_id=record.event_id, title=market.title, market_price=market.market_price)


def _list_feeds(records: Sequence[CountersRecord]) -> Iterable[Feed]:
    """Every record in a snapshot has the same feeds."""
    for record in records[:1]:
        for field in fields(record.feeds):
            age: FeedAge = getattr(record.feeds, field.name)
            yield Feed(feed=field.name, updated_ts=age.updated_ts, age_s=age.age_s, stale=age.stale)
