"""The Tallycast client for asyncio: one method per endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import _calls, models
from ._attempts import Patience, StreamPauses
from ._decode import decode
from ._exchange import StreamEnded, StreamReading, headers_of, read_answer, wrap_failure
from ._tracker import ChangeTracker
from .errors import NoAnswerError, TallycastError, read_error
from .messages import Change, SnapshotMessage, StreamMessage

T = TypeVar("T")
OnReconnect = Callable[[float, Exception], None]


class AsyncTallycast:
    """Accounts are identified by segment, e.g. account_a; `accounts()` lists them."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        client: httpx.AsyncClient | None = None,
        retries: int = 2,
        timeout_s: float = 30,
        longest_pause_s: float = 30,
    ) -> None:
        """`client` replaces the default httpx client, e.g. to pay, use a proxy or log requests."""
        self._url = url.rstrip("/")
        self._headers = headers_of(api_key)
        self._timeout_s = timeout_s
        self._patience = Patience(retries, longest_pause_s, repeats_unanswered=client is None)
        self._is_own = client is None
        self._http = client or httpx.AsyncClient()

    async def __aenter__(self) -> AsyncTallycast:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def accounts(self) -> list[_calls.Account]:
        return (await self._send(_calls.config())).accounts

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """Returns the JSON from any path, for endpoints without a method here."""
        return await self._send(_calls.Call(object, path, query or {}, method, body))

    async def health(self) -> models.Health:
        """Also returns a report while the service is down, if it can still be reached."""
        return await self._send(_calls.health())

    async def counters(self, account: str) -> models.MetaAnswer:
        return await self._send(_calls.counters(account))

    async def posts(
        self, account: str, *, limit: int | None = None, offset: int | None = None
    ) -> models.TweetsAnswer:
        return await self._send(_calls.posts(account, limit, offset))

    async def hourly(
        self, account: str, *, event_id: int | None = None, tz: str | None = None
    ) -> models.HourlyAnswer:
        return await self._send(_calls.hourly(account, event_id, tz))

    async def forecast(self, account: str) -> models.PredictionAnswer:
        return await self._send(_calls.forecast(account))

    async def opportunities(
        self, *, bankroll: float | None = None, limit: int | None = None
    ) -> models.OpportunitiesAnswer:
        """Current trades across all accounts and events, best first."""
        return await self._send(_calls.opportunities(bankroll, limit))

    async def signals(
        self, account: str, *, bankroll: float | None = None, only_with_signals: bool | None = None
    ) -> models.SignalsAnswer:
        return await self._send(_calls.signals(account, bankroll, only_with_signals))

    async def ladder(
        self, account: str, *, event_id: int | None = None, bankroll: float | None = None
    ) -> models.LadderAnswer:
        return await self._send(_calls.ladder(account, event_id, bankroll))

    async def portfolio(
        self, account: str, wallet: str, *, bankroll: float | None = None
    ) -> models.PortfolioAnswer:
        return await self._send(_calls.portfolio(account, wallet, bankroll))

    async def rebalancing(
        self, account: str, wallet: str, bankroll: float, *, threshold: float | None = None
    ) -> models.RebalancingAnswer:
        return await self._send(_calls.rebalancing(account, wallet, bankroll, threshold))

    async def crypto_markets(self) -> models.CryptoAnswer:
        return await self._send(_calls.crypto_markets())

    async def performance(self, *, account: str | None = None) -> models.PerformanceOverview:
        return await self._send(_calls.performance(account))

    async def performance_history(
        self, *, horizon: _calls.Horizon | None = None, days: int | None = None, account: str | None = None
    ) -> models.PerformanceHistory:
        return await self._send(_calls.performance_history(horizon, days, account))

    async def calibration(self, *, account: str | None = None) -> models.PerformanceCalibration:
        return await self._send(_calls.calibration(account))

    async def ledger(self, *, account: str | None = None) -> models.PerformanceLedger:
        return await self._send(_calls.ledger(account))

    async def record(
        self, *, account: str | None = None, horizon: _calls.Horizon | None = None
    ) -> models.PerformanceRecord:
        return await self._send(_calls.record(account, horizon))

    async def seals(self, *, limit: int | None = None, cursor: str | None = None) -> models.SealsAnswer:
        return await self._send(_calls.seals(limit, cursor))

    async def sealed_hour(self, hour_ts: int, *, seq: int | None = None) -> models.SealedHourAnswer:
        return await self._send(_calls.sealed_hour(hour_ts, seq))

    async def join_waitlist(
        self,
        *,
        type: str,
        case: str,
        name: str | None = None,
        wallet: str | None = None,
        email: str | None = None,
    ) -> models.WaitlistAnswer:
        return await self._send(_calls.join_waitlist(type, case, name, wallet, email))

    async def create_webhook(self, url: str, *, topics: str | None = None) -> models.WebhookCreated:
        return await self._send(_calls.create_webhook(url, topics))

    async def list_webhooks(self) -> models.WebhookList:
        return await self._send(_calls.list_webhooks())

    async def remove_webhook(self, webhook_id: str) -> models.WebhookRemoved:
        return await self._send(_calls.remove_webhook(webhook_id))

    async def webhook_deliveries(
        self, webhook_id: str, *, limit: int | None = None
    ) -> models.WebhookDeliveries:
        return await self._send(_calls.webhook_deliveries(webhook_id, limit))

    async def replay_delivery(self, webhook_id: str, delivery_id: str) -> models.WebhookReplayed:
        return await self._send(_calls.replay_delivery(webhook_id, delivery_id))

    async def create_channel(
        self, kind: _calls.ChannelKind, *, url: str | None = None, label: str | None = None
    ) -> models.ChannelCreated:
        """Creates an alert channel. To link a Telegram channel, send its link_code to the bot."""
        return await self._send(_calls.create_channel(kind, url, label))

    async def list_channels(self) -> models.ChannelList:
        return await self._send(_calls.list_channels())

    async def remove_channel(self, channel_id: str) -> models.ChannelRemoved:
        return await self._send(_calls.remove_channel(channel_id))

    async def test_channel(self, channel_id: str) -> models.NoticeTested:
        """Sends a test alert to the channel."""
        return await self._send(_calls.test_channel(channel_id))

    async def channel_deliveries(
        self, channel_id: str, *, limit: int | None = None
    ) -> models.WebhookDeliveries:
        return await self._send(_calls.list_channel_deliveries(channel_id, limit))

    async def replay_channel_delivery(self, channel_id: str, delivery_id: str) -> models.WebhookReplayed:
        return await self._send(_calls.replay_channel_delivery(channel_id, delivery_id))

    async def create_rule(
        self,
        kind: _calls.RuleKind,
        *,
        account: str | None = None,
        event_id: int | None = None,
        threshold: float | None = None,
        channels: Sequence[str] = (),
        quiet: tuple[str, str, str] | None = None,
        most_per_hour: int | None = None,
    ) -> models.RuleCreated:
        """Creates an alert rule. `channels` are ids; `quiet` is from, to and zone: ("22:00", "07:00", "Europe/Zurich")."""
        call = _calls.create_rule(kind, account, event_id, threshold, channels, quiet, most_per_hour)
        return await self._send(call)

    async def list_rules(self) -> models.RuleList:
        return await self._send(_calls.list_rules())

    async def remove_rule(self, rule_id: str) -> models.RuleRemoved:
        return await self._send(_calls.remove_rule(rule_id))

    async def test_rule(self, rule_id: str) -> models.NoticeTested:
        """Sends a test alert to the rule's channels."""
        return await self._send(_calls.test_rule(rule_id))

    async def notices(self, *, limit: int | None = None, cursor: str | None = None) -> models.NoticeList:
        """Recent alerts, newest first."""
        return await self._send(_calls.notices(limit, cursor))

    async def every_notice(self, *, page_size: int = 100) -> AsyncGenerator[models.Notice, None]:
        """Every alert, newest first, page by page."""
        cursor: str | None = None
        while True:
            page = await self.notices(limit=page_size, cursor=cursor)
            for notice in page.data:
                yield notice
            cursor = page.next_cursor
            if cursor is None:
                return

    async def past_events(
        self,
        account: str,
        *,
        from_ts: int | None = None,
        to_ts: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.PastEventsAnswer:
        """Running and settled events, latest end first."""
        return await self._send(_calls.past_events(account, from_ts, to_ts, limit, cursor))

    async def event_history(
        self,
        account: str,
        event_id: int,
        *,
        from_ts: int | None = None,
        to_ts: int | None = None,
        step: _calls.Step | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.CourseAnswer:
        """An event's history, earliest first."""
        return await self._send(_calls.event_history(account, event_id, from_ts, to_ts, step, limit, cursor))

    async def what_if(
        self,
        account: str,
        event_id: int,
        *,
        pace_factor: float | None = None,
        silent_hours: float | None = None,
        wake_ts: int | None = None,
        posts_added: int | None = None,
        bankroll: float | None = None,
    ) -> models.WhatIfAnswer:
        """Forecast, ladder and advice under the given assumptions; the published ones if there are none."""
        call = _calls.what_if(account, event_id, pace_factor, silent_hours, wake_ts, posts_added, bankroll)
        return await self._send(call)

    async def outlook(self, account: str, *, event_id: int | None = None) -> models.OutlookAnswer:
        """When to expect the next post, and how similar windows ended."""
        return await self._send(_calls.outlook(account, event_id))

    async def every_post(
        self, account: str, *, page_size: int = 100
    ) -> AsyncGenerator[models.PostRecord, None]:
        """Every post, newest first, page by page; without a key, only the latest 15."""
        seen: set[str] = set()
        offset = 0
        while True:
            page = await self.posts(account, limit=page_size, offset=offset)
            for post in page.data:
                # New posts shift the pages, so skip posts already seen.
                if post.tweet_id not in seen:
                    seen.add(post.tweet_id)
                    yield post
            # In the public view, every page is the first page.
            if len(page.data) < page.limit or (page.limit, page.offset) != (page_size, offset):
                return
            offset += page_size

    async def stream(
        self,
        account: str,
        *,
        last_event_id: str | None = None,
        on_reconnect: OnReconnect | None = None,
        min_pause_s: float = 0.5,
        max_pause_s: float = 30,
        silent_after_s: float = 45,
    ) -> AsyncGenerator[StreamMessage, None]:
        """Live updates; reconnects after failures until closed."""
        reading = StreamReading(last_event_id or "")
        pauses = StreamPauses(min_pause_s, max_pause_s)
        while True:
            problem: Exception = StreamEnded("the stream ended")
            try:
                async with aclosing(self._read_stream(account, reading, silent_after_s)) as messages:
                    async for message in messages:
                        pauses.note_message()
                        yield message
            except (TallycastError, NoAnswerError) as error:
                problem = error
            pause_s = pauses.after(problem)
            if on_reconnect is not None:
                on_reconnect(pause_s, problem)
            await asyncio.sleep(pause_s)

    async def follow(
        self, account: str, *, on_reconnect: OnReconnect | None = None
    ) -> AsyncGenerator[Change, None]:
        """Like `stream`, but only the first message is a snapshot: missed changes then arrive one by one."""
        tracker = ChangeTracker()
        async with aclosing(self.stream(account, on_reconnect=on_reconnect)) as messages:
            async for message in messages:
                if isinstance(message, SnapshotMessage) and tracker.has_gap(message):
                    posts, reaches_back = await self._list_missed(account, tracker)
                    for change in tracker.take_missed(message.id, posts, reaches_back):
                        yield change
                for change in tracker.take(message):
                    yield change

    async def _list_missed(
        self, account: str, tracker: ChangeTracker
    ) -> tuple[list[models.PostRecord], bool]:
        missed: list[models.PostRecord] = []
        async for post in self.every_post(account):
            if tracker.is_known(post):
                return missed, True
            missed.append(post)
        return missed, False

    async def _read_stream(
        self, account: str, reading: StreamReading, silent_after_s: float
    ) -> AsyncGenerator[StreamMessage, None]:
        """Reads one connection, from open to close."""
        reading.begin()
        try:
            async with self._http.stream(
                "GET",
                self._url + _calls.stream_path(account),
                headers={**self._headers, **reading.headers()},
                timeout=httpx.Timeout(self._timeout_s, read=silent_after_s),
                follow_redirects=False,
            ) as response:
                if response.status_code != 200:
                    await response.aread()
                    raise read_error(response)
                async for chunk in response.aiter_bytes():
                    for message in reading.feed(chunk):
                        yield message
        except httpx.HTTPError as error:
            raise wrap_failure(error, self._url) from error

    async def _send(self, call: _calls.Call[T]) -> T:
        attempt = 0
        while True:
            try:
                return decode(call.kind, await self._send_once(call))
            except (TallycastError, NoAnswerError) as error:
                pause_s = self._patience.next_pause_s(error, attempt, call.method)
                if pause_s is None:
                    raise
            attempt += 1
            await asyncio.sleep(pause_s)

    async def _send_once(self, call: _calls.Call[T]) -> object:
        try:
            response = await self._http.request(
                call.method,
                self._url + call.path,
                params=dict(call.query),
                json=call.body,
                headers=self._headers,
                timeout=self._timeout_s,
                # A client that follows redirects would send the key to another host.
                follow_redirects=False,
            )
        except httpx.HTTPError as error:
            raise wrap_failure(error, self._url) from error
        return read_answer(response, call.also_takes)
