"""Calls over httpx with a scripted transport: URLs, retries, errors and responses."""

from __future__ import annotations

import asyncio
import json
import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx
from samples import counters, latest

import tallycast
from tallycast import AsyncTallycast, Tallycast
from tallycast._attempts import Patience


class Playing:
    """Plays the given responses in order: a status, or None for no response. Records the requests."""

    def __init__(self, *statuses: int | None, body: Any = None, retry_after: str = "0") -> None:
        self.asked: list[str] = []
        self._statuses = statuses
        self._body = body if body is not None else {"timestamp": 1, "data": [counters()]}
        self._retry_after = retry_after

    def __call__(self, request: httpx.Request) -> httpx.Response:
        status = self._statuses[min(len(self.asked), len(self._statuses) - 1)]
        self.asked.append(f"{request.method} {request.url}")
        if status is None:
            raise httpx.ConnectError("cut", request=request)
        body = self._body if status == 200 else {"detail": f"status {status}"}
        return httpx.Response(status, json=body, headers={"Retry-After": self._retry_after})


def client_of(play: Callable[[httpx.Request], httpx.Response], **more: Any) -> Tallycast:
    http = httpx.Client(transport=httpx.MockTransport(play))
    return Tallycast("http://service.invalid/", client=http, longest_pause_s=0.02, **more)


@mock.patch("time.sleep", mock.Mock())
class Attempts(unittest.TestCase):
    def test_retries_temporary_failures_up_to_the_limit(self) -> None:
        passing = Playing(503, 429, 200)
        self.assertEqual(client_of(passing).counters("account_a").data[0].real_counter, 2)
        self.assertEqual(len(passing.asked), 3)
        lasting = Playing(503)
        with self.assertRaises(tallycast.UnavailableError):
            client_of(lasting).counters("account_a")
        self.assertEqual(len(lasting.asked), 3)

    def test_does_not_retry_permanent_errors(self) -> None:
        for status, kind in [(401, tallycast.UnauthorizedError), (422, tallycast.InvalidRequestError)]:
            play = Playing(status)
            with self.assertRaises(kind):
                client_of(play).counters("account_a")
            self.assertEqual(len(play.asked), 1)

    def test_does_not_wait_longer_than_the_longest_allowed_pause(self) -> None:
        play = Playing(429, 200, retry_after="3600")
        with self.assertRaises(tallycast.RateLimitedError) as caught:
            client_of(play).counters("account_a")
        self.assertEqual(caught.exception.retry_after_s, 3600)

    def test_retries_a_change_only_if_the_service_did_not_process_it(self) -> None:
        refused = Playing(503, 200)
        with self.assertRaises(tallycast.UnavailableError):
            client_of(refused).create_channel("webhook", url="https://hooks.example.org/")
        self.assertEqual(len(refused.asked), 1)

    def test_does_not_retry_with_a_client_that_may_have_paid(self) -> None:
        play = Playing(None, 200)
        with self.assertRaises(tallycast.NoAnswerError) as caught:
            client_of(play).counters("account_a")
        self.assertIsInstance(caught.exception.__cause__, httpx.ConnectError)
        self.assertEqual(len(play.asked), 1)
        patience = Patience(2, 30, repeats_unanswered=True)
        self.assertIsNotNone(patience.next_pause_s(tallycast.NoAnswerError(), 0, "GET"))
        self.assertIsNone(patience.next_pause_s(tallycast.NoAnswerError(), 0, "POST"))

    def test_behaves_the_same_with_asyncio(self) -> None:
        async def ask() -> int:
            play = Playing(503, 200)
            http = httpx.AsyncClient(transport=httpx.MockTransport(play))
            async with AsyncTallycast("http://service.invalid", client=http, longest_pause_s=0.02) as client:
                await client.counters("account_a")
            await http.aclose()
            return len(play.asked)

        self.assertEqual(asyncio.run(ask()), 2)


class Addresses(unittest.TestCase):
    def test_encode_accounts_and_values(self) -> None:
        play = Playing(200, body={"timestamp": 1, "data": []})
        client_of(play).signals("a/b", bankroll=250, only_with_signals=True)
        self.assertEqual(
            play.asked,
            ["GET http://service.invalid/api/v1/signals/a%2Fb?bankroll=250&only_with_signals=true"],
        )


class Reach(unittest.TestCase):
    def test_a_rule_sends_only_the_given_fields(self) -> None:
        sent: list[tuple[str, str, Any]] = []

        def play(request: httpx.Request) -> httpx.Response:
            sent.append((request.method, request.url.path, json.loads(request.content or "null")))
            rule = {
                **{"rule_id": "rul_1", "kind": "price_moved", "account": None, "event_id": None},
                **{"threshold": 0.05, "channels": ["chn_1", "chn_2"], "most_per_hour": 20, "created_ts": 1},
                **{"quiet_from": "22:00", "quiet_to": "07:00", "quiet_zone": "UTC"},
            }
            return httpx.Response(200, json={"timestamp": 1, "data": rule})

        created = client_of(play).create_rule(
            "price_moved", threshold=0.05, channels=["chn_1", "chn_2"], quiet=("22:00", "07:00", "UTC")
        )
        self.assertEqual(created.data.channels, ["chn_1", "chn_2"])
        asked = {
            **{"kind": "price_moved", "threshold": 0.05, "channels": "chn_1,chn_2"},
            **{"quiet_from": "22:00", "quiet_to": "07:00", "quiet_zone": "UTC"},
        }
        self.assertEqual(sent, [("POST", "/api/v1/rules", asked)])

    def test_paging_returns_every_alert_once(self) -> None:
        def play(request: httpx.Request) -> httpx.Response:
            at = int(request.url.params.get("cursor", "0"))
            page = [notice(n) for n in range(at, min(at + 3, 8))]
            following = str(at + 3) if at + 3 < 8 else None
            return httpx.Response(200, json={"timestamp": 1, "data": page, "next_cursor": following})

        found = [each.notice_id for each in client_of(play).every_notice(page_size=3)]
        self.assertEqual(found, [f"ntc_{n}" for n in range(8)])

    def test_history_times_use_the_api_parameter_names(self) -> None:
        play = Playing(200, body={"timestamp": 1, "data": [], "next_cursor": None})
        client_of(play).past_events("account_a", from_ts=5, to_ts=9)
        self.assertEqual(play.asked, ["GET http://service.invalid/api/v1/history/account_a/events?from=5&to=9"])


def notice(number: int) -> dict[str, Any]:
    return {
        **{"notice_id": f"ntc_{number}", "kind": "feed", "what": "dark", "account": "account_a"},
        **{"event_id": None, "title": "", "text": "", "link": "", "data": {}, "rule_ids": []},
        **{"happened_ts": 1, "created_ts": 1, "due_ts": None},
    }


class Answers(unittest.TestCase):
    def test_ignores_fields_added_by_a_later_version(self) -> None:
        play = Playing(200, body={"timestamp": 1, "data": [counters(novel=1)], "more": 2})
        self.assertEqual(client_of(play).counters("account_a").timestamp, 1)

    def test_reports_which_part_of_a_response_is_invalid(self) -> None:
        record = counters()
        del record["event_id"]
        for body, words in [
            ({"timestamp": 1, "data": [record]}, r"MetaAnswer\.data\[0\]\.event_id is missing"),
            ({"timestamp": 1, "data": 3}, r"MetaAnswer\.data is not a list"),
            ([], "MetaAnswer is not an object"),
        ]:
            with self.assertRaisesRegex(tallycast.UnexpectedAnswerError, words):
                client_of(Playing(200, body=body)).counters("account_a")

    def test_paging_returns_every_post_once(self) -> None:
        def play(request: httpx.Request) -> httpx.Response:
            limit, offset = (int(request.url.params[name]) for name in ("limit", "offset"))
            # One post arrives between two pages.
            data = latest(40 + offset // limit, 100)[offset : offset + limit]
            return httpx.Response(200, json={"timestamp": 1, "data": data, "limit": limit, "offset": offset})

        found = [int(post.tweet_id) for post in client_of(play).every_post("account_a", page_size=7)]
        self.assertEqual(found, list(range(40, 0, -1)))


if __name__ == "__main__":
    unittest.main()
