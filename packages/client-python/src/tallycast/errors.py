"""Errors for rejected or failed calls, one class per way of handling them."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from time import time
from typing import Any

import httpx


class TallycastError(Exception):
    """The service rejected the call."""

    def __init__(self, response: httpx.Response, body: Any) -> None:
        detail = body.get("detail") if isinstance(body, dict) else None
        self.status: int = response.status_code
        #: The service's message, or the list of invalid parameters for a 422.
        self.detail: str | list[dict[str, Any]] = detail if detail is not None else response.reason_phrase
        #: Seconds until a retry may succeed; None if unknown.
        self.retry_after_s: float | None = _read_retry_after(response.headers.get("Retry-After"))
        #: The whole response body.
        self.body: Any = body
        super().__init__(f"{self.status}: {_describe(self.detail)}")


class RedirectedError(TallycastError):
    """3xx: redirects are not followed, because that would forward the key. `location` is the address to use instead."""

    def __init__(self, response: httpx.Response) -> None:
        self.location: str | None = response.headers.get("Location")
        place = self.location or "another address"
        super().__init__(response, {"detail": f"redirected to {place}; set the client's url to the service's address"})


class UnauthorizedError(TallycastError):
    """401: the key is missing or unknown, or its tier is too low."""


class PaymentRequiredError(TallycastError):
    """402: the call requires a payment; `body` has the terms."""


class NotFoundError(TallycastError):
    """404: no such account, event or webhook."""


class InvalidRequestError(TallycastError):
    """422: some parameters are invalid; `faults` lists them."""

    @property
    def faults(self) -> list[dict[str, Any]]:
        return self.detail if isinstance(self.detail, list) else []


class RateLimitedError(TallycastError):
    """429: the hourly limit is reached; `retry_after_s` says how long to wait."""


class UnavailableError(TallycastError):
    """5xx: the service is temporarily unavailable."""


class NoAnswerError(Exception):
    """No response: the connection was refused or lost, or timed out. `__cause__` has the reason."""


class UnexpectedAnswerError(Exception):
    """The response has an unexpected format, e.g. because another server runs at this address."""


_BY_STATUS: dict[int, type[TallycastError]] = {
    401: UnauthorizedError,
    402: PaymentRequiredError,
    404: NotFoundError,
    422: InvalidRequestError,
    429: RateLimitedError,
}


def read_error(response: httpx.Response) -> TallycastError:
    """Builds the error from a response; its body must already have been read."""
    if 300 <= response.status_code < 400:
        return RedirectedError(response)
    try:
        body = response.json()
    except ValueError:
        body = None
    fallback = UnavailableError if response.status_code >= 500 else TallycastError
    return _BY_STATUS.get(response.status_code, fallback)(response, body)


def _describe(detail: str | list[dict[str, Any]]) -> str:
    if isinstance(detail, str):
        return detail
    return "; ".join(f"{'.'.join(map(str, fault.get('loc', [])))}: {fault.get('msg')}" for fault in detail)


def _read_retry_after(text: str | None) -> float | None:
    """Accepts seconds, or a date as sent by proxies."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except (TypeError, ValueError):
        return None
