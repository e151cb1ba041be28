# Generated from docs/openapi.json by node scripts/generate-client.ts; do not edit.
"""Response types. Fields hidden from the caller's tier are None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "Advice",
    "ApiKey",
    "BookLevel",
    "BooksAnswer",
    "CalibrationRecord",
    "CalibrationRecordPitHistogram",
    "CalibrationRecordReliability",
    "Channel",
    "ChannelCreated",
    "ChannelCreatedData",
    "ChannelList",
    "ChannelRemoved",
    "ChannelRemovedData",
    "CountersRecord",
    "CourseAnswer",
    "CoursePoint",
    "CoursePointForecast",
    "CryptoAnswer",
    "CryptoRecord",
    "CryptoRecordToken",
    "Dossier",
    "DossierAnswer",
    "DossierBucket",
    "DossierCountsByRule",
    "DossierDisagreement",
    "DossierOracleCount",
    "DossierPost",
    "DossierSettlement",
    "DossierUiCount",
    "ErrorSummary",
    "EventBooks",
    "EventBooksBucket",
    "EventCourse",
    "EventCourseBucket",
    "EventCoursePastPrice",
    "FeedAge",
    "Feeds",
    "Forecast",
    "ForecastPath",
    "Health",
    "HourlyAnswer",
    "HourlyRecord",
    "HourlyRecordDay",
    "HourlyRecordHour",
    "InstanceKey",
    "InstanceKeyAnswer",
    "KeyCall",
    "KeyCalls",
    "KeyIssued",
    "KeyIssuedData",
    "KeyList",
    "KeyRevoked",
    "KeyRevokedData",
    "LadderAnswer",
    "LadderRecord",
    "LadderRecordRow",
    "LedgerEntry",
    "MetaAnswer",
    "NearestMiss",
    "NextPost",
    "Notice",
    "NoticeList",
    "NoticeTested",
    "NoticeTestedData",
    "OpportunitiesAnswer",
    "OpportunitiesAnswerBlind",
    "OpportunitiesAnswerHalt",
    "Opportunity",
    "OutlookAnswer",
    "OutlookRecord",
    "PastEvent",
    "PastEventBucket",
    "PastEventsAnswer",
    "PerformanceCalibration",
    "PerformanceHistory",
    "PerformanceHistoryAnnotation",
    "PerformanceHistoryData",
    "PerformanceLedger",
    "PerformanceLedgerHalt",
    "PerformanceLedgerSummary",
    "PerformanceOverview",
    "PerformanceOverviewWinRate",
    "PerformanceOverviewWinRateSamples",
    "PerformanceRecord",
    "PerformanceRecordAdvice",
    "PerformanceRecordNewestSeal",
    "PortfolioAnswer",
    "PortfolioRecord",
    "PortfolioRecordEvent",
    "PortfolioRecordPortfolio",
    "PortfolioRecordPrediction",
    "PortfolioRecordUnreadPosition",
    "Position",
    "PositionAnalysis",
    "PositionSizing",
    "PostRecord",
    "PostSourceState",
    "PostSourceStateSpendUsd",
    "PostingProfile",
    "PostingProfileByHour",
    "PostingProfileByWeekday",
    "PostingProfileLookBack",
    "PredictedObserved",
    "PredictionAnswer",
    "PredictionMarket",
    "PredictionRecord",
    "ProfileAnswer",
    "PublishedPercentiles",
    "PushKey",
    "PushKeyData",
    "PushSubscribed",
    "RebalancingAnswer",
    "RebalancingRecord",
    "RebalancingRecordPosition",
    "RecordEstimate",
    "RecordForecaster",
    "RecordLead",
    "RecordMember",
    "RecordPoint",
    "RecordReliability",
    "RecordSection",
    "Rule",
    "RuleCreated",
    "RuleList",
    "RuleRemoved",
    "RuleRemovedData",
    "ScoreLine",
    "Seal",
    "SealAnchor",
    "SealedEntry",
    "SealedHour",
    "SealedHourAnchor",
    "SealedHourAnswer",
    "SealedHourProof",
    "SealsAnswer",
    "SettledEvent",
    "Signal",
    "SignalsAnswer",
    "SignalsRecord",
    "SignalsRecordStrategies",
    "Signature",
    "SignedDossier",
    "SimilarWindow",
    "Strategy",
    "TweetsAnswer",
    "UsageByEndpointAnswer",
    "UsageByEndpointAnswerData",
    "UsageErrorsAnswer",
    "UsageErrorsAnswerData",
    "UsageStatsAnswer",
    "UsageStatsAnswerData",
    "UsageStatsAnswerDataBuffer",
    "UsageStatsAnswerDataTracking",
    "UsageSummaryAnswer",
    "UsageSummaryAnswerData",
    "ValidWhile",
    "WaitlistAnswer",
    "Webhook",
    "WebhookCreated",
    "WebhookCreatedData",
    "WebhookDeliveries",
    "WebhookDelivery",
    "WebhookList",
    "WebhookRemoved",
    "WebhookRemovedData",
    "WebhookReplayed",
    "WhatIfAnswer",
    "WhatIfRecord",
    "WhatIfRecordForecast",
    "WhatIfRecordScenario",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedAge:
    updated_ts: int | None  # UTC milliseconds; null if never
    age_s: int | None
    stale: bool  # No update for longer than allowed
    source: str | None = None  # Source in use
    lag_s: int | None = None  # Median delay of that source, in seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Feeds:
    own: FeedAge
    oracle: FeedAge
    ui: FeedAge
    prices: FeedAge
    forecast: FeedAge


@dataclass(frozen=True, kw_only=True, slots=True)
class CountersRecord:
    event_id: int
    event_title: str
    image: str
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    market_oracle_counter: int | None  # null until the feed first responds
    real_counter: int | None  # null until the feed first responds
    market_ui_counter: int | None  # null until the feed first responds
    real_counter_low: int | None = None  # real_counter without uncertain posts
    real_counter_high: int | None = None  # real_counter with all uncertain posts
    settlement_delta: int | None  # null until the feed first responds
    display_delta: int | None  # null until the feed first responds
    internal_delta: int | None  # null until the feed first responds
    feeds: Feeds
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on


@dataclass(frozen=True, kw_only=True, slots=True)
class MetaAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[CountersRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class CryptoRecordToken:
    label: str
    token_id: str
    price: float | None
    best_bid: float | None
    best_ask: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CryptoRecord:
    event_id: int
    event_title: str
    image: str
    asset: str
    market_type: Literal["updown", "above", "range", "touch"]
    interval: str
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    seconds_remaining: int
    strike: float | None
    reference_price: float | None
    reference_source: str | None
    tokens: list[CryptoRecordToken]
    volume: float
    liquidity: float
    fee_rate: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CryptoAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[CryptoRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PostRecord:
    tweet_id: str
    text: str
    created_ts: int  # UTC milliseconds
    is_reply: bool
    is_quote: bool
    is_retweet: bool
    is_counted: bool | None  # PRO: true or false. Public: always null
    is_deleted: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TweetsAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[PostRecord]
    limit: int
    offset: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HourlyRecordHour:
    start_ts: int  # UTC milliseconds
    counted: int  # Posts that count toward settlement
    all: int  # All posts, including replies


@dataclass(frozen=True, kw_only=True, slots=True)
class HourlyRecordDay:
    date: str
    counted: int  # Posts that count toward settlement
    all: int  # All posts, including replies


@dataclass(frozen=True, kw_only=True, slots=True)
class HourlyRecord:
    event_id: int
    tz: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    hours: list[HourlyRecordHour]
    days: list[HourlyRecordDay]


@dataclass(frozen=True, kw_only=True, slots=True)
class HourlyAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[HourlyRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class ForecastPath:
    ts: int  # UTC milliseconds
    p5: float
    p50: float
    p95: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Forecast:
    p5: float
    p50: float
    p95: float
    path: list[ForecastPath] | None = None  # Percentiles of the running count from the forecast time to the end of the window, at most 60 points; the last point equals p5, p50 and p95.


@dataclass(frozen=True, kw_only=True, slots=True)
class PredictionMarket:
    title: str
    market_price: float | None
    model_prob: float | None = None
    edge: float | None = None
    signal: Literal["STRONG_BUY", "BUY", "SLIGHT_BUY", "HOLD", "SELL"] | None = None
    belief_prob: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PredictionRecord:
    event_id: int
    seconds_remaining: int | None = None
    market_oracle_counter: int | None  # null until the feed first responds
    real_counter: int | None  # null until the feed first responds
    market_ui_counter: int | None  # null until the feed first responds
    real_counter_low: int | None = None  # real_counter without uncertain posts
    real_counter_high: int | None = None  # real_counter with all uncertain posts
    settlement_delta: int | None = None  # null until the feed first responds
    display_delta: int | None = None  # null until the feed first responds
    internal_delta: int | None = None  # null until the feed first responds
    feeds: Feeds | None = None
    sleep_probability: float | None = None
    velocity_counted_1h: float | None = None
    velocity_all_1h: float | None = None
    forecast: Forecast | None = None
    settlement_risk: float | None = None  # Probability that the venue pays out a bucket other than the one with the final count
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    markets: list[PredictionMarket]


@dataclass(frozen=True, kw_only=True, slots=True)
class PredictionAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[PredictionRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class ValidWhile:
    price_limit: float | None  # Buy while the book price is at most this; sell while it is at least this
    count_from: float | None
    count_to: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Opportunity:
    account: str
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    bucket: str
    seconds_remaining: int
    market_price: float
    model_prob: float
    belief_prob: float
    market_url: str | None
    verdict: Literal["BUY_YES", "BUY_NO", "EXIT", "NOTHING"]
    token_id: str | None  # Token id of the side to trade
    limit_price: float | None
    cost_per_share: float | None
    depth_shares: float | None
    shares: float
    stake: float  # USD
    gain_per_usd: float  # Expected gain per USD at the blended probability, after costs
    expected_gain: float  # USD
    edge_kind: Literal["fact", "structure", "model"] | None  # Kind of edge; null if no trade is advised
    fillable_usd: float | None  # USD that can be filled at the limit price
    win_probability: float  # Blended probability of the side to trade, or of Yes if no trade is advised
    win_probability_low: float  # Lower bound on which the decision is based
    abstain_reason: str | None  # Why there is no advice; null otherwise
    act_at_side: Literal["Yes", "No"] | None
    act_at_price: float | None  # Book price at or below which act_at_side becomes a buy
    since_ts: int  # UTC milliseconds
    valid_while: ValidWhile
    changed_because: str | None  # What changed at since_ts
    sentence: str
    reasons: list[str]
    settlement_delta: int | None  # null until the feed first responds
    settlement_risk: float | None  # Probability that the venue pays out a bucket other than the one with the final count
    feeds: Feeds


@dataclass(frozen=True, kw_only=True, slots=True)
class NearestMiss:
    account: str
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    bucket: str
    seconds_remaining: int
    market_price: float
    model_prob: float
    belief_prob: float
    market_url: str | None
    cost_per_share: float
    worth_at_cost: float  # Worth buying at or below this cost
    act_at_side: Literal["Yes", "No"]
    act_at_price: float  # Book price at or below which act_at_side becomes a buy
    abstain_reason: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class OpportunitiesAnswerBlind:
    account: str
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    buckets: list[str]
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpportunitiesAnswerHalt:
    account: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpportunitiesAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Opportunity]
    bankroll: float
    nearest: NearestMiss | None
    blind: list[OpportunitiesAnswerBlind]  # Events without advice, and why
    halts: list[OpportunitiesAnswerHalt]  # Accounts with halted model advice, and why


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    verdict: Literal["BUY_YES", "BUY_NO", "EXIT", "NOTHING"]
    token_id: str | None  # Token id of the side to trade
    limit_price: float | None
    cost_per_share: float | None
    depth_shares: float | None
    shares: float
    stake: float  # USD
    gain_per_usd: float  # Expected gain per USD at the blended probability, after costs
    expected_gain: float  # USD
    edge_kind: Literal["fact", "structure", "model"] | None  # Kind of edge; null if no trade is advised
    fillable_usd: float | None  # USD that can be filled at the limit price
    win_probability: float  # Blended probability of the side to trade, or of Yes if no trade is advised
    win_probability_low: float  # Lower bound on which the decision is based
    abstain_reason: str | None  # Why there is no advice; null otherwise
    act_at_side: Literal["Yes", "No"] | None
    act_at_price: float | None  # Book price at or below which act_at_side becomes a buy
    since_ts: int  # UTC milliseconds
    valid_while: ValidWhile
    changed_because: str | None  # What changed at since_ts
    sentence: str
    reasons: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Signal:
    bucket: str
    token_id: str
    action: Literal["BUY", "SELL", "HOLD", "SKIP"]
    model_prob: float
    market_price: float
    edge: float
    ev: float
    kelly_fraction: float
    suggested_bet: float
    confidence: Literal["HIGH", "MEDIUM", "LOW"]
    moneyness: float
    time_confidence: Literal["HIGH", "MEDIUM", "LOW"]
    asymmetry_edge: float | None
    reasons: list[str]
    bankroll: float
    cost_per_share: float | None
    fee_per_share: float | None
    suggested_shares: float
    belief_prob: float  # Blend of the model and market probabilities, used for sizing
    belief_ev: float
    advice: Advice


@dataclass(frozen=True, kw_only=True, slots=True)
class Strategy:
    strategy: Literal["TWO_BUCKET", "SINGLE_BUCKET", "RISK_MANAGEMENT"]
    buckets: list[str]
    stake_fraction: float
    suggested_bet: float
    win_probability: float
    realised_win_rate: float | None
    sample_size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalsRecordStrategies:
    buy: list[Strategy]
    sell: list[Strategy]


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalsRecord:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    market_url: str | None  # The event's page on the market's site
    feeds: Feeds
    signals: list[Signal]
    strategies: SignalsRecordStrategies


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalsAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[SignalsRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class LadderRecordRow:
    bucket: str
    low: int
    high: int | None
    token_id: str
    model_prob: float
    market_price: float | None
    bid: float | None
    ask: float | None
    bid_shares: float | None  # Shares at the best bid
    ask_shares: float | None  # Shares at the best ask
    fee_per_share: float | None
    cost_per_share: float | None
    edge: float | None
    edge_percent: float | None
    ev: float
    kelly_fraction: float
    target_shares: float
    target_value: float
    action: Literal["BUY", "SELL", "HOLD", "SKIP"]
    belief_prob: float
    advice: Advice
    reasons: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class LadderRecord:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    bankroll: float
    feeds: Feeds
    rows: list[LadderRecordRow]


@dataclass(frozen=True, kw_only=True, slots=True)
class LadderAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[LadderRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedPercentiles:
    p5: float
    p50: float
    p95: float


@dataclass(frozen=True, kw_only=True, slots=True)
class WhatIfRecordScenario:
    pace_factor: float
    wake_ts: int | None
    posts_added: int


@dataclass(frozen=True, kw_only=True, slots=True)
class WhatIfRecordForecast:
    p5: float
    p50: float
    p95: float


@dataclass(frozen=True, kw_only=True, slots=True)
class WhatIfRecord:
    event_id: int
    asof_ts: int  # UTC milliseconds
    scenario: WhatIfRecordScenario
    real_counter: int  # Including posts_added
    forecast: WhatIfRecordForecast
    published: PublishedPercentiles
    ladder: LadderRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class WhatIfAnswer:
    timestamp: int  # UTC milliseconds
    data: WhatIfRecord


@dataclass(frozen=True, kw_only=True, slots=True)
class PostingProfileByHour:
    hour: int
    counted_per_hour: float
    all_per_hour: float  # Including replies
    hours: int  # Number of hours in the look-back that fall into this slot


@dataclass(frozen=True, kw_only=True, slots=True)
class PostingProfileByWeekday:
    weekday: int  # 0 is Sunday
    counted_per_hour: float
    all_per_hour: float  # Including replies
    hours: int  # Number of hours in the look-back that fall into this slot


@dataclass(frozen=True, kw_only=True, slots=True)
class PostingProfileLookBack:
    days: int
    counted: int
    all: int
    counted_per_day: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PostingProfile:
    tz: str
    days: int
    by_hour: list[PostingProfileByHour]
    by_weekday: list[PostingProfileByWeekday]
    look_backs: list[PostingProfileLookBack]  # For the last 7, 14 and 30 days


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileAnswer:
    timestamp: int  # UTC milliseconds
    data: PostingProfile


@dataclass(frozen=True, kw_only=True, slots=True)
class NextPost:
    p5_ts: int  # UTC milliseconds
    p50_ts: int  # UTC milliseconds
    p95_ts: int  # UTC milliseconds
    sample_size: int  # Number of past gaps between posts used


@dataclass(frozen=True, kw_only=True, slots=True)
class SimilarWindow:
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    count_then: int  # Count at the same elapsed time
    last_day_then: int
    final_count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OutlookRecord:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    next_post: NextPost | None  # Forecast of the next counted post; null while the post feed is stale or history is too short
    count_now: int  # Computed from stored posts, like the counts of past windows
    last_day_now: int  # Posts in the window during the last 24 hours
    similar: list[SimilarWindow]  # Past windows of the same length, most similar count and pace first
    feeds: Feeds


@dataclass(frozen=True, kw_only=True, slots=True)
class OutlookAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[OutlookRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PositionAnalysis:
    win_probability: float
    market_implied: float
    edge: float
    edge_percent: float
    signal: Literal["STRONG_BUY", "BUY", "HOLD", "AVOID", "SELL"]
    recommendation: Literal["STRONG_HOLD", "HOLD", "MONITOR", "CONSIDER_SELLING"]


@dataclass(frozen=True, kw_only=True, slots=True)
class PositionSizing:
    target_value: float
    adjustment: float
    kelly_fraction: float
    action: Literal["ADD_MORE", "TRIM", "HOLD"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    event_id: str
    bucket: str
    outcome: Literal["Yes", "No"]
    token_id: str
    tokens: float
    avg_price: float
    cost_basis: float
    current_price: float
    current_value: float
    pnl: float
    pnl_percent: float
    analysis: PositionAnalysis
    sizing: PositionSizing | None = None
    advice: Advice | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioRecordEvent:
    title: str
    id: int
    end_ts: int  # UTC milliseconds
    market_url: str | None = None  # Market page; absent unless configured
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioRecordPrediction:
    p5: float | None
    p50: float | None
    p95: float | None
    real_counter: float | None
    real_counter_low: int | None = None  # real_counter without uncertain posts
    real_counter_high: int | None = None  # real_counter with all uncertain posts
    seconds_remaining: int
    velocity_counted_1h: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioRecordPortfolio:
    total_positions: int
    total_cost: float
    current_value: float
    total_pnl: float
    total_pnl_percent: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioRecordUnreadPosition:
    token_id: str | None
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioRecord:
    wallet: str
    event: PortfolioRecordEvent | None
    prediction: PortfolioRecordPrediction | None
    positions: list[Position]
    portfolio: PortfolioRecordPortfolio
    feeds: Feeds | None = None
    unread_positions: list[PortfolioRecordUnreadPosition] | None = None  # Unreadable holdings that may belong to this event; absent if none
    message: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PortfolioAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[PortfolioRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class RebalancingRecordPosition:
    bucket: str
    outcome: Literal["Yes", "No"]
    token_id: str
    action: Literal["ADD_MORE", "TRIM"]
    current_value: float
    target_value: float
    adjustment: float
    adjustment_shares: float
    current_price: float
    win_probability: float
    edge: float
    reasons: list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class RebalancingRecord:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    bankroll: float
    threshold: float
    feeds: Feeds
    positions: list[RebalancingRecordPosition]


@dataclass(frozen=True, kw_only=True, slots=True)
class RebalancingAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[RebalancingRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PostSourceStateSpendUsd:
    """Cost of reading the platform; only for INTERNAL keys"""

    day: float  # Today, UTC; estimated from the price list
    month: float
    cap: float | None  # Per calendar month


@dataclass(frozen=True, kw_only=True, slots=True)
class PostSourceState:
    name: str
    state: Literal["leads", "repairs", "failing", "stopped", "past only"]
    answered_ts: int | None  # UTC milliseconds; null if never
    lag_s: int  # Median delay, in seconds
    problem: str | None
    spend_usd: PostSourceStateSpendUsd | None = None  # Cost of reading the platform; only for INTERNAL keys


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    timestamp: int  # UTC milliseconds
    status: Literal["ok", "degraded", "down"]
    feeds: dict[str, dict[str, FeedAge]]  # By account segment, then by feed
    version: str
    commit: str
    update_notes: list[str] | None = None  # Update notes for the operator of this version
    problems: list[str]
    notes: list[str]  # Limitations that do not degrade the service, with reasons
    sources: dict[str, list[PostSourceState]] | None = None  # Post sources by account segment, best first


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitlistAnswer:
    status: str
    position: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorSummary:
    median: float | None
    p90: float | None
    sample_size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceOverviewWinRate:
    HIGH: float | None
    MEDIUM: float | None
    LOW: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceOverviewWinRateSamples:
    HIGH: int
    MEDIUM: int
    LOW: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceOverview:
    error_24h: ErrorSummary
    error_48h: ErrorSummary
    error_72h: ErrorSummary
    win_rate: PerformanceOverviewWinRate
    win_rate_samples: PerformanceOverviewWinRateSamples
    last_updated: str  # ISO 8601, UTC


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceHistoryData:
    timestamp: str  # ISO 8601, UTC
    error_pct: float
    event_id: int
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    account: str
    p50: float
    final_count: int
    model_version: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceHistoryAnnotation:
    timestamp: str  # ISO 8601, UTC
    label: str
    commit: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceHistory:
    data: list[PerformanceHistoryData]
    annotations: list[PerformanceHistoryAnnotation]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreLine:
    name: str  # model, market, or the name of a baseline
    crps: float | None
    bucket_log_score: float | None
    median_error_pct: float | None
    sample_size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibrationRecordPitHistogram:
    from_: float
    to: float
    count: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibrationRecordReliability:
    from_: float
    to: float
    mean_probability: float | None
    won_fraction: float | None
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CalibrationRecord:
    account: str
    horizon: Literal[24, 48, 72]
    sample_size: int
    pit_histogram: list[CalibrationRecordPitHistogram]
    coverage_50: float | None
    coverage_90: float | None
    reliability: list[CalibrationRecordReliability]
    scores: list[ScoreLine]


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceCalibration:
    timestamp: int  # UTC milliseconds
    data: list[CalibrationRecord]


@dataclass(frozen=True, kw_only=True, slots=True)
class PredictedObserved:
    edge_kind: Literal["fact", "structure", "model"]
    probability_from: float | None  # Lower end of the probability range; null in the row for all bets of this kind
    probability_to: float | None
    bets: int  # Settled bets
    events: int
    predicted: float | None  # Mean stated probability
    observed: float | None  # Share of bets that won
    expected_low: float | None  # 90 % interval for the observed share if the stated probabilities are right
    expected_high: float | None
    market_implied: float | None  # Mean market price of the sides bought
    return_on_stake: float | None
    return_low: float | None  # 90 % interval, resampled by event
    return_high: float | None
    closing_line_value: float | None
    closing_line_sample: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerEntry:
    timestamp: int  # UTC milliseconds
    account: str
    event_id: int
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    horizon: int
    bucket: str
    strategy: str | None
    confidence: Literal["HIGH", "MEDIUM", "LOW"]
    model_prob: float
    market_price: float
    cost_per_share: float  # USD, including the fee
    shares: float
    stake: float  # USD
    won: bool | None  # null until the event settles
    pnl: float | None
    settled_ts: int | None  # UTC milliseconds; null if never
    edge_kind: Literal["fact", "structure", "model"] | None  # null for older records
    win_probability: float | None  # Blended probability of winning, as stated when the bet was made
    closing_line_value: float | None  # Later midpoint minus cost, per share


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceLedgerSummary:
    bets: int  # Settled bets
    events: int
    staked: float
    pnl: float
    return_on_stake: float | None
    return_low: float | None
    return_high: float | None
    max_drawdown: float
    closing_line_value: float | None
    closing_line_sample: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceLedgerHalt:
    account: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceLedger:
    timestamp: int  # UTC milliseconds
    summary: PerformanceLedgerSummary
    predicted_observed: list[PredictedObserved]  # Predicted vs. observed, by edge kind and probability range
    halts: list[PerformanceLedgerHalt]  # Accounts with halted model advice, and why
    data: list[LedgerEntry]  # Newest first, at most 200


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordEstimate:
    """Lower is better, except for returns"""

    mean: float | None
    low: float | None  # Lower end of the 90 % interval, resampled by event; null below 3 events
    high: float | None
    events: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordForecaster:
    name: Literal["model", "market", "blend"]
    log_score: RecordEstimate
    ranked_score: RecordEstimate
    return_on_stake: RecordEstimate


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordMember:
    name: str  # model, market, or the name of a baseline or an ensemble member
    crps: RecordEstimate
    log_score: RecordEstimate


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordLead:
    horizon: int
    median_error_pct: float | None
    low: float | None  # 90 % interval of the median, resampled by event
    high: float | None
    events: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordReliability:
    from_: float
    to: float
    mean_probability: float | None
    won_fraction: float | None
    low: float | None  # 90 % interval, resampled by event
    high: float | None
    buckets: int
    events: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordPoint:
    event_id: int
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    account: str
    end_ts: int  # UTC milliseconds
    p50: float
    final_count: int
    error_pct: float
    inside_90: bool  # Whether the outcome was inside the 90 % interval
    log_score: float
    market_log_score: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordSection:
    """Forecasts computed later from data available at the time; never published"""

    events: int  # Settled events with a forecast at this horizon
    first_end_ts: int | None  # UTC milliseconds; null if never
    last_end_ts: int | None  # UTC milliseconds; null if never
    forecasters: list[RecordForecaster]  # Scored on events with market prices; the blend uses its shipped weights
    members: list[RecordMember]  # Best CRPS first
    by_lead: list[RecordLead]
    reliability: list[RecordReliability]
    points: list[RecordPoint]  # Ordered by end time


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceRecordAdvice:
    """Paper trades on settled events, at cost including fees; 90 % interval, resampled by event"""

    bets: int
    events: int
    return_on_stake: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceRecordNewestSeal:
    hour_ts: int  # UTC milliseconds
    chain: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PerformanceRecord:
    timestamp: int  # UTC milliseconds
    horizon: int
    account: str | None
    forward: RecordSection
    recomputed: RecordSection
    advice: PerformanceRecordAdvice  # Paper trades on settled events, at cost including fees; 90 % interval, resampled by event
    newest_seal: PerformanceRecordNewestSeal | None  # See /performance/seals


@dataclass(frozen=True, kw_only=True, slots=True)
class SealAnchor:
    anchor: str
    anchored_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Seal:
    hour_ts: int  # Start of the hour, UTC milliseconds
    first_seq: int  # Sequence number of the first entry; numbering continues across hours
    size: int  # Number of entries
    root: str  # Merkle root of the entries (RFC 6962); SHA-256, hex
    previous: str  # Chain hash of the previous seal; zeros for the first; SHA-256, hex
    chain: str  # Hash of hour, first_seq, size, root and previous; SHA-256, hex
    anchors: list[SealAnchor]  # External services that store this chain hash


@dataclass(frozen=True, kw_only=True, slots=True)
class SealsAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Seal]
    newest: Seal | None  # null before the first hour is sealed
    next_cursor: str | None  # null on the last page


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedEntry:
    leaf: str  # Merkle leaf hash of the entry; SHA-256, hex
    entry: str | None  # The sealed text; null until the event settles, unless the key is PRO


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedHourAnchor:
    anchor: str
    anchored_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedHourProof:
    """Present only if seq is given"""

    seq: int
    leaf: str  # Merkle leaf hash of the entry; SHA-256, hex
    entry: str | None  # The sealed text; null until the event settles, unless the key is PRO
    path: list[str]  # Sibling hashes from leaf to root


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedHour:
    hour_ts: int  # Start of the hour, UTC milliseconds
    first_seq: int  # Sequence number of the first entry; numbering continues across hours
    size: int  # Number of entries
    root: str  # Merkle root of the entries (RFC 6962); SHA-256, hex
    previous: str  # Chain hash of the previous seal; zeros for the first; SHA-256, hex
    chain: str  # Hash of hour, first_seq, size, root and previous; SHA-256, hex
    anchors: list[SealedHourAnchor]  # External services that store this chain hash
    entries: list[SealedEntry] | None = None  # In order; absent if seq is given
    proof: SealedHourProof | None = None  # Present only if seq is given


@dataclass(frozen=True, kw_only=True, slots=True)
class SealedHourAnswer:
    timestamp: int  # UTC milliseconds
    data: SealedHour


@dataclass(frozen=True, kw_only=True, slots=True)
class SettledEvent:
    final_count: int
    winning_bucket: str | None
    source: str
    revision: int  # Starts at 1 and increases with every correction
    settled_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class PastEventBucket:
    bucket: str
    low: int
    high: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PastEvent:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    buckets: list[PastEventBucket]
    settlement: SettledEvent | None  # null until the event settles


@dataclass(frozen=True, kw_only=True, slots=True)
class PastEventsAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[PastEvent]
    next_cursor: str | None  # null on the last page


@dataclass(frozen=True, kw_only=True, slots=True)
class CoursePointForecast:
    """PRO"""

    p5: float
    p50: float
    p95: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CoursePoint:
    timestamp: int  # UTC milliseconds
    real_counter: int
    market_oracle_counter: int | None  # null until the feed first responds
    market_ui_counter: int | None  # null until the feed first responds
    market_prices: list[float | None]  # One per bucket; null if unknown
    forecast: CoursePointForecast | None = None  # PRO
    model_probs: list[float] | None = None  # PRO; one per bucket
    model_version: str | None = None  # PRO
    recomputed: bool | None = None  # true if computed later from stored posts; absent for points recorded at the time


@dataclass(frozen=True, kw_only=True, slots=True)
class EventCourseBucket:
    bucket: str
    low: int
    high: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class EventCoursePastPrice:
    timestamp: int  # UTC milliseconds
    market_prices: list[float | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class EventCourse:
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    buckets: list[EventCourseBucket]
    settlement: SettledEvent | None  # null until the event settles
    points: list[CoursePoint]  # Earliest first
    past_prices_problem: str | None = None  # Why past_prices is missing or incomplete; absent if it is complete
    past_prices: list[EventCoursePastPrice] | None = None  # Hourly prices from the market's own history, from before this service recorded prices; on the first page only, absent if there are none
    signals: list[LedgerEntry] | None = None  # PRO; signals and their results
    next_cursor: str | None  # null on the last page


@dataclass(frozen=True, kw_only=True, slots=True)
class CourseAnswer:
    timestamp: int  # UTC milliseconds
    data: EventCourse


@dataclass(frozen=True, kw_only=True, slots=True)
class InstanceKey:
    algorithm: Literal["Ed25519"]
    key_id: str
    public_key: str  # Base64-encoded DER (SPKI)


@dataclass(frozen=True, kw_only=True, slots=True)
class InstanceKeyAnswer:
    timestamp: int  # UTC milliseconds
    data: InstanceKey


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierPost:
    tweet_id: str
    kind: str  # post, quote, repost, reply, reply to itself or community post
    created_ts: int  # UTC milliseconds
    first_seen_ts: int  # UTC milliseconds
    first_source: str | None  # null when not recorded
    is_counted: bool
    verdict: str  # The part of the rule that decided whether the post counts
    deleted_ts: int | None  # UTC milliseconds; null if never
    oracle_imported_ts: int | None  # UTC milliseconds; null if never
    oracle_listed_ts: int | None  # UTC milliseconds; null if never


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierBucket:
    bucket: str
    low: int
    high: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierOracleCount:
    timestamp: int  # UTC milliseconds
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierUiCount:
    timestamp: int  # UTC milliseconds
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierSettlement:
    final_count: int
    winning_bucket: str | None
    source: str
    revision: int
    settled_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierCountsByRule:
    rule: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierDisagreement:
    tweet_id: str
    created_ts: int  # UTC milliseconds
    what: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dossier:
    account: str
    event_id: int
    event_title: str
    venue: str | None = None  # Venue that lists the contract; `market` for the first venue
    counting_rule: str | None = None  # Which posts count, in plain English
    settlement_source: str | None = None  # The list or count that the venue settles on
    start_ts: int  # UTC milliseconds
    end_ts: int  # UTC milliseconds
    buckets: list[DossierBucket]
    settlement: SettledEvent | None  # null until the event settles
    compiled_ts: int  # UTC milliseconds
    explanation: list[str]  # The explanation in a few sentences
    own_count: int
    oracle_counts: list[DossierOracleCount]  # Every change, earliest first
    ui_counts: list[DossierUiCount]
    settlements: list[DossierSettlement]  # Every revision, earliest first
    counts_by_rule: list[DossierCountsByRule] | None = None  # PRO
    disagreements: list[DossierDisagreement] | None = None  # PRO; posts that our count and the oracle's list treat differently
    posts: list[DossierPost] | None = None  # PRO; every post in the window


@dataclass(frozen=True, kw_only=True, slots=True)
class Signature:
    algorithm: Literal["Ed25519"]
    key_id: str  # First 16 hex digits of the SHA-256 of public_key
    public_key: str  # Base64-encoded DER (SPKI)
    value: str  # Base64 signature over `dossier` as JSON without spaces and with keys sorted by code unit


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedDossier:
    dossier: Dossier
    signature: Signature


@dataclass(frozen=True, kw_only=True, slots=True)
class DossierAnswer:
    timestamp: int  # UTC milliseconds
    data: SignedDossier


@dataclass(frozen=True, kw_only=True, slots=True)
class BookLevel:
    price: float
    shares: float  # Shares at this price
    total_shares: float  # Shares at this price or better


@dataclass(frozen=True, kw_only=True, slots=True)
class EventBooksBucket:
    bucket: str
    bids: list[BookLevel]  # Best price first, at most 15
    asks: list[BookLevel]  # Best price first, at most 15


@dataclass(frozen=True, kw_only=True, slots=True)
class EventBooks:
    event_id: int
    read_ts: int  # When the books were fetched from the market; they are cached for a few seconds
    buckets: list[EventBooksBucket]  # Yes side of each bucket that has an order book


@dataclass(frozen=True, kw_only=True, slots=True)
class BooksAnswer:
    timestamp: int  # UTC milliseconds
    data: EventBooks


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageSummaryAnswerData:
    days: int
    total_requests: int
    total_errors: int
    error_rate: float  # Fraction from 0 to 1
    avg_response_ms: float
    total_bandwidth_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageSummaryAnswer:
    timestamp: int  # UTC milliseconds
    data: UsageSummaryAnswerData


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageByEndpointAnswerData:
    endpoint: str
    method: str
    requests: int
    errors: int
    error_rate: float  # Fraction from 0 to 1
    avg_response_ms: float
    bandwidth_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageByEndpointAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[UsageByEndpointAnswerData]


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageErrorsAnswerData:
    endpoint: str
    method: str
    timestamp: int  # UTC milliseconds
    status_code: int
    response_ms: float
    message: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageErrorsAnswer:
    timestamp: int  # Response time, UTC milliseconds
    data: list[UsageErrorsAnswerData]


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageStatsAnswerDataBuffer:
    size: int
    capacity: int
    dropped: int
    last_flush_ts: int | None  # UTC milliseconds; null if never


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageStatsAnswerDataTracking:
    enabled: bool
    flush_interval_ms: int
    retention_days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageStatsAnswerData:
    buffer: UsageStatsAnswerDataBuffer
    tracking: UsageStatsAnswerDataTracking


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageStatsAnswer:
    timestamp: int  # UTC milliseconds
    data: UsageStatsAnswerData


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    key_id: str
    tier: Literal["FREE", "PRO", "INTERNAL"]
    label: str
    hint: str  # First and last characters of the key
    created_ts: int  # UTC milliseconds
    expires_ts: int | None  # UTC milliseconds; null if never
    revoked_ts: int | None  # UTC milliseconds; null if never
    is_calling: bool  # Whether this request was made with the key
    last_used_ts: int | None  # UTC milliseconds; null if never
    requests: int  # In the last 30 days
    errors: int  # In the last 30 days


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyList:
    timestamp: int  # Response time, UTC milliseconds
    data: list[ApiKey]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyIssuedData:
    key_id: str
    tier: Literal["FREE", "PRO", "INTERNAL"]
    label: str
    hint: str  # First and last characters of the key
    created_ts: int  # UTC milliseconds
    expires_ts: int | None  # UTC milliseconds; null if never
    revoked_ts: int | None  # UTC milliseconds; null if never
    key: str  # Shown only once


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyIssued:
    timestamp: int  # UTC milliseconds
    data: KeyIssuedData


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyRevokedData:
    key_id: str
    tier: Literal["FREE", "PRO", "INTERNAL"]
    label: str
    hint: str  # First and last characters of the key
    created_ts: int  # UTC milliseconds
    expires_ts: int | None  # UTC milliseconds; null if never
    revoked_ts: int | None  # UTC milliseconds; null if never


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyRevoked:
    timestamp: int  # UTC milliseconds
    data: KeyRevokedData


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyCall:
    timestamp: int  # UTC milliseconds
    endpoint: str
    method: str
    status_code: int
    requests: int  # Identical requests in the same second are merged into one entry
    response_ms: float  # Average
    message: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyCalls:
    timestamp: int  # Response time, UTC milliseconds
    data: list[KeyCall]


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookCreatedData:
    webhook_id: str
    url: str
    topics: list[str]
    created_ts: int  # UTC milliseconds
    disabled_ts: int | None  # When the webhook was disabled, because it kept failing or its key was revoked; null while active
    secret: str  # Signs every delivery; shown only here


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookCreated:
    timestamp: int  # UTC milliseconds
    data: WebhookCreatedData


@dataclass(frozen=True, kw_only=True, slots=True)
class Webhook:
    webhook_id: str
    url: str
    topics: list[str]
    created_ts: int  # UTC milliseconds
    disabled_ts: int | None  # When the webhook was disabled, because it kept failing or its key was revoked; null while active


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookList:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Webhook]


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookRemovedData:
    webhook_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookRemoved:
    timestamp: int  # UTC milliseconds
    data: WebhookRemovedData


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookDelivery:
    delivery_id: str
    topic: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    next_attempt_ts: int | None  # UTC milliseconds; null if never
    last_response: str | None
    created_ts: int  # UTC milliseconds
    updated_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookDeliveries:
    timestamp: int  # Response time, UTC milliseconds
    data: list[WebhookDelivery]


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookReplayed:
    timestamp: int  # UTC milliseconds
    data: WebhookDelivery


@dataclass(frozen=True, kw_only=True, slots=True)
class Channel:
    channel_id: str
    kind: Literal["webhook", "discord", "telegram", "push"]
    label: str
    target: str  # Destination, with secrets removed
    state: Literal["ready", "linking", "disabled"]
    created_ts: int  # UTC milliseconds
    disabled_ts: int | None  # UTC milliseconds; null if never


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelList:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Channel]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelCreatedData:
    channel_id: str
    kind: Literal["webhook", "discord", "telegram", "push"]
    label: str
    target: str  # Destination, with secrets removed
    state: Literal["ready", "linking", "disabled"]
    created_ts: int  # UTC milliseconds
    disabled_ts: int | None  # UTC milliseconds; null if never
    secret: str | None  # Signs deliveries; shown only here
    link_code: str | None  # Send this code to the bot as /start CODE
    link_url: str | None  # Opens a chat with the bot and sends the code
    link_expires_ts: int | None  # UTC milliseconds; null if never


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelCreated:
    timestamp: int  # UTC milliseconds
    data: ChannelCreatedData


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelRemovedData:
    channel_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelRemoved:
    timestamp: int  # UTC milliseconds
    data: ChannelRemovedData


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeTestedData:
    notice_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeTested:
    timestamp: int  # UTC milliseconds
    data: NoticeTestedData


@dataclass(frozen=True, kw_only=True, slots=True)
class PushKeyData:
    public_key: str  # applicationServerKey, base64url


@dataclass(frozen=True, kw_only=True, slots=True)
class PushKey:
    timestamp: int  # UTC milliseconds
    data: PushKeyData


@dataclass(frozen=True, kw_only=True, slots=True)
class PushSubscribed:
    timestamp: int  # UTC milliseconds
    data: Channel


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    rule_id: str
    kind: Literal["advice", "bucket_crossed", "activity", "counts_apart", "feed", "price_moved", "window", "settled"]
    account: str | None  # null for all accounts
    event_id: int | None  # null for all events
    threshold: float | None
    channels: list[str]
    quiet_from: str | None
    quiet_to: str | None
    quiet_zone: str | None
    most_per_hour: int
    created_ts: int  # UTC milliseconds


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleList:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Rule]


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleCreated:
    timestamp: int  # UTC milliseconds
    data: Rule


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleRemovedData:
    rule_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleRemoved:
    timestamp: int  # UTC milliseconds
    data: RuleRemovedData


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    title: str
    notice_id: str  # The same change always has the same id
    kind: Literal["advice", "bucket_crossed", "activity", "counts_apart", "feed", "price_moved", "window", "settled", "test"]
    what: str  # begun, ended, crossed, woke, quiet, apart, dark, back, moved, opened, closing, settled, test
    account: str | None
    event_id: int | None
    text: str
    link: str  # Link to this moment in the dashboard
    data: dict[str, Any]
    rule_ids: list[str]
    happened_ts: int  # Service time, UTC milliseconds
    created_ts: int  # UTC milliseconds
    due_ts: int | None  # Earliest send time; null if the alert is listed but not sent


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeList:
    timestamp: int  # Response time, UTC milliseconds
    data: list[Notice]
    next_cursor: str | None  # null on the last page

