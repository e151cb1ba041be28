"""A user's first program, synchronous and with asyncio. Prints its results as JSON."""

import asyncio
import json
import os
from contextlib import aclosing
from itertools import islice

from tallycast import AsyncTallycast, Tallycast, UnauthorizedError, to_frame

URL, KEY = os.environ["TALLYCAST_URL"], os.environ["TALLYCAST_KEY"]


def use() -> dict[str, object]:
    with Tallycast(URL, KEY) as client:
        account = client.accounts()[0].segment
        counters = client.counters(account)
        ladder = client.ladder(account, bankroll=500)
        signals = client.signals(account, bankroll=500)
        frame = to_frame(signals)
        answers = [client.health(), client.hourly(account), client.forecast(account), client.performance()]
        answers += [client.performance_history(), client.calibration(), client.ledger(), client.record(), client.crypto_markets()]
        return {
            "events": [record.event_id for record in counters.data],
            "counts": [int(count) for count in to_frame(counters)["real_counter"]],
            "ladder": [row.bucket for row in ladder.data[0].rows],
            "answers": len(answers),
            "posts": len(list(islice(client.every_post(account, page_size=20), 50))),
            "first": next(client.follow(account)).event,
            "reach": use_reach(client, account, ladder.data[0].event_id),
            "signals": [
                [record.event_id, signal.bucket, signal.suggested_bet]
                for record in signals.data
                for signal in record.signals
            ],
            "frame": {
                "rows": frame[["event_id", "bucket", "suggested_bet"]].values.tolist(),
                "columns": list(frame.columns),
            },
        }


def use_reach(client: Tallycast, account: str, event_id: int) -> dict[str, object]:
    channel = client.create_channel("telegram", label="phone").data
    rule = client.create_rule("feed", account=account, channels=[channel.channel_id], most_per_hour=5).data
    tested = client.test_rule(rule.rule_id).data.notice_id
    told = [notice.notice_id for notice in client.every_notice(page_size=1)]
    answer = {
        "linking": [each.state for each in client.list_channels().data if each.channel_id == channel.channel_id],
        "is_code_told": bool(channel.link_code),
        "rule": [rule.kind, rule.account, rule.channels == [channel.channel_id], rule.most_per_hour],
        "is_listed": rule.rule_id in [each.rule_id for each in client.list_rules().data],
        "is_tested": tested in told,
        "what_if": client.what_if(account, event_id, silent_hours=6).data.event_id,
        "course": client.event_history(account, event_id).data.event_id,
        "is_past": event_id in [each.event_id for each in client.past_events(account).data],
        "removed": [client.remove_rule(rule.rule_id).data.rule_id == rule.rule_id],
    }
    client.remove_channel(channel.channel_id)
    return answer


async def use_async() -> dict[str, object]:
    async with AsyncTallycast(URL, KEY) as client, AsyncTallycast(URL) as stranger:
        account = (await client.accounts())[0].segment
        counters = await client.counters(account)
        async with aclosing(client.follow(account)) as changes:
            first = await changes.__anext__()
        try:
            await stranger.signals(account)
            refused = False
        except UnauthorizedError as error:
            refused = error.status == 401
        return {"events": [each.event_id for each in counters.data], "first": first.event, "refused": refused}


print(json.dumps({"sync": use(), "async": asyncio.run(use_async())}))
