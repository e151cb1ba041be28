"""The Tallycast client for asyncio: one method per endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import models
from ._aio_endpoints import AsyncEndpoints
from ._attempts import Patience, StreamPauses
from ._calls import Account, Call, Config, path_of, stream_path, values_of
from ._decode import decode
from ._exchange import StreamEnded, StreamReading, headers_of, read_answer, wrap_failure
from ._tracker import ChangeTracker
from .errors import NoAnswerError, TallycastError, read_error
from .messages import Change, SnapshotMessage, StreamMessage

T = TypeVar("T")
OnReconnect = Callable[[float, Exception], None]


class AsyncTallycast(AsyncEndpoints):
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

    async def accounts(self) -> list[Account]:
        return (await self._send(Call(Config, "/config.json"))).accounts

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """Returns the JSON from any path, for endpoints without a method here."""
        return await self._send(Call(object, path, query or {}, method, body))

    async def health(self) -> models.Health:
        """Also returns a report while the service is down, if it can still be reached."""
        # An outage is reported as 503 with a useful body.
        return await self._send(Call(models.Health, path_of("health"), also_takes=frozenset({503})))

    async def create_rule(
        self,
        kind: models.RuleKind,
        *,
        account: str | None = None,
        event_id: int | None = None,
        threshold: float | None = None,
        channels: Sequence[str] = (),
        quiet: tuple[str, str, str] | None = None,
        most_per_hour: int | None = None,
    ) -> models.RuleCreated:
        """Creates an alert rule. `channels` are ids; `quiet` is from, to and zone: ("22:00", "07:00", "Europe/Zurich")."""
        quiet_from, quiet_to, quiet_zone = quiet or (None, None, None)
        values = {
            **{"kind": kind, "account": account, "event_id": event_id, "threshold": threshold},
            **{"channels": ",".join(channels), "most_per_hour": most_per_hour},
            **{"quiet_from": quiet_from, "quiet_to": quiet_to, "quiet_zone": quiet_zone},
        }
        body = values_of(values)
        return await self._send(Call(models.RuleCreated, path_of("rules"), method="POST", body=body))

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
                self._url + stream_path(account),
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

    async def _send(self, call: Call[T]) -> T:
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

    async def _send_once(self, call: Call[T]) -> object:
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
