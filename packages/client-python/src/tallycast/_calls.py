"""A request as a value with its response type. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

T = TypeVar("T")
API_PREFIX = "/api/v1"


@dataclass(frozen=True)
class Call(Generic[T]):
    kind: type[T]
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    method: str = "GET"
    body: Mapping[str, Any] | None = None
    #: Statuses other than 2xx that have a useful body.
    also_takes: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Account:
    segment: str
    label: str


@dataclass(frozen=True, slots=True)
class Config:
    accounts: list[Account]


def stream_path(account: str) -> str:
    return path_of("stream", account)


def path_of(*parts: str) -> str:
    return "/".join([API_PREFIX, *(quote(part, safe="") for part in parts)])


def values_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Drops omitted parameters; writes booleans as JSON does."""
    given = {name: value for name, value in values.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}
