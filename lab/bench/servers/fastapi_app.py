"""The same features on FastAPI: key check, rolling limiter, usage rows, headers. Run by uvicorn from the bench."""

import hashlib
import json
import os
import time
from collections import defaultdict, deque

from fastapi import Depends, FastAPI, HTTPException, Request, Response

BODY = json.load(open(os.environ["BODY_FILE"]))
KNOWN = {hashlib.sha256(key.encode()).hexdigest(): str(i) for i, key in enumerate(os.environ["KEYS"].split(","))}
LIMIT = 1_000_000_000
SLOTS = 720
app = FastAPI()
windows = defaultdict(lambda: {"counts": [0] * SLOTS, "slot": 0, "total": 0})
usage = deque(maxlen=65_536)


def caller(request: Request) -> str:
    key = request.headers.get("x-api-key")
    if key is None:
        return request.client.host
    known = KNOWN.get(hashlib.sha256(key.encode()).hexdigest())
    if known is None:
        raise HTTPException(401, "Unknown key")
    return known


def limited(response: Response, who: str = Depends(caller)) -> str:
    window = windows[who]
    slot = int(time.time() / 3600 * SLOTS)
    if window["slot"] < slot - SLOTS:
        window["slot"] = slot - SLOTS
    while window["slot"] < slot:
        window["slot"] += 1
        index = window["slot"] % SLOTS
        window["total"] -= window["counts"][index]
        window["counts"][index] = 0
    if window["total"] >= LIMIT:
        raise HTTPException(429, "Rate limit exceeded")
    window["counts"][slot % SLOTS] += 1
    window["total"] += 1
    left = LIMIT - window["total"]
    response.headers["RateLimit-Policy"] = f'"pro";q={LIMIT};w=3600'
    response.headers["RateLimit"] = f'"pro";r={left};t=3600'
    response.headers["X-RateLimit-Limit"] = str(LIMIT)
    response.headers["X-RateLimit-Remaining"] = str(left)
    response.headers["X-RateLimit-Reset"] = str(int(time.time()) + 3600)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-cache"
    return who


@app.get("/{path:path}")
async def answer(path: str, who: str = Depends(limited)):
    usage.append((time.time(), who, path, 200))
    return BODY
