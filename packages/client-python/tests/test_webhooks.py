"""Webhook verification accepts only what the service signed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unittest

from tallycast import WebhookError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()
BODY = '{"type":"notice.post_captured","timestamp":5,"account":"account_a","data":{"tweet_id":"1"}}'
NOW_S = 1_700_000_000


def headers_of(body: str = BODY, at_s: int = NOW_S) -> dict[str, str]:
    digest = hmac.new(b"k" * 24, f"msg_1.{at_s}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,AAAA v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at_s), "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def test_returns_the_signed_content(self) -> None:
        for body in (BODY, BODY.encode()):
            notice = verify_webhook(SECRET, headers_of(), body, now_s=NOW_S)
            self.assertEqual((notice.type, notice.data), ("notice.post_captured", {"tweet_id": "1"}))

    def test_rejects_everything_else(self) -> None:
        other = "whsec_" + base64.b64encode(b"x" * 24).decode()
        for secret, headers, body, words in [
            (SECRET, headers_of(), BODY + " ", "not signed"),
            (other, headers_of(), BODY, "not signed"),
            (SECRET, headers_of(at_s=NOW_S - 301), BODY, "too old"),
            (SECRET, headers_of(at_s=NOW_S + 301), BODY, "future"),
            (SECRET, {**headers_of(), "webhook-timestamp": "soon"}, BODY, "too old"),
            (SECRET, {**headers_of(), "webhook-signature": "v1,***"}, BODY, "not signed"),
            (SECRET, {}, BODY, "webhook-id is missing"),
        ]:
            with self.assertRaisesRegex(WebhookError, words):
                verify_webhook(secret, headers, body, now_s=NOW_S)


if __name__ == "__main__":
    unittest.main()
