"""Decides whether and when to retry a call. Pure except for jitter."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import NoAnswerError, TallycastError

#: Temporary errors, worth a retry; all others are permanent.
RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504})
#: Rejected before any work was done, so any method can be retried.
_NOTHING_DONE = frozenset({425, 429})
_FIRST_PAUSE_S = 0.25


@dataclass(frozen=True, slots=True)
class Patience:
    retries: int
    longest_pause_s: float
    #: Whether to retry a call without a response; false if the client may have paid.
    repeats_unanswered: bool

    def next_pause_s(self, error: Exception, attempt: int, method: str) -> float | None:
        """Returns None if the call must not be retried."""
        if attempt >= self.retries or not self._may_repeat(error, method):
            return None
        asked_s = asked_pause_s(error)
        if asked_s > self.longest_pause_s:
            return None
        return max(asked_s, choose_pause_s(min(_FIRST_PAUSE_S * 2**attempt, self.longest_pause_s)))

    def _may_repeat(self, error: Exception, method: str) -> bool:
        is_harmless = method in ("GET", "DELETE")
        if isinstance(error, NoAnswerError):
            return is_harmless and self.repeats_unanswered
        if not isinstance(error, TallycastError):
            return False
        return error.status in (RETRYABLE if is_harmless else _NOTHING_DONE)


def asked_pause_s(error: Exception) -> float:
    return (error.retry_after_s or 0.0) if isinstance(error, TallycastError) else 0.0


def choose_pause_s(longest_s: float) -> float:
    """Half of the pause is random, so that clients disconnected together do not reconnect together."""
    return longest_s * (0.5 + random.random() / 2)


class StreamPauses:
    """Pauses between stream connections; each consecutive failure doubles the pause."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._first_s = first_s
        self._longest_s = longest_s
        self._next_s = first_s

    def note_message(self) -> None:
        self._next_s = self._first_s

    def after(self, problem: Exception) -> float:
        """Raises errors that a retry cannot fix."""
        if isinstance(problem, TallycastError) and problem.status not in RETRYABLE:
            raise problem
        pause_s = max(asked_pause_s(problem), choose_pause_s(self._next_s))
        self._next_s = min(self._next_s * 2, self._longest_s)
        return pause_s
