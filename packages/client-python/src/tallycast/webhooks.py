"""Verifies and parses received webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from time import time
from typing import Any

_SECRET_PREFIX = "whsec_"


class WebhookError(ValueError):
    """The webhook is not signed with this secret, is too old, or is incomplete."""


@dataclass(frozen=True, slots=True)
class WebhookNotice:
    type: str  # e.g. notice.advice
    timestamp: int  # UTC milliseconds
    account: str | None
    data: dict[str, Any]


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: str | bytes,
    *,
    tolerance_s: float = 300,
    now_s: float | None = None,
) -> WebhookNotice:
    """Raises WebhookError unless the body, exactly as received, is recent and was signed with the secret."""
    text = body.decode("utf-8") if isinstance(body, bytes) else body
    message_id = _read_header(headers, "webhook-id")
    timestamp = _read_header(headers, "webhook-timestamp")
    signatures = _read_header(headers, "webhook-signature").split(" ")
    if not _is_fresh(timestamp, time() if now_s is None else now_s, tolerance_s):
        raise WebhookError("the webhook is too old or has a timestamp in the future")
    signed = f"{message_id}.{timestamp}.{text}".encode()
    expected = hmac.new(_decode_base64(secret.removeprefix(_SECRET_PREFIX)), signed, hashlib.sha256).digest()
    if not any(_is_signature(candidate, expected) for candidate in signatures):
        raise WebhookError("the webhook is not signed with this secret")
    notice = json.loads(text)
    return WebhookNotice(notice["type"], notice["timestamp"], notice["account"], notice["data"])


def _is_fresh(timestamp: str, now_s: float, tolerance_s: float) -> bool:
    try:
        return abs(now_s - float(timestamp)) <= tolerance_s
    except ValueError:
        return False


def _is_signature(candidate: str, expected: bytes) -> bool:
    version, _, digest = candidate.partition(",")
    return version == "v1" and hmac.compare_digest(_decode_base64(digest), expected)


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _read_header(headers: Mapping[str, str], name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name and value:
            return value
    raise WebhookError(f"the header {name} is missing")
