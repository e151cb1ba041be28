"""Responses as frames: one row per bucket, with stable types even without rows."""

from __future__ import annotations

import unittest

try:
    import pandas
except ModuleNotFoundError:
    raise unittest.SkipTest("pandas is not installed") from None
from samples import counters, post, prediction

from tallycast import to_frame
from tallycast._decode import decode
from tallycast.models import CountersRecord, MetaAnswer, PerformanceHistory, PostRecord, PredictionAnswer


class Frames(unittest.TestCase):
    def test_has_one_row_per_bucket_with_the_event_in_each(self) -> None:
        markets = [
            {"title": "0-9", "market_price": 0.4, "model_prob": 0.5},
            {"title": "10-19", "market_price": None, "model_prob": 0.5},
        ]
        record = prediction(forecast={"p5": 1, "p50": 2, "p95": 4}, markets=markets)
        frame = to_frame(decode(PredictionAnswer, {"timestamp": 1, "data": [record]}))
        self.assertEqual(list(frame["title"]), ["0-9", "10-19"])
        self.assertEqual(list(frame["forecast_p50"]), [2, 2])
        self.assertEqual(str(frame["market_price"].dtype), "float64")
        self.assertTrue(pandas.isna(frame["market_price"][1]))

    def test_converts_times_and_keeps_counts_with_gaps_as_integers(self) -> None:
        records = [counters(end_ts=1_700_000_000_000), counters(event_id=2, real_counter=None)]
        frame = to_frame(decode(MetaAnswer, {"timestamp": 1, "data": records}))
        self.assertEqual(frame["end_ts"][0], pandas.Timestamp("2023-11-14T22:13:20Z"))
        self.assertEqual(str(frame["real_counter"].dtype), "Int64")
        self.assertEqual(frame["real_counter"].sum(), 2)
        self.assertIn("feeds_oracle_stale", frame.columns)

    def test_keeps_columns_and_types_without_rows(self) -> None:
        full = to_frame(decode(MetaAnswer, {"timestamp": 1, "data": [counters()]}))
        empty = to_frame(decode(MetaAnswer, {"timestamp": 1, "data": []}))
        self.assertEqual(len(empty), 0)
        self.assertEqual(dict(empty.dtypes), dict(full.dtypes))
        self.assertEqual(len(to_frame([])), 0)

    def test_accepts_any_records(self) -> None:
        records = (decode(PostRecord, post(number)) for number in (2, 1))
        self.assertEqual(list(to_frame(records)["tweet_id"]), ["2", "1"])
        self.assertEqual(len(to_frame(decode(CountersRecord, counters()))), 1)

    def test_parses_dates_in_the_performance_history(self) -> None:
        point = {"error_pct": 1.5, "event_id": 1, "account": "a", "p50": 3, "final_count": 4, "model_version": "m"}
        answer = {"data": [{"timestamp": "2026-11-01T00:00:00.000Z", **point}], "annotations": []}
        frame = to_frame(decode(PerformanceHistory, answer))
        self.assertEqual(frame["timestamp"][0], pandas.Timestamp("2026-11-01T00:00:00Z"))


if __name__ == "__main__":
    unittest.main()
