"""Stream parsing, and reporting every change exactly once."""

from __future__ import annotations

import random
import unittest

from samples import counters, latest, message, post, prediction, snapshot

from tallycast._sse import EventParser, ServerSentEvent
from tallycast._tracker import ChangeTracker
from tallycast.messages import Change, GapMessage, PostMessage, decode_message


def told_posts(changes: list[Change]) -> list[int]:
    return [int(change.data.tweet_id) for change in changes if isinstance(change, PostMessage)]


class Grammar(unittest.TestCase):
    TEXT = "id: 7\r\nevent: post\r\ndata: öne\r\ndata: two\r\n\r\n: beat\r\n\r\nevent: x\r\n\r\ndata:x\r\n\r\n"

    def test_parses_the_same_messages_for_any_chunking(self) -> None:
        encoded = self.TEXT.encode()
        whole = [ServerSentEvent("7", "post", "öne\ntwo"), ServerSentEvent("7", "message", "x")]
        for cut in range(len(encoded) + 1):
            parser = EventParser()
            self.assertEqual(parser.feed(encoded[:cut]) + parser.feed(encoded[cut:]), whole, cut)

    def test_waits_for_the_end_of_a_message(self) -> None:
        self.assertEqual(EventParser().feed(b"data: a\n"), [])

    def test_ignores_an_event_type_from_a_later_version(self) -> None:
        self.assertIsNone(decode_message("1", "weather", {}))


class Tracking(unittest.TestCase):
    def test_returns_the_first_snapshot_unchanged_and_nothing_for_an_identical_one(self) -> None:
        tracker, first = ChangeTracker(), snapshot(posts=latest(2))
        self.assertEqual(tracker.take(first), [first])
        self.assertEqual(tracker.take(first), [])

    def test_reports_the_changes_in_a_second_snapshot(self) -> None:
        tracker = ChangeTracker()
        tracker.take(snapshot(posts=latest(1)))
        settlement = {"event_id": 7, "final_count": 12, "winning_bucket": "10-19", "revision": 1}
        missed = tracker.take(
            snapshot(
                posts=latest(3),
                meta=[counters(real_counter=3)],
                prediction=[prediction(0.6, forecast={"p5": 1, "p50": 2, "p95": 4})],
                settlements=[settlement],
            )
        )
        events = [change.event for change in missed]
        self.assertEqual(events, ["post", "post", "counters", "forecast", "price", "settlement"])
        self.assertEqual(told_posts(missed), [2, 3])

    def test_compares_a_snapshot_with_the_individual_messages_before_it(self) -> None:
        tracker = ChangeTracker()
        tracker.take(snapshot())
        tracker.take(message("counters", counters(real_counter=9)))
        tracker.take(message("price", {"event_id": 1, "title": "10-19", "market_price": 0.9}))
        same = snapshot(meta=[counters(real_counter=9)], prediction=[prediction(0.9)])
        self.assertEqual(tracker.take(same), [])

    def test_reports_a_stale_feed_and_a_deletion_once(self) -> None:
        tracker = ChangeTracker()
        tracker.take(snapshot(posts=latest(1)))
        dark = counters()
        dark["feeds"] = {**dark["feeds"], "oracle": {"updated_ts": 1, "age_s": 900, "stale": True}}
        gone = snapshot(meta=[dark], posts=[post(1, is_deleted=True)])
        self.assertEqual([change.event for change in tracker.take(gone)], ["post", "feed"])
        self.assertEqual(tracker.take(gone), [])

    def test_reports_a_gap_that_a_listing_cannot_fill(self) -> None:
        tracker = ChangeTracker()
        tracker.take(snapshot(posts=latest(20)))
        restart = snapshot(posts=latest(60))
        self.assertTrue(tracker.has_gap(restart))
        records = [each.data for each in map(lambda one: message("post", one), latest(60))]
        missed = tracker.take_missed("1-0", records, reaches_back=False)  # type: ignore[arg-type]
        self.assertIsInstance(missed[0], GapMessage)
        self.assertEqual((missed[0].data.after_ts, missed[0].data.before_ts), (20_000, 46_000))  # type: ignore
        self.assertEqual(told_posts(missed), list(range(46, 61)))
        self.assertEqual(tracker.take(restart), [])

    def test_reports_every_post_exactly_once_even_across_restarts(self) -> None:
        for seed in range(200):
            chance, tracker, newest, missed = random.Random(seed), ChangeTracker(), 1, []
            tracker.take(snapshot(posts=latest(newest)))
            for _ in range(chance.randint(0, 20)):
                first_heard, newest = newest + 1, newest + chance.randint(0, 15)
                if chance.random() < 0.5:
                    missed += told_posts(tracker.take(snapshot(posts=latest(newest))))
                    first_heard = max(2, newest - chance.randint(0, 3))
                for number in range(first_heard, newest + 1):
                    missed += told_posts(tracker.take(message("post", post(number))))
            self.assertEqual(missed, list(range(2, newest + 1)), seed)


if __name__ == "__main__":
    unittest.main()
