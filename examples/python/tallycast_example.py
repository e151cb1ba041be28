#!/usr/bin/env python3
"""Counts, forecasts and the live stream with only the standard library.

    TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... python3 examples/python/tallycast_example.py
"""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("TALLYCAST_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("TALLYCAST_KEY")
ACCOUNT = os.environ.get("TALLYCAST_ACCOUNT", "account_a")
MESSAGES = int(os.environ.get("MESSAGES", "5"))


def open_url(path, headers=None, timeout=30, **query):
    """Requests one API path; errors contain the service's message."""
    address = f"{URL}/api/v1{path}"
    if query:
        address += "?" + urllib.parse.urlencode(query)
    request = urllib.request.Request(address, headers=headers or {})
    if KEY:
        request.add_header("X-API-Key", KEY)
    return urllib.request.urlopen(request, timeout=timeout)


def get(path, **query):
    with open_url(path, **query) as response:
        return json.load(response)


def follow(account):
    """Yields (id, event, data) forever; a broken stream resumes after the last message."""
    last_id, pause = None, 1
    while True:
        headers = {"Accept": "text/event-stream"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        try:
            # The service sends something every second, so silence means a broken connection.
            with open_url(f"/stream/{account}", headers=headers, timeout=45) as stream:
                for message in read_messages(stream):
                    last_id, pause = message[0], 1
                    yield message
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504):
                raise
            pause = max(pause, int(error.headers.get("Retry-After") or 0))
        except OSError:
            pass
        time.sleep(pause)
        pause = min(pause * 2, 30)


def read_messages(stream):
    fields = {}
    for raw in stream:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "" and "data" in fields:
            yield fields.get("id"), fields.get("event", "message"), json.loads(fields["data"])
            fields = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


def main():
    for event in get(f"/meta/{ACCOUNT}")["data"]:
        print(f"{event['event_title']}: {event['real_counter']} counted, oracle {event['market_oracle_counter']}")

    for record in get(f"/prediction/{ACCOUNT}")["data"]:
        forecast = record.get("forecast")
        print(f"forecast for {record['event_id']}: {forecast or 'PRO only'}")

    try:
        for record in get(f"/signals/{ACCOUNT}", bankroll=1000, only_with_signals="true")["data"]:
            buys = [signal for signal in record["signals"] if signal["action"] == "BUY"]
            print(f"{record['event_title']}: " + ", ".join(f"{buy['bucket']} for {buy['suggested_bet']} USD" for buy in buys))
    except urllib.error.HTTPError as error:
        print(f"signals: {json.load(error)['detail']}")

    for heard, (message_id, event, _data) in enumerate(follow(ACCOUNT), start=1):
        print(message_id, event)
        if heard >= MESSAGES:
            return


if __name__ == "__main__":
    main()
