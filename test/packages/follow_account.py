"""Prints every change of an account as a line of JSON until stopped. Argument: sync or async."""

import asyncio
import json
import os
import sys
from typing import Any

from tallycast import AsyncTallycast, Tallycast

URL, KEY, ACCOUNT = (os.environ[name] for name in ("TALLYCAST_URL", "TALLYCAST_KEY", "TALLYCAST_ACCOUNT"))


def tell(change: Any) -> None:
    line: dict[str, Any] = {"event": change.event}
    if change.event == "snapshot":
        line["posts"] = [post.tweet_id for post in change.data.posts]
    if change.event == "post":
        line["post"] = change.data.tweet_id
    if change.event == "counters":
        line["counters"] = [change.data.event_id, change.data.real_counter]
    print(json.dumps(line), flush=True)


async def follow() -> None:
    async with AsyncTallycast(URL, KEY) as client:
        async for change in client.follow(ACCOUNT):
            tell(change)


if sys.argv[1] == "sync":
    for each in Tallycast(URL, KEY).follow(ACCOUNT):
        tell(each)
else:
    asyncio.run(follow())
