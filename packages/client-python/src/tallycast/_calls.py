"""Builds every request as a value with its response type. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

from . import models

T = TypeVar("T")
API_PREFIX = "/api/v1"
Horizon = Literal[24, 48, 72]
ChannelKind = Literal["webhook", "discord", "telegram"]
RuleKind = models.RuleKind
Step = Literal["hour", "all"]


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


def config() -> Call[Config]:
    return Call(Config, "/config.json")


def stream_path(account: str) -> str:
    return f"{API_PREFIX}/stream/{quote(account, safe='')}"


def _get(kind: type[T], *parts: str, **query: Any) -> Call[T]:
    return Call(kind, _path(*parts), _given(query))


def _post(answer: type[T], *parts: str, **body: Any) -> Call[T]:
    return Call(answer, _path(*parts), method="POST", body=_given(body))


def _path(*parts: str) -> str:
    return "/".join([API_PREFIX, *(quote(part, safe="") for part in parts)])


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Drops omitted parameters; writes booleans as JSON does."""
    given = {name: value for name, value in values.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}


def health() -> Call[models.Health]:
    # The health endpoint reports an outage as 503 with a useful body.
    return Call(models.Health, _path("health"), also_takes=frozenset({503}))


def counters(account: str) -> Call[models.MetaAnswer]:
    return _get(models.MetaAnswer, "meta", account)


def posts(account: str, limit: int | None, offset: int | None) -> Call[models.TweetsAnswer]:
    return _get(models.TweetsAnswer, "meta", account, "tweets", limit=limit, offset=offset)


def hourly(account: str, event_id: int | None, tz: str | None) -> Call[models.HourlyAnswer]:
    return _get(models.HourlyAnswer, "meta", account, "hourly", event_id=event_id, tz=tz)


def forecast(account: str) -> Call[models.PredictionAnswer]:
    return _get(models.PredictionAnswer, "prediction", account)


def signals(
    account: str, bankroll: float | None, only_with_signals: bool | None
) -> Call[models.SignalsAnswer]:
    return _get(
        models.SignalsAnswer, "signals", account, bankroll=bankroll, only_with_signals=only_with_signals
    )


def opportunities(bankroll: float | None, limit: int | None) -> Call[models.OpportunitiesAnswer]:
    return _get(models.OpportunitiesAnswer, "signals", bankroll=bankroll, limit=limit)


def ladder(account: str, event_id: int | None, bankroll: float | None) -> Call[models.LadderAnswer]:
    return _get(models.LadderAnswer, "signals", account, "ladder", event_id=event_id, bankroll=bankroll)


def portfolio(account: str, wallet: str, bankroll: float | None) -> Call[models.PortfolioAnswer]:
    return _get(models.PortfolioAnswer, "portfolio", account, wallet=wallet, bankroll=bankroll)


def rebalancing(
    account: str, wallet: str, bankroll: float, threshold: float | None
) -> Call[models.RebalancingAnswer]:
    return _get(
        models.RebalancingAnswer,
        "portfolio",
        account,
        "rebalancing",
        wallet=wallet,
        bankroll=bankroll,
        threshold=threshold,
    )


def crypto_markets() -> Call[models.CryptoAnswer]:
    return _get(models.CryptoAnswer, "meta", "crypto")


def performance(account: str | None) -> Call[models.PerformanceOverview]:
    return _get(models.PerformanceOverview, "performance", "overview", account=account)


def performance_history(
    horizon: Horizon | None, days: int | None, account: str | None
) -> Call[models.PerformanceHistory]:
    return _get(
        models.PerformanceHistory, "performance", "history", horizon=horizon, days=days, account=account
    )


def calibration(account: str | None) -> Call[models.PerformanceCalibration]:
    return _get(models.PerformanceCalibration, "performance", "calibration", account=account)


def ledger(account: str | None) -> Call[models.PerformanceLedger]:
    return _get(models.PerformanceLedger, "performance", "ledger", account=account)


def record(account: str | None, horizon: Horizon | None) -> Call[models.PerformanceRecord]:
    return _get(models.PerformanceRecord, "performance", "record.json", account=account, horizon=horizon)


def seals(limit: int | None, cursor: str | None) -> Call[models.SealsAnswer]:
    return _get(models.SealsAnswer, "performance", "seals", limit=limit, cursor=cursor)


def sealed_hour(hour_ts: int, seq: int | None) -> Call[models.SealedHourAnswer]:
    return _get(models.SealedHourAnswer, "performance", "seals", str(hour_ts), seq=seq)


def join_waitlist(
    type: str, case: str, name: str | None, wallet: str | None, email: str | None
) -> Call[models.WaitlistAnswer]:
    body = _given({"type": type, "case": case, "name": name, "wallet": wallet, "email": email})
    return Call(models.WaitlistAnswer, _path("waitlist"), method="POST", body=body)


def create_webhook(url: str, topics: str | None) -> Call[models.WebhookCreated]:
    body = _given({"url": url, "topics": topics})
    return Call(models.WebhookCreated, _path("webhooks"), method="POST", body=body)


def list_webhooks() -> Call[models.WebhookList]:
    return _get(models.WebhookList, "webhooks")


def remove_webhook(webhook_id: str) -> Call[models.WebhookRemoved]:
    return Call(models.WebhookRemoved, _path("webhooks", webhook_id), method="DELETE")


def webhook_deliveries(webhook_id: str, limit: int | None) -> Call[models.WebhookDeliveries]:
    return _get(models.WebhookDeliveries, "webhooks", webhook_id, "deliveries", limit=limit)


def replay_delivery(webhook_id: str, delivery_id: str) -> Call[models.WebhookReplayed]:
    path = _path("webhooks", webhook_id, "deliveries", delivery_id, "replay")
    return Call(models.WebhookReplayed, path, method="POST")


def create_channel(kind: ChannelKind, url: str | None, label: str | None) -> Call[models.ChannelCreated]:
    return _post(models.ChannelCreated, "channels", kind=kind, url=url, label=label)


def list_channels() -> Call[models.ChannelList]:
    return _get(models.ChannelList, "channels")


def remove_channel(channel_id: str) -> Call[models.ChannelRemoved]:
    return Call(models.ChannelRemoved, _path("channels", channel_id), method="DELETE")


def test_channel(channel_id: str) -> Call[models.NoticeTested]:
    return Call(models.NoticeTested, _path("channels", channel_id, "test"), method="POST")


def list_channel_deliveries(channel_id: str, limit: int | None) -> Call[models.WebhookDeliveries]:
    return _get(models.WebhookDeliveries, "channels", channel_id, "deliveries", limit=limit)


def replay_channel_delivery(channel_id: str, delivery_id: str) -> Call[models.WebhookReplayed]:
    path = _path("channels", channel_id, "deliveries", delivery_id, "replay")
    return Call(models.WebhookReplayed, path, method="POST")


def create_rule(
    kind: RuleKind,
    account: str | None,
    event_id: int | None,
    threshold: float | None,
    channels: Sequence[str],
    quiet: tuple[str, str, str] | None,
    most_per_hour: int | None,
) -> Call[models.RuleCreated]:
    quiet_from, quiet_to, quiet_zone = quiet or (None, None, None)
    return _post(
        models.RuleCreated,
        "rules",
        kind=kind,
        account=account,
        event_id=event_id,
        threshold=threshold,
        channels=",".join(channels),
        quiet_from=quiet_from,
        quiet_to=quiet_to,
        quiet_zone=quiet_zone,
        most_per_hour=most_per_hour,
    )


def list_rules() -> Call[models.RuleList]:
    return _get(models.RuleList, "rules")


def remove_rule(rule_id: str) -> Call[models.RuleRemoved]:
    return Call(models.RuleRemoved, _path("rules", rule_id), method="DELETE")


def test_rule(rule_id: str) -> Call[models.NoticeTested]:
    return Call(models.NoticeTested, _path("rules", rule_id, "test"), method="POST")


def notices(limit: int | None, cursor: str | None) -> Call[models.NoticeList]:
    return _get(models.NoticeList, "notices", limit=limit, cursor=cursor)


def past_events(
    account: str, from_ts: int | None, to_ts: int | None, limit: int | None, cursor: str | None
) -> Call[models.PastEventsAnswer]:
    query = _given({"from": from_ts, "to": to_ts, "limit": limit, "cursor": cursor})
    return Call(models.PastEventsAnswer, _path("history", account, "events"), query)


def event_history(
    account: str,
    event_id: int,
    from_ts: int | None,
    to_ts: int | None,
    step: Step | None,
    limit: int | None,
    cursor: str | None,
) -> Call[models.CourseAnswer]:
    query = _given({"from": from_ts, "to": to_ts, "step": step, "limit": limit, "cursor": cursor})
    return Call(models.CourseAnswer, _path("history", account, str(event_id)), query)


def what_if(
    account: str,
    event_id: int,
    pace_factor: float | None,
    silent_hours: float | None,
    wake_ts: int | None,
    posts_added: int | None,
    bankroll: float | None,
) -> Call[models.WhatIfAnswer]:
    return _post(
        models.WhatIfAnswer,
        "what-if",
        account,
        event_id=event_id,
        pace_factor=pace_factor,
        silent_hours=silent_hours,
        wake_ts=wake_ts,
        posts_added=posts_added,
        bankroll=bankroll,
    )


def outlook(account: str, event_id: int | None) -> Call[models.OutlookAnswer]:
    return _get(models.OutlookAnswer, "outlook", account, event_id=event_id)
