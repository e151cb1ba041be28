#!/usr/bin/env python3
"""Draws a forecast fan: the count so far, then the median and the 5-95% range until the window ends.

    pip install tallycast
    TALLYCAST_KEY=tc_pro_... python3 examples/python/plot_fan.py fan.svg

The picture is an SVG made with the standard library. In a notebook, `Fan(client, "account_a")` as the last
line of a cell shows it.
"""

import os
import sys
from datetime import datetime, timezone
from html import escape

from tallycast import Tallycast

URL = os.environ.get("TALLYCAST_URL", "http://127.0.0.1:8080")
ACCOUNT = os.environ.get("TALLYCAST_ACCOUNT", "account_a")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 56, 150, 44, 40


class Fan:
    """The open event with a forecast that ends last, or the one with `event_id`."""

    def __init__(self, client, account, event_id=None):
        forecasts = [each for each in client.forecast(account).data if each.forecast and each.forecast.path]
        wanted = [each for each in forecasts if event_id in (None, each.event_id)]
        if not wanted:
            raise SystemExit("No forecast yet, or the key is not PRO.")
        chosen = max(wanted, key=lambda each: each.forecast.path[-1].ts)
        self.path = chosen.forecast.path
        events = {each.event_id: each for each in client.counters(account).data}
        self.title = events[chosen.event_id].event_title
        self.past = list(self.count_hours(client.hourly(account, event_id=chosen.event_id).data[0].hours))

    def count_hours(self, hours):
        total = 0
        for hour in hours:
            if hour.start_ts >= self.path[0].ts:
                break
            yield hour.start_ts, total
            total += hour.counted
        yield self.path[0].ts, self.path[0].p50

    def _repr_svg_(self):
        times = [ts for ts, _ in self.past] + [point.ts for point in self.path]
        most = max(point.p95 for point in self.path) or 1

        def at(ts, count):
            x = LEFT + (ts - times[0]) / (times[-1] - times[0]) * (WIDTH - LEFT - RIGHT)
            return f"{x:.1f},{HEIGHT - BOTTOM - count / most * (HEIGHT - TOP - BOTTOM):.1f}"

        upper = [at(point.ts, point.p95) for point in self.path]
        lower = [at(point.ts, point.p5) for point in reversed(self.path)]
        end = self.path[-1]
        labels = [text(LEFT, 22, self.title, size=15)]
        for name, count in (("95%", end.p95), ("median", end.p50), ("5%", end.p5)):
            x, y = map(float, at(end.ts, count).split(","))
            labels.append(text(x + 8, y + 4, f"{name} {count:.0f}"))
        for ts, anchor in ((times[0], "start"), (self.path[0].ts, "middle"), (times[-1], "end")):
            day = datetime.fromtimestamp(ts / 1000, timezone.utc).strftime("%d %b %H:%M")
            labels.append(text(float(at(ts, 0).split(",")[0]), HEIGHT - 14, day, anchor))
        return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">
<rect width="100%" height="100%" fill="#fff"/>
<polygon points="{' '.join(upper + lower)}" fill="#0a7468" fill-opacity="0.18"/>
{line([at(*point) for point in self.past], "#0f1f1c")}
{line([at(point.ts, point.p50) for point in self.path], "#0a7468")}
{line([at(times[0], 0), at(times[-1], 0)], "#c6d2cf")}
{chr(10).join(labels)}
</svg>
"""


def line(points, colour):
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def text(x, y, words, anchor="start", size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'


if __name__ == "__main__":
    file = sys.argv[1] if len(sys.argv) > 1 else "fan.svg"
    with Tallycast(URL, os.environ.get("TALLYCAST_KEY")) as client:
        picture = Fan(client, ACCOUNT)._repr_svg_()
    with open(file, "w", encoding="utf-8") as out:
        out.write(picture)
    print(f"{file}: {len(picture)} bytes")
