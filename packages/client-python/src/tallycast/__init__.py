"""Client for Tallycast: counts, forecasts, signals and live changes for prediction markets on post counts."""

from ._calls import Account
from .aio import AsyncTallycast
from .client import Tallycast
from .errors import (
    InvalidRequestError,
    NoAnswerError,
    NotFoundError,
    PaymentRequiredError,
    RateLimitedError,
    RedirectedError,
    TallycastError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedAnswerError,
)
from .frames import to_frame
from .messages import Change, StreamMessage
from .webhooks import WebhookError, WebhookNotice, verify_webhook

__all__ = [
    "Account",
    "AsyncTallycast",
    "Change",
    "InvalidRequestError",
    "NoAnswerError",
    "NotFoundError",
    "PaymentRequiredError",
    "RateLimitedError",
    "RedirectedError",
    "StreamMessage",
    "Tallycast",
    "TallycastError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "WebhookError",
    "WebhookNotice",
    "to_frame",
    "verify_webhook",
]
