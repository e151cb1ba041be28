// Generated from docs/openapi.json by node scripts/generate-client.ts; do not edit.

export interface FeedAge {
  /** UTC milliseconds; null if never */
  updated_ts: number | null;
  age_s: number | null;
  /** No update for longer than allowed */
  stale: boolean;
  /** Source in use */
  source?: string;
  /** Median delay of that source, in seconds */
  lag_s?: number;
}

export interface Feeds {
  own: FeedAge;
  oracle: FeedAge;
  ui: FeedAge;
  prices: FeedAge;
  forecast: FeedAge;
}

export interface CountersRecord {
  event_id: number;
  event_title: string;
  image: string;
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  /** null until the feed first responds */
  market_oracle_counter: number | null;
  /** null until the feed first responds */
  real_counter: number | null;
  /** null until the feed first responds */
  market_ui_counter: number | null;
  /** real_counter without uncertain posts */
  real_counter_low?: number;
  /** real_counter with all uncertain posts */
  real_counter_high?: number;
  /** null until the feed first responds */
  settlement_delta: number | null;
  /** null until the feed first responds */
  display_delta: number | null;
  /** null until the feed first responds */
  internal_delta: number | null;
  feeds: Feeds;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
}

export interface MetaAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: CountersRecord[];
}

export interface ErrorBody {
  detail: string;
}

export interface CryptoRecord {
  event_id: number;
  event_title: string;
  image: string;
  asset: string;
  market_type: 'updown' | 'above' | 'range' | 'touch';
  interval: string;
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  seconds_remaining: number;
  strike: number | null;
  reference_price: number | null;
  reference_source: string | null;
  tokens: ({
    label: string;
    token_id: string;
    price: number | null;
    best_bid: number | null;
    best_ask: number | null;
  })[];
  volume: number;
  liquidity: number;
  fee_rate: number;
}

export interface CryptoAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: CryptoRecord[];
}

export interface PostRecord {
  tweet_id: string;
  text: string;
  /** UTC milliseconds */
  created_ts: number;
  is_reply: boolean;
  is_quote: boolean;
  is_retweet: boolean;
  /** PRO: true or false. Public: always null */
  is_counted: boolean | null;
  is_deleted: boolean;
}

export interface TweetsAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: PostRecord[];
  limit: number;
  offset: number;
}

export interface PaymentChallenge {
  detail: string;
  [name: string]: unknown;
}

export interface ValidationError {
  detail: ({
    type: string;
    loc: (string | number)[];
    msg: string;
    ctx?: {
      [name: string]: unknown;
    };
  })[];
}

export interface HourlyRecord {
  event_id: number;
  tz: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  hours: {
    /** UTC milliseconds */
    start_ts: number;
    /** Posts that count toward settlement */
    counted: number;
    /** All posts, including replies */
    all: number;
  }[];
  days: {
    date: string;
    /** Posts that count toward settlement */
    counted: number;
    /** All posts, including replies */
    all: number;
  }[];
}

export interface HourlyAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: HourlyRecord[];
}

export interface Forecast {
  p5: number;
  p50: number;
  p95: number;
  /** Percentiles of the running count from the forecast time to the end of the window, at most 60 points; the last point equals p5, p50 and p95. */
  path?: {
    /** UTC milliseconds */
    ts: number;
    p5: number;
    p50: number;
    p95: number;
  }[];
}

export interface PredictionMarket {
  title: string;
  market_price: number | null;
  model_prob?: number | null;
  edge?: number | null;
  signal?: 'STRONG_BUY' | 'BUY' | 'SLIGHT_BUY' | 'HOLD' | 'SELL' | null;
  belief_prob?: number | null;
}

export interface PredictionRecord {
  event_id: number;
  seconds_remaining?: number;
  /** null until the feed first responds */
  market_oracle_counter: number | null;
  /** null until the feed first responds */
  real_counter: number | null;
  /** null until the feed first responds */
  market_ui_counter: number | null;
  /** real_counter without uncertain posts */
  real_counter_low?: number;
  /** real_counter with all uncertain posts */
  real_counter_high?: number;
  /** null until the feed first responds */
  settlement_delta?: number | null;
  /** null until the feed first responds */
  display_delta?: number | null;
  /** null until the feed first responds */
  internal_delta?: number | null;
  feeds?: Feeds;
  sleep_probability?: number | null;
  velocity_counted_1h?: number | null;
  velocity_all_1h?: number | null;
  forecast?: Forecast | null;
  /** Probability that the venue pays out a bucket other than the one with the final count */
  settlement_risk?: number;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  markets: PredictionMarket[];
}

export interface PredictionAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: PredictionRecord[];
}

export interface ValidWhile {
  /** Buy while the book price is at most this; sell while it is at least this */
  price_limit: number | null;
  count_from: number | null;
  count_to: number | null;
}

export interface Opportunity {
  account: string;
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  bucket: string;
  seconds_remaining: number;
  market_price: number;
  model_prob: number;
  belief_prob: number;
  market_url: string | null;
  verdict: 'BUY_YES' | 'BUY_NO' | 'EXIT' | 'NOTHING';
  /** Token id of the side to trade */
  token_id: string | null;
  limit_price: number | null;
  cost_per_share: number | null;
  depth_shares: number | null;
  shares: number;
  /** USD */
  stake: number;
  /** Expected gain per USD at the blended probability, after costs */
  gain_per_usd: number;
  /** USD */
  expected_gain: number;
  /** Kind of edge; null if no trade is advised */
  edge_kind: 'fact' | 'structure' | 'model' | null;
  /** USD that can be filled at the limit price */
  fillable_usd: number | null;
  /** Blended probability of the side to trade, or of Yes if no trade is advised */
  win_probability: number;
  /** Lower bound on which the decision is based */
  win_probability_low: number;
  /** Why there is no advice; null otherwise */
  abstain_reason: string | null;
  act_at_side: 'Yes' | 'No' | null;
  /** Book price at or below which act_at_side becomes a buy */
  act_at_price: number | null;
  /** UTC milliseconds */
  since_ts: number;
  valid_while: ValidWhile;
  /** What changed at since_ts */
  changed_because: string | null;
  sentence: string;
  reasons: string[];
  /** null until the feed first responds */
  settlement_delta: number | null;
  /** Probability that the venue pays out a bucket other than the one with the final count */
  settlement_risk: number | null;
  feeds: Feeds;
}

export interface NearestMiss {
  account: string;
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  bucket: string;
  seconds_remaining: number;
  market_price: number;
  model_prob: number;
  belief_prob: number;
  market_url: string | null;
  cost_per_share: number;
  /** Worth buying at or below this cost */
  worth_at_cost: number;
  act_at_side: 'Yes' | 'No';
  /** Book price at or below which act_at_side becomes a buy */
  act_at_price: number;
  abstain_reason: string | null;
}

export interface OpportunitiesAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Opportunity[];
  bankroll: number;
  nearest: NearestMiss | null;
  /** Events without advice, and why */
  blind: {
    account: string;
    event_id: number;
    event_title: string;
    /** Venue that lists the contract; `market` for the first venue */
    venue?: string;
    /** Which posts count, in plain English */
    counting_rule?: string;
    /** The list or count that the venue settles on */
    settlement_source?: string;
    buckets: string[];
    reason: string;
  }[];
  /** Accounts with halted model advice, and why */
  halts: {
    account: string;
    reason: string;
  }[];
}

export interface Advice {
  verdict: 'BUY_YES' | 'BUY_NO' | 'EXIT' | 'NOTHING';
  /** Token id of the side to trade */
  token_id: string | null;
  limit_price: number | null;
  cost_per_share: number | null;
  depth_shares: number | null;
  shares: number;
  /** USD */
  stake: number;
  /** Expected gain per USD at the blended probability, after costs */
  gain_per_usd: number;
  /** USD */
  expected_gain: number;
  /** Kind of edge; null if no trade is advised */
  edge_kind: 'fact' | 'structure' | 'model' | null;
  /** USD that can be filled at the limit price */
  fillable_usd: number | null;
  /** Blended probability of the side to trade, or of Yes if no trade is advised */
  win_probability: number;
  /** Lower bound on which the decision is based */
  win_probability_low: number;
  /** Why there is no advice; null otherwise */
  abstain_reason: string | null;
  act_at_side: 'Yes' | 'No' | null;
  /** Book price at or below which act_at_side becomes a buy */
  act_at_price: number | null;
  /** UTC milliseconds */
  since_ts: number;
  valid_while: ValidWhile;
  /** What changed at since_ts */
  changed_because: string | null;
  sentence: string;
  reasons: string[];
}

export interface Signal {
  bucket: string;
  token_id: string;
  action: 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
  model_prob: number;
  market_price: number;
  edge: number;
  ev: number;
  kelly_fraction: number;
  suggested_bet: number;
  confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  moneyness: number;
  time_confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  asymmetry_edge: number | null;
  reasons: string[];
  bankroll: number;
  cost_per_share: number | null;
  fee_per_share: number | null;
  suggested_shares: number;
  /** Blend of the model and market probabilities, used for sizing */
  belief_prob: number;
  belief_ev: number;
  advice: Advice;
}

export interface Strategy {
  strategy: 'TWO_BUCKET' | 'SINGLE_BUCKET' | 'RISK_MANAGEMENT';
  buckets: string[];
  stake_fraction: number;
  suggested_bet: number;
  win_probability: number;
  realised_win_rate: number | null;
  sample_size: number;
}

export interface SignalsRecord {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  /** The event's page on the market's site */
  market_url: string | null;
  feeds: Feeds;
  signals: Signal[];
  strategies: {
    buy: Strategy[];
    sell: Strategy[];
  };
}

export interface SignalsAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: SignalsRecord[];
}

export interface LadderRecord {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  bankroll: number;
  feeds: Feeds;
  rows: ({
    bucket: string;
    low: number;
    high: number | null;
    token_id: string;
    model_prob: number;
    market_price: number | null;
    bid: number | null;
    ask: number | null;
    /** Shares at the best bid */
    bid_shares: number | null;
    /** Shares at the best ask */
    ask_shares: number | null;
    fee_per_share: number | null;
    cost_per_share: number | null;
    edge: number | null;
    edge_percent: number | null;
    ev: number;
    kelly_fraction: number;
    target_shares: number;
    target_value: number;
    action: 'BUY' | 'SELL' | 'HOLD' | 'SKIP';
    belief_prob: number;
    advice: Advice;
    reasons: string[];
  })[];
}

export interface LadderAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: LadderRecord[];
}

export interface WhatIfBody {
  event_id: number;
  /** Multiple of the expected rate */
  pace_factor?: number;
  /** Hours without a post, starting now */
  silent_hours?: number;
  /** No post before this time, UTC milliseconds */
  wake_ts?: number;
  /** Extra counted posts, assumed to be posted now */
  posts_added?: number;
  /** USD */
  bankroll?: number;
}

export interface PublishedPercentiles {
  p5: number;
  p50: number;
  p95: number;
}

export interface WhatIfRecord {
  event_id: number;
  /** UTC milliseconds */
  asof_ts: number;
  scenario: {
    pace_factor: number;
    wake_ts: number | null;
    posts_added: number;
  };
  /** Including posts_added */
  real_counter: number;
  forecast: {
    p5: number;
    p50: number;
    p95: number;
  };
  published: PublishedPercentiles;
  ladder: LadderRecord;
}

export interface WhatIfAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: WhatIfRecord;
}

export interface PostingProfile {
  tz: string;
  days: number;
  by_hour: {
    hour: number;
    counted_per_hour: number;
    /** Including replies */
    all_per_hour: number;
    /** Number of hours in the look-back that fall into this slot */
    hours: number;
  }[];
  by_weekday: {
    /** 0 is Sunday */
    weekday: number;
    counted_per_hour: number;
    /** Including replies */
    all_per_hour: number;
    /** Number of hours in the look-back that fall into this slot */
    hours: number;
  }[];
  /** For the last 7, 14 and 30 days */
  look_backs: {
    days: number;
    counted: number;
    all: number;
    counted_per_day: number;
  }[];
}

export interface ProfileAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: PostingProfile;
}

export interface NextPost {
  /** UTC milliseconds */
  p5_ts: number;
  /** UTC milliseconds */
  p50_ts: number;
  /** UTC milliseconds */
  p95_ts: number;
  /** Number of past gaps between posts used */
  sample_size: number;
}

export interface SimilarWindow {
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  /** Count at the same elapsed time */
  count_then: number;
  last_day_then: number;
  final_count: number;
}

export interface OutlookRecord {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  /** Forecast of the next counted post; null while the post feed is stale or history is too short */
  next_post: NextPost | null;
  /** Computed from stored posts, like the counts of past windows */
  count_now: number;
  /** Posts in the window during the last 24 hours */
  last_day_now: number;
  /** Past windows of the same length, most similar count and pace first */
  similar: SimilarWindow[];
  feeds: Feeds;
}

export interface OutlookAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: OutlookRecord[];
}

export interface Position {
  event_id: string;
  bucket: string;
  outcome: 'Yes' | 'No';
  token_id: string;
  tokens: number;
  avg_price: number;
  cost_basis: number;
  current_price: number;
  current_value: number;
  pnl: number;
  pnl_percent: number;
  analysis: {
    win_probability: number;
    market_implied: number;
    edge: number;
    edge_percent: number;
    signal: 'STRONG_BUY' | 'BUY' | 'HOLD' | 'AVOID' | 'SELL';
    recommendation: 'STRONG_HOLD' | 'HOLD' | 'MONITOR' | 'CONSIDER_SELLING';
  };
  sizing?: {
    target_value: number;
    adjustment: number;
    kelly_fraction: number;
    action: 'ADD_MORE' | 'TRIM' | 'HOLD';
  };
  advice?: Advice;
}

export interface PortfolioRecord {
  wallet: string;
  event: {
    title: string;
    id: number;
    /** UTC milliseconds */
    end_ts: number;
    /** Market page; absent unless configured */
    market_url?: string;
    /** Venue that lists the contract; `market` for the first venue */
    venue?: string;
    /** Which posts count, in plain English */
    counting_rule?: string;
    /** The list or count that the venue settles on */
    settlement_source?: string;
  } | null;
  prediction: {
    p5: number | null;
    p50: number | null;
    p95: number | null;
    real_counter: number | null;
    /** real_counter without uncertain posts */
    real_counter_low?: number;
    /** real_counter with all uncertain posts */
    real_counter_high?: number;
    seconds_remaining: number;
    velocity_counted_1h: number | null;
  } | null;
  positions: Position[];
  portfolio: {
    total_positions: number;
    total_cost: number;
    current_value: number;
    total_pnl: number;
    total_pnl_percent: number;
  };
  feeds?: Feeds;
  /** Unreadable holdings that may belong to this event; absent if none */
  unread_positions?: ({
    token_id: string | null;
    reason: string;
  })[];
  message?: string;
}

export interface PortfolioAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: PortfolioRecord[];
}

export interface RebalancingRecord {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  bankroll: number;
  threshold: number;
  feeds: Feeds;
  positions: ({
    bucket: string;
    outcome: 'Yes' | 'No';
    token_id: string;
    action: 'ADD_MORE' | 'TRIM';
    current_value: number;
    target_value: number;
    adjustment: number;
    adjustment_shares: number;
    current_price: number;
    win_probability: number;
    edge: number;
    reasons: string[];
  })[];
}

export interface RebalancingAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: RebalancingRecord[];
}

export interface PostSourceState {
  name: string;
  state: 'leads' | 'repairs' | 'failing' | 'stopped' | 'past only';
  /** UTC milliseconds; null if never */
  answered_ts: number | null;
  /** Median delay, in seconds */
  lag_s: number;
  problem: string | null;
  /** Cost of reading the platform; only for INTERNAL keys */
  spend_usd?: {
    /** Today, UTC; estimated from the price list */
    day: number;
    month: number;
    /** Per calendar month */
    cap: number | null;
  };
}

export interface Health {
  /** UTC milliseconds */
  timestamp: number;
  status: 'ok' | 'degraded' | 'down';
  /** By account segment, then by feed */
  feeds: {
    [name: string]: {
      [name: string]: FeedAge;
    };
  };
  version: string;
  commit: string;
  /** Update notes for the operator of this version */
  update_notes?: string[];
  problems: string[];
  /** Limitations that do not degrade the service, with reasons */
  notes: string[];
  /** Post sources by account segment, best first */
  sources?: {
    [name: string]: PostSourceState[];
  };
}

export interface WaitlistAnswer {
  status: string;
  position: number;
}

export interface ErrorSummary {
  median: number | null;
  p90: number | null;
  sample_size: number;
}

export interface PerformanceOverview {
  error_24h: ErrorSummary;
  error_48h: ErrorSummary;
  error_72h: ErrorSummary;
  win_rate: {
    HIGH: number | null;
    MEDIUM: number | null;
    LOW: number | null;
  };
  win_rate_samples: {
    HIGH: number;
    MEDIUM: number;
    LOW: number;
  };
  /** ISO 8601, UTC */
  last_updated: string;
}

export interface PerformanceHistory {
  data: {
    /** ISO 8601, UTC */
    timestamp: string;
    error_pct: number;
    event_id: number;
    /** Venue that lists the contract; `market` for the first venue */
    venue?: string;
    /** Which posts count, in plain English */
    counting_rule?: string;
    /** The list or count that the venue settles on */
    settlement_source?: string;
    account: string;
    p50: number;
    final_count: number;
    model_version: string;
  }[];
  annotations: {
    /** ISO 8601, UTC */
    timestamp: string;
    label: string;
    commit: string;
  }[];
}

export interface ScoreLine {
  /** model, market, or the name of a baseline */
  name: string;
  crps: number | null;
  bucket_log_score: number | null;
  median_error_pct: number | null;
  sample_size: number;
}

export interface CalibrationRecord {
  account: string;
  horizon: 24 | 48 | 72;
  sample_size: number;
  pit_histogram: {
    from: number;
    to: number;
    count: number;
  }[];
  coverage_50: number | null;
  coverage_90: number | null;
  reliability: ({
    from: number;
    to: number;
    mean_probability: number | null;
    won_fraction: number | null;
    count: number;
  })[];
  scores: ScoreLine[];
}

export interface PerformanceCalibration {
  /** UTC milliseconds */
  timestamp: number;
  data: CalibrationRecord[];
}

export interface PredictedObserved {
  edge_kind: 'fact' | 'structure' | 'model';
  /** Lower end of the probability range; null in the row for all bets of this kind */
  probability_from: number | null;
  probability_to: number | null;
  /** Settled bets */
  bets: number;
  events: number;
  /** Mean stated probability */
  predicted: number | null;
  /** Share of bets that won */
  observed: number | null;
  /** 90 % interval for the observed share if the stated probabilities are right */
  expected_low: number | null;
  expected_high: number | null;
  /** Mean market price of the sides bought */
  market_implied: number | null;
  return_on_stake: number | null;
  /** 90 % interval, resampled by event */
  return_low: number | null;
  return_high: number | null;
  closing_line_value: number | null;
  closing_line_sample: number;
}

export interface LedgerEntry {
  /** UTC milliseconds */
  timestamp: number;
  account: string;
  event_id: number;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  horizon: number;
  bucket: string;
  strategy: string | null;
  confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  model_prob: number;
  market_price: number;
  /** USD, including the fee */
  cost_per_share: number;
  shares: number;
  /** USD */
  stake: number;
  /** null until the event settles */
  won: boolean | null;
  pnl: number | null;
  /** UTC milliseconds; null if never */
  settled_ts: number | null;
  /** null for older records */
  edge_kind: 'fact' | 'structure' | 'model' | null;
  /** Blended probability of winning, as stated when the bet was made */
  win_probability: number | null;
  /** Later midpoint minus cost, per share */
  closing_line_value: number | null;
}

export interface PerformanceLedger {
  /** UTC milliseconds */
  timestamp: number;
  summary: {
    /** Settled bets */
    bets: number;
    events: number;
    staked: number;
    pnl: number;
    return_on_stake: number | null;
    return_low: number | null;
    return_high: number | null;
    max_drawdown: number;
    closing_line_value: number | null;
    closing_line_sample: number;
  };
  /** Predicted vs. observed, by edge kind and probability range */
  predicted_observed: PredictedObserved[];
  /** Accounts with halted model advice, and why */
  halts: {
    account: string;
    reason: string;
  }[];
  /** Newest first, at most 200 */
  data: LedgerEntry[];
}

/** Lower is better, except for returns */
export interface RecordEstimate {
  mean: number | null;
  /** Lower end of the 90 % interval, resampled by event; null below 3 events */
  low: number | null;
  high: number | null;
  events: number;
}

export interface RecordForecaster {
  name: 'model' | 'market' | 'blend';
  log_score: RecordEstimate;
  ranked_score: RecordEstimate;
  return_on_stake: RecordEstimate;
}

export interface RecordMember {
  /** model, market, or the name of a baseline or an ensemble member */
  name: string;
  crps: RecordEstimate;
  log_score: RecordEstimate;
}

export interface RecordLead {
  horizon: number;
  median_error_pct: number | null;
  /** 90 % interval of the median, resampled by event */
  low: number | null;
  high: number | null;
  events: number;
}

export interface RecordReliability {
  from: number;
  to: number;
  mean_probability: number | null;
  won_fraction: number | null;
  /** 90 % interval, resampled by event */
  low: number | null;
  high: number | null;
  buckets: number;
  events: number;
}

export interface RecordPoint {
  event_id: number;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  account: string;
  /** UTC milliseconds */
  end_ts: number;
  p50: number;
  final_count: number;
  error_pct: number;
  /** Whether the outcome was inside the 90 % interval */
  inside_90: boolean;
  log_score: number;
  market_log_score: number | null;
}

/** Forecasts computed later from data available at the time; never published */
export interface RecordSection {
  /** Settled events with a forecast at this horizon */
  events: number;
  /** UTC milliseconds; null if never */
  first_end_ts: number | null;
  /** UTC milliseconds; null if never */
  last_end_ts: number | null;
  /** Scored on events with market prices; the blend uses its shipped weights */
  forecasters: RecordForecaster[];
  /** Best CRPS first */
  members: RecordMember[];
  by_lead: RecordLead[];
  reliability: RecordReliability[];
  /** Ordered by end time */
  points: RecordPoint[];
}

export interface PerformanceRecord {
  /** UTC milliseconds */
  timestamp: number;
  horizon: number;
  account: string | null;
  forward: RecordSection;
  recomputed: RecordSection;
  /** Paper trades on settled events, at cost including fees; 90 % interval, resampled by event */
  advice: {
    bets: number;
    events: number;
    return_on_stake: number | null;
    low: number | null;
    high: number | null;
  };
  /** See /performance/seals */
  newest_seal: {
    /** UTC milliseconds */
    hour_ts: number;
    chain: string;
  } | null;
}

export interface Seal {
  /** Start of the hour, UTC milliseconds */
  hour_ts: number;
  /** Sequence number of the first entry; numbering continues across hours */
  first_seq: number;
  /** Number of entries */
  size: number;
  /** Merkle root of the entries (RFC 6962); SHA-256, hex */
  root: string;
  /** Chain hash of the previous seal; zeros for the first; SHA-256, hex */
  previous: string;
  /** Hash of hour, first_seq, size, root and previous; SHA-256, hex */
  chain: string;
  /** External services that store this chain hash */
  anchors: {
    anchor: string;
    /** UTC milliseconds */
    anchored_ts: number;
  }[];
}

export interface SealsAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Seal[];
  /** null before the first hour is sealed */
  newest: Seal | null;
  /** null on the last page */
  next_cursor: string | null;
}

export interface SealedEntry {
  /** Merkle leaf hash of the entry; SHA-256, hex */
  leaf: string;
  /** The sealed text; null until the event settles, unless the key is PRO */
  entry: string | null;
}

export interface SealedHour {
  /** Start of the hour, UTC milliseconds */
  hour_ts: number;
  /** Sequence number of the first entry; numbering continues across hours */
  first_seq: number;
  /** Number of entries */
  size: number;
  /** Merkle root of the entries (RFC 6962); SHA-256, hex */
  root: string;
  /** Chain hash of the previous seal; zeros for the first; SHA-256, hex */
  previous: string;
  /** Hash of hour, first_seq, size, root and previous; SHA-256, hex */
  chain: string;
  /** External services that store this chain hash */
  anchors: {
    anchor: string;
    /** UTC milliseconds */
    anchored_ts: number;
  }[];
  /** In order; absent if seq is given */
  entries?: SealedEntry[];
  /** Present only if seq is given */
  proof?: {
    seq: number;
    /** Merkle leaf hash of the entry; SHA-256, hex */
    leaf: string;
    /** The sealed text; null until the event settles, unless the key is PRO */
    entry: string | null;
    /** Sibling hashes from leaf to root */
    path: string[];
  };
}

export interface SealedHourAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: SealedHour;
}

export interface SettledEvent {
  final_count: number;
  winning_bucket: string | null;
  source: string;
  /** Starts at 1 and increases with every correction */
  revision: number;
  /** UTC milliseconds */
  settled_ts: number;
}

export interface PastEvent {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  buckets: ({
    bucket: string;
    low: number;
    high: number | null;
  })[];
  /** null until the event settles */
  settlement: SettledEvent | null;
}

export interface PastEventsAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: PastEvent[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface CoursePoint {
  /** UTC milliseconds */
  timestamp: number;
  real_counter: number;
  /** null until the feed first responds */
  market_oracle_counter: number | null;
  /** null until the feed first responds */
  market_ui_counter: number | null;
  /** One per bucket; null if unknown */
  market_prices: (number | null)[];
  /** PRO */
  forecast?: {
    p5: number;
    p50: number;
    p95: number;
  };
  /** PRO; one per bucket */
  model_probs?: number[];
  /** PRO */
  model_version?: string;
  /** true if computed later from stored posts; absent for points recorded at the time */
  recomputed?: boolean;
}

export interface EventCourse {
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  buckets: ({
    bucket: string;
    low: number;
    high: number | null;
  })[];
  /** null until the event settles */
  settlement: SettledEvent | null;
  /** Earliest first */
  points: CoursePoint[];
  /** Why past_prices is missing or incomplete; absent if it is complete */
  past_prices_problem?: string;
  /** Hourly prices from the market's own history, from before this service recorded prices; on the first page only, absent if there are none */
  past_prices?: ({
    /** UTC milliseconds */
    timestamp: number;
    market_prices: (number | null)[];
  })[];
  /** PRO; signals and their results */
  signals?: LedgerEntry[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface CourseAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: EventCourse;
}

export interface InstanceKey {
  algorithm: 'Ed25519';
  key_id: string;
  /** Base64-encoded DER (SPKI) */
  public_key: string;
}

export interface InstanceKeyAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: InstanceKey;
}

export interface DossierPost {
  tweet_id: string;
  /** post, quote, repost, reply, reply to itself or community post */
  kind: string;
  /** UTC milliseconds */
  created_ts: number;
  /** UTC milliseconds */
  first_seen_ts: number;
  /** null when not recorded */
  first_source: string | null;
  is_counted: boolean;
  /** The part of the rule that decided whether the post counts */
  verdict: string;
  /** UTC milliseconds; null if never */
  deleted_ts: number | null;
  /** UTC milliseconds; null if never */
  oracle_imported_ts: number | null;
  /** UTC milliseconds; null if never */
  oracle_listed_ts: number | null;
}

export interface Dossier {
  account: string;
  event_id: number;
  event_title: string;
  /** Venue that lists the contract; `market` for the first venue */
  venue?: string;
  /** Which posts count, in plain English */
  counting_rule?: string;
  /** The list or count that the venue settles on */
  settlement_source?: string;
  /** UTC milliseconds */
  start_ts: number;
  /** UTC milliseconds */
  end_ts: number;
  buckets: ({
    bucket: string;
    low: number;
    high: number | null;
  })[];
  /** null until the event settles */
  settlement: SettledEvent | null;
  /** UTC milliseconds */
  compiled_ts: number;
  /** The explanation in a few sentences */
  explanation: string[];
  own_count: number;
  /** Every change, earliest first */
  oracle_counts: {
    /** UTC milliseconds */
    timestamp: number;
    count: number;
  }[];
  ui_counts: {
    /** UTC milliseconds */
    timestamp: number;
    count: number;
  }[];
  /** Every revision, earliest first */
  settlements: ({
    final_count: number;
    winning_bucket: string | null;
    source: string;
    revision: number;
    /** UTC milliseconds */
    settled_ts: number;
  })[];
  /** PRO */
  counts_by_rule?: {
    rule: string;
    count: number;
  }[];
  /** PRO; posts that our count and the oracle's list treat differently */
  disagreements?: {
    tweet_id: string;
    /** UTC milliseconds */
    created_ts: number;
    what: string;
  }[];
  /** PRO; every post in the window */
  posts?: DossierPost[];
}

export interface Signature {
  algorithm: 'Ed25519';
  /** First 16 hex digits of the SHA-256 of public_key */
  key_id: string;
  /** Base64-encoded DER (SPKI) */
  public_key: string;
  /** Base64 signature over `dossier` as JSON without spaces and with keys sorted by code unit */
  value: string;
}

export interface SignedDossier {
  dossier: Dossier;
  signature: Signature;
}

export interface DossierAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: SignedDossier;
}

export interface BookLevel {
  price: number;
  /** Shares at this price */
  shares: number;
  /** Shares at this price or better */
  total_shares: number;
}

export interface EventBooks {
  event_id: number;
  /** When the books were fetched from the market; they are cached for a few seconds */
  read_ts: number;
  /** Yes side of each bucket that has an order book */
  buckets: {
    bucket: string;
    /** Best price first, at most 15 */
    bids: BookLevel[];
    /** Best price first, at most 15 */
    asks: BookLevel[];
  }[];
}

export interface BooksAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: EventBooks;
}

export interface UsageSummaryAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    days: number;
    total_requests: number;
    total_errors: number;
    /** Fraction from 0 to 1 */
    error_rate: number;
    avg_response_ms: number;
    total_bandwidth_bytes: number;
  };
}

export interface UsageByEndpointAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: {
    endpoint: string;
    method: string;
    requests: number;
    errors: number;
    /** Fraction from 0 to 1 */
    error_rate: number;
    avg_response_ms: number;
    bandwidth_bytes: number;
  }[];
}

export interface UsageErrorsAnswer {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: ({
    endpoint: string;
    method: string;
    /** UTC milliseconds */
    timestamp: number;
    status_code: number;
    response_ms: number;
    message: string | null;
  })[];
}

export interface UsageStatsAnswer {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    buffer: {
      size: number;
      capacity: number;
      dropped: number;
      /** UTC milliseconds; null if never */
      last_flush_ts: number | null;
    };
    tracking: {
      enabled: boolean;
      flush_interval_ms: number;
      retention_days: number;
    };
  };
}

export interface ApiKey {
  key_id: string;
  tier: 'FREE' | 'PRO' | 'INTERNAL';
  label: string;
  /** First and last characters of the key */
  hint: string;
  /** UTC milliseconds */
  created_ts: number;
  /** UTC milliseconds; null if never */
  expires_ts: number | null;
  /** UTC milliseconds; null if never */
  revoked_ts: number | null;
  /** Whether this request was made with the key */
  is_calling: boolean;
  /** UTC milliseconds; null if never */
  last_used_ts: number | null;
  /** In the last 30 days */
  requests: number;
  /** In the last 30 days */
  errors: number;
}

export interface KeyList {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: ApiKey[];
}

export interface KeyIssued {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    key_id: string;
    tier: 'FREE' | 'PRO' | 'INTERNAL';
    label: string;
    /** First and last characters of the key */
    hint: string;
    /** UTC milliseconds */
    created_ts: number;
    /** UTC milliseconds; null if never */
    expires_ts: number | null;
    /** UTC milliseconds; null if never */
    revoked_ts: number | null;
    /** Shown only once */
    key: string;
  };
}

export interface KeyRevoked {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    key_id: string;
    tier: 'FREE' | 'PRO' | 'INTERNAL';
    label: string;
    /** First and last characters of the key */
    hint: string;
    /** UTC milliseconds */
    created_ts: number;
    /** UTC milliseconds; null if never */
    expires_ts: number | null;
    /** UTC milliseconds; null if never */
    revoked_ts: number | null;
  };
}

export interface KeyCall {
  /** UTC milliseconds */
  timestamp: number;
  endpoint: string;
  method: string;
  status_code: number;
  /** Identical requests in the same second are merged into one entry */
  requests: number;
  /** Average */
  response_ms: number;
  message: string | null;
}

export interface KeyCalls {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: KeyCall[];
}

export interface WebhookCreated {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    webhook_id: string;
    url: string;
    topics: string[];
    /** UTC milliseconds */
    created_ts: number;
    /** When the webhook was disabled, because it kept failing or its key was revoked; null while active */
    disabled_ts: number | null;
    /** Signs every delivery; shown only here */
    secret: string;
  };
}

export interface Webhook {
  webhook_id: string;
  url: string;
  topics: string[];
  /** UTC milliseconds */
  created_ts: number;
  /** When the webhook was disabled, because it kept failing or its key was revoked; null while active */
  disabled_ts: number | null;
}

export interface WebhookList {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Webhook[];
}

export interface WebhookRemoved {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    webhook_id: string;
  };
}

export interface WebhookDelivery {
  delivery_id: string;
  topic: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** UTC milliseconds; null if never */
  next_attempt_ts: number | null;
  last_response: string | null;
  /** UTC milliseconds */
  created_ts: number;
  /** UTC milliseconds */
  updated_ts: number;
}

export interface WebhookDeliveries {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: WebhookDelivery[];
}

export interface WebhookReplayed {
  /** UTC milliseconds */
  timestamp: number;
  data: WebhookDelivery;
}

export interface Channel {
  channel_id: string;
  kind: 'webhook' | 'discord' | 'telegram' | 'push';
  label: string;
  /** Destination, with secrets removed */
  target: string;
  state: 'ready' | 'linking' | 'disabled';
  /** UTC milliseconds */
  created_ts: number;
  /** UTC milliseconds; null if never */
  disabled_ts: number | null;
}

export interface ChannelList {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Channel[];
}

export interface ChannelBody {
  kind: 'webhook' | 'discord' | 'telegram';
  /** Webhook or Discord webhook URL; not used for telegram */
  url?: string;
  /** Your name for the channel */
  label?: string;
}

export interface ChannelCreated {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    channel_id: string;
    kind: 'webhook' | 'discord' | 'telegram' | 'push';
    label: string;
    /** Destination, with secrets removed */
    target: string;
    state: 'ready' | 'linking' | 'disabled';
    /** UTC milliseconds */
    created_ts: number;
    /** UTC milliseconds; null if never */
    disabled_ts: number | null;
    /** Signs deliveries; shown only here */
    secret: string | null;
    /** Send this code to the bot as /start CODE */
    link_code: string | null;
    /** Opens a chat with the bot and sends the code */
    link_url: string | null;
    /** UTC milliseconds; null if never */
    link_expires_ts: number | null;
  };
}

export interface ChannelRemoved {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    channel_id: string;
  };
}

export interface NoticeTested {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    notice_id: string;
  };
}

export interface PushKey {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    /** applicationServerKey, base64url */
    public_key: string;
  };
}

export interface PushSubscriptionBody {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Your name for the channel */
  label?: string;
}

export interface PushSubscribed {
  /** UTC milliseconds */
  timestamp: number;
  data: Channel;
}

export interface Rule {
  rule_id: string;
  kind: 'advice' | 'bucket_crossed' | 'activity' | 'counts_apart' | 'feed' | 'price_moved' | 'window' | 'settled';
  /** null for all accounts */
  account: string | null;
  /** null for all events */
  event_id: number | null;
  threshold: number | null;
  channels: string[];
  quiet_from: string | null;
  quiet_to: string | null;
  quiet_zone: string | null;
  most_per_hour: number;
  /** UTC milliseconds */
  created_ts: number;
}

export interface RuleList {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Rule[];
}

export interface RuleBody {
  kind: 'advice' | 'bucket_crossed' | 'activity' | 'counts_apart' | 'feed' | 'price_moved' | 'window' | 'settled';
  /** Default: all accounts */
  account?: string;
  event_id?: number;
  /** activity: minutes of silence, 15 to 1440, default 120; counts_apart: posts, 1 to 100, default 3; price_moved: price, in whole cents, 0.01 to 0.5, default 0.05; window: minutes before the end, 5 to 1440, default 60 */
  threshold?: number;
  /** Comma-separated channel ids; if empty, alerts are listed but not sent */
  channels?: string;
  /** Start of quiet hours, such as 22:00 */
  quiet_from?: string;
  /** End of quiet hours, such as 07:30 */
  quiet_to?: string;
  /** Time zone for quiet hours, such as Europe/Zurich */
  quiet_zone?: string;
  /** Maximum alerts per hour for this rule; the rest are listed but not sent */
  most_per_hour?: number;
}

export interface RuleCreated {
  /** UTC milliseconds */
  timestamp: number;
  data: Rule;
}

export interface RuleRemoved {
  /** UTC milliseconds */
  timestamp: number;
  data: {
    rule_id: string;
  };
}

export interface Notice {
  title: string;
  /** The same change always has the same id */
  notice_id: string;
  kind: 'advice' | 'bucket_crossed' | 'activity' | 'counts_apart' | 'feed' | 'price_moved' | 'window' | 'settled' | 'test';
  /** begun, ended, crossed, woke, quiet, apart, dark, back, moved, opened, closing, settled, test */
  what: string;
  account: string | null;
  event_id: number | null;
  text: string;
  /** Link to this moment in the dashboard */
  link: string;
  data: {
    [name: string]: unknown;
  };
  rule_ids: string[];
  /** Service time, UTC milliseconds */
  happened_ts: number;
  /** UTC milliseconds */
  created_ts: number;
  /** Earliest send time; null if the alert is listed but not sent */
  due_ts: number | null;
}

export interface NoticeList {
  /** Response time, UTC milliseconds */
  timestamp: number;
  data: Notice[];
  /** null on the last page */
  next_cursor: string | null;
}

export interface Schemas {
  FeedAge: FeedAge;
  Feeds: Feeds;
  CountersRecord: CountersRecord;
  MetaAnswer: MetaAnswer;
  ErrorBody: ErrorBody;
  CryptoRecord: CryptoRecord;
  CryptoAnswer: CryptoAnswer;
  PostRecord: PostRecord;
  TweetsAnswer: TweetsAnswer;
  PaymentChallenge: PaymentChallenge;
  ValidationError: ValidationError;
  HourlyRecord: HourlyRecord;
  HourlyAnswer: HourlyAnswer;
  Forecast: Forecast;
  PredictionMarket: PredictionMarket;
  PredictionRecord: PredictionRecord;
  PredictionAnswer: PredictionAnswer;
  ValidWhile: ValidWhile;
  Opportunity: Opportunity;
  NearestMiss: NearestMiss;
  OpportunitiesAnswer: OpportunitiesAnswer;
  Advice: Advice;
  Signal: Signal;
  Strategy: Strategy;
  SignalsRecord: SignalsRecord;
  SignalsAnswer: SignalsAnswer;
  LadderRecord: LadderRecord;
  LadderAnswer: LadderAnswer;
  WhatIfBody: WhatIfBody;
  PublishedPercentiles: PublishedPercentiles;
  WhatIfRecord: WhatIfRecord;
  WhatIfAnswer: WhatIfAnswer;
  PostingProfile: PostingProfile;
  ProfileAnswer: ProfileAnswer;
  NextPost: NextPost;
  SimilarWindow: SimilarWindow;
  OutlookRecord: OutlookRecord;
  OutlookAnswer: OutlookAnswer;
  Position: Position;
  PortfolioRecord: PortfolioRecord;
  PortfolioAnswer: PortfolioAnswer;
  RebalancingRecord: RebalancingRecord;
  RebalancingAnswer: RebalancingAnswer;
  PostSourceState: PostSourceState;
  Health: Health;
  WaitlistAnswer: WaitlistAnswer;
  ErrorSummary: ErrorSummary;
  PerformanceOverview: PerformanceOverview;
  PerformanceHistory: PerformanceHistory;
  ScoreLine: ScoreLine;
  CalibrationRecord: CalibrationRecord;
  PerformanceCalibration: PerformanceCalibration;
  PredictedObserved: PredictedObserved;
  LedgerEntry: LedgerEntry;
  PerformanceLedger: PerformanceLedger;
  RecordEstimate: RecordEstimate;
  RecordForecaster: RecordForecaster;
  RecordMember: RecordMember;
  RecordLead: RecordLead;
  RecordReliability: RecordReliability;
  RecordPoint: RecordPoint;
  RecordSection: RecordSection;
  PerformanceRecord: PerformanceRecord;
  Seal: Seal;
  SealsAnswer: SealsAnswer;
  SealedEntry: SealedEntry;
  SealedHour: SealedHour;
  SealedHourAnswer: SealedHourAnswer;
  SettledEvent: SettledEvent;
  PastEvent: PastEvent;
  PastEventsAnswer: PastEventsAnswer;
  CoursePoint: CoursePoint;
  EventCourse: EventCourse;
  CourseAnswer: CourseAnswer;
  InstanceKey: InstanceKey;
  InstanceKeyAnswer: InstanceKeyAnswer;
  DossierPost: DossierPost;
  Dossier: Dossier;
  Signature: Signature;
  SignedDossier: SignedDossier;
  DossierAnswer: DossierAnswer;
  BookLevel: BookLevel;
  EventBooks: EventBooks;
  BooksAnswer: BooksAnswer;
  UsageSummaryAnswer: UsageSummaryAnswer;
  UsageByEndpointAnswer: UsageByEndpointAnswer;
  UsageErrorsAnswer: UsageErrorsAnswer;
  UsageStatsAnswer: UsageStatsAnswer;
  ApiKey: ApiKey;
  KeyList: KeyList;
  KeyIssued: KeyIssued;
  KeyRevoked: KeyRevoked;
  KeyCall: KeyCall;
  KeyCalls: KeyCalls;
  WebhookCreated: WebhookCreated;
  Webhook: Webhook;
  WebhookList: WebhookList;
  WebhookRemoved: WebhookRemoved;
  WebhookDelivery: WebhookDelivery;
  WebhookDeliveries: WebhookDeliveries;
  WebhookReplayed: WebhookReplayed;
  Channel: Channel;
  ChannelList: ChannelList;
  ChannelBody: ChannelBody;
  ChannelCreated: ChannelCreated;
  ChannelRemoved: ChannelRemoved;
  NoticeTested: NoticeTested;
  PushKey: PushKey;
  PushSubscriptionBody: PushSubscriptionBody;
  PushSubscribed: PushSubscribed;
  Rule: Rule;
  RuleList: RuleList;
  RuleBody: RuleBody;
  RuleCreated: RuleCreated;
  RuleRemoved: RuleRemoved;
  Notice: Notice;
  NoticeList: NoticeList;
}

export interface Operations {
  /** Counters for the active events of an account. Counts from the settlement oracle, this service and the market page; the deltas show how far each one lags. */
  'GET /meta/{account}': {
    path: { account: string };
    query: undefined;
    body: undefined;
    answer: MetaAnswer;
  };
  /** Metadata for crypto price markets */
  'GET /meta/crypto': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: CryptoAnswer;
  };
  /** Recent posts of an account. Public and FREE callers get the latest 15 posts; PRO callers can page through all of them. */
  'GET /meta/{account}/tweets': {
    path: { account: string };
    query: { limit?: number | undefined; offset?: number | undefined };
    body: undefined;
    answer: TweetsAnswer;
  };
  /** Posts per hour and day in an account's windows. Hours are counted from the start of the window; days are calendar days in tz. */
  'GET /meta/{account}/hourly': {
    path: { account: string };
    query: { event_id?: number | undefined; tz?: string | undefined };
    body: undefined;
    answer: HourlyAnswer;
  };
  /** Forecast of final counts for an account. Public callers get counters and market prices; PRO callers also get forecast percentiles and, per bucket, model probability, edge and signal. */
  'GET /prediction/{account}': {
    path: { account: string };
    query: undefined;
    body: undefined;
    answer: PredictionAnswer;
  };
  /** What to trade now, across all accounts and events. All current trades, best first: side, limit, stake, depth, time left, reasons. If there are none, `nearest` has the closest bucket and the cost at which it would be worth buying. */
  'GET /signals': {
    path: undefined;
    query: { bankroll?: number | undefined; limit?: number | undefined };
    body: undefined;
    answer: OpportunitiesAnswer;
  };
  /** Trading signals for an account. Every open bucket, best edge first, with a stake based on the optimal-growth fraction of the bankroll. Stale feeds get no advice. Model estimates, not guaranteed profit. */
  'GET /signals/{account}': {
    path: { account: string };
    query: { bankroll?: number | undefined; only_with_signals?: boolean | undefined };
    body: undefined;
    answer: SignalsAnswer;
  };
  /** Price ladder for the active events of an account */
  'GET /signals/{account}/ladder': {
    path: { account: string };
    query: { event_id?: number | undefined; bankroll?: number | undefined };
    body: undefined;
    answer: LadderAnswer;
  };
  /** Forecast, ladder and advice for an event of an account under an assumption. Assume a pace, a silence from now, or extra posts now. The assumption applies to all of the account's open events; without one, the result is the published forecast. The model does not learn from assumptions. */
  'POST /what-if/{account}': {
    path: { account: string };
    query: undefined;
    body: { event_id: number; pace_factor?: number | undefined; silent_hours?: number | undefined; wake_ts?: number | undefined; posts_added?: number | undefined; bankroll?: number | undefined };
    answer: WhatIfAnswer;
  };
  /** Posting habits of an account by hour and weekday, and over the last 7, 14 and 30 days */
  'GET /meta/{account}/profile': {
    path: { account: string };
    query: { days?: 7 | 14 | 30 | undefined; tz?: string | undefined };
    body: undefined;
    answer: ProfileAnswer;
  };
  /** Next post of an account, and similar past windows. Based only on posts: similar gaps at this time of day, and the results of past windows with the same length and a similar count. */
  'GET /outlook/{account}': {
    path: { account: string };
    query: { event_id?: number | undefined; limit?: number | undefined };
    body: undefined;
    answer: OutlookAnswer;
  };
  /** A wallet's open positions in events of an account */
  'GET /portfolio/{account}': {
    path: { account: string };
    query: { wallet: string; bankroll?: number | undefined };
    body: undefined;
    answer: PortfolioAnswer;
  };
  /** Positions in events of an account that need ADD_MORE or TRIM */
  'GET /portfolio/{account}/rebalancing': {
    path: { account: string };
    query: { wallet: string; bankroll: number; threshold?: number | undefined };
    body: undefined;
    answer: RebalancingAnswer;
  };
  /** Service health. 503 with status `down` when data is too old to trust. */
  'GET /health': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Health;
  };
  /** Join the waitlist. An agent is identified by wallet, a person by e-mail; registering again returns the original position. */
  'POST /waitlist': {
    path: undefined;
    query: undefined;
    body: { type: 'agent' | 'human'; case: string; name?: string | null | undefined; wallet?: string | null | undefined; email?: string | null | undefined };
    answer: WaitlistAnswer;
  };
  /** Forecast error and win rate over all settled events */
  'GET /performance/overview': {
    path: undefined;
    query: { account?: string | undefined };
    body: undefined;
    answer: PerformanceOverview;
  };
  /** Forecast error of each settled event, and annotations */
  'GET /performance/history': {
    path: undefined;
    query: { horizon?: 24 | 48 | 72 | undefined; days?: number | undefined; account?: string | undefined };
    body: undefined;
    answer: PerformanceHistory;
  };
  /** Predicted vs. observed probabilities */
  'GET /performance/calibration': {
    path: undefined;
    query: { account?: string | undefined };
    body: undefined;
    answer: PerformanceCalibration;
  };
  /** Paper trades on BUY signals and their results. Trades on settled events; PRO also sees trades on open events. */
  'GET /performance/ledger': {
    path: undefined;
    query: { account?: string | undefined };
    body: undefined;
    answer: PerformanceLedger;
  };
  /** The complete record: forward and recomputed forecasts, with intervals and sample sizes */
  'GET /performance/record.json': {
    path: undefined;
    query: { account?: string | undefined; horizon?: 24 | 48 | 72 | undefined };
    body: undefined;
    answer: PerformanceRecord;
  };
  /** Seals of the forecast log, oldest first. One seal for each hour that has entries: their Merkle root, chained to the previous seal. */
  'GET /performance/seals': {
    path: undefined;
    query: { limit?: number | undefined; cursor?: string | undefined };
    body: undefined;
    answer: SealsAnswer;
  };
  /** A sealed hour's entries, or the proof for one entry. Leaf hashes of all entries, with the text of entries for settled events; PRO sees all texts. `tallycast verify FILE` and scripts/verify-seals.mjs verify the response offline. */
  'GET /performance/seals/{hour_ts}': {
    path: { hour_ts: string };
    query: { seq?: number | undefined };
    body: undefined;
    answer: SealedHourAnswer;
  };
  /** Events of an account, including settled ones, latest end first. Lists events that overlap the range from `from` to `to`. */
  'GET /history/{account}/events': {
    path: { account: string };
    query: { from?: number | undefined; to?: number | undefined; cursor?: string | undefined; format?: 'json' | 'csv' | undefined; limit?: number | undefined };
    body: undefined;
    answer: PastEventsAnswer;
  };
  /** History of one event of an account. Counts and prices over the window; for PRO also percentiles, model probabilities and signals with their results. One point every five minutes for 90 days, hourly after that. */
  'GET /history/{account}/{event_id}': {
    path: { account: string; event_id: string };
    query: { from?: number | undefined; to?: number | undefined; cursor?: string | undefined; format?: 'json' | 'csv' | undefined; step?: 'hour' | 'all' | undefined; limit?: number | undefined };
    body: undefined;
    answer: CourseAnswer;
  };
  /** Public key for verifying this instance's dossiers. The key is created once per store and shared by replicas. */
  'GET /instance-key': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: InstanceKeyAnswer;
  };
  /** Why an event of an account settled as it did, signed. The explanation, the counts from every source, and every settlement; for PRO also each post with its verdict, counts by rule, and disagreements. */
  'GET /history/{account}/{event_id}/dossier': {
    path: { account: string; event_id: string };
    query: undefined;
    body: undefined;
    answer: DossierAnswer;
  };
  /** Order books for an open event of an account, up to 15 levels per side. Empty for ended events and for venues without public books. */
  'GET /books/{account}/{event_id}': {
    path: { account: string; event_id: string };
    query: undefined;
    body: undefined;
    answer: BooksAnswer;
  };
  /** The calling key's usage totals */
  'GET /usage/summary': {
    path: undefined;
    query: { days?: number | undefined };
    body: undefined;
    answer: UsageSummaryAnswer;
  };
  /** The calling key's usage by endpoint */
  'GET /usage/by-endpoint': {
    path: undefined;
    query: { start: number; end: number };
    body: undefined;
    answer: UsageByEndpointAnswer;
  };
  /** The calling key's recent errors, newest first */
  'GET /usage/errors': {
    path: undefined;
    query: { limit?: number | undefined };
    body: undefined;
    answer: UsageErrorsAnswer;
  };
  /** State of the usage buffer and tracking settings */
  'GET /usage/stats': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: UsageStatsAnswer;
  };
  /** List this instance's keys with their usage, newest first */
  'GET /keys': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: KeyList;
  };
  /** Issue a FREE or PRO key. The key is shown only once. INTERNAL keys can only be issued on the command line. */
  'POST /keys': {
    path: undefined;
    query: undefined;
    body: { tier: 'FREE' | 'PRO'; label: string; expires_in_days?: number | null | undefined };
    answer: KeyIssued;
  };
  /** Revoke a key along with its webhooks, rules and streams. Takes effect within seconds. A key cannot revoke itself. */
  'DELETE /keys/{key_id}': {
    path: { key_id: string };
    query: undefined;
    body: undefined;
    answer: KeyRevoked;
  };
  /** Recent calls by a key, newest first. Retained as long as other usage data. */
  'GET /keys/{key_id}/calls': {
    path: { key_id: string };
    query: { limit?: number | undefined };
    body: undefined;
    answer: KeyCalls;
  };
  /** Register a webhook. Deliveries are signed according to Standard Webhooks; the secret is shown once. */
  'POST /webhooks': {
    path: undefined;
    query: undefined;
    body: { url: string; topics?: string | undefined };
    answer: WebhookCreated;
  };
  /** List the calling key's webhooks */
  'GET /webhooks': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: WebhookList;
  };
  /** Remove a webhook */
  'DELETE /webhooks/{webhook_id}': {
    path: { webhook_id: string };
    query: undefined;
    body: undefined;
    answer: WebhookRemoved;
  };
  /** List deliveries, newest first */
  'GET /webhooks/{webhook_id}/deliveries': {
    path: { webhook_id: string };
    query: { limit?: number | undefined };
    body: undefined;
    answer: WebhookDeliveries;
  };
  /** Send a delivery again */
  'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay': {
    path: { webhook_id: string; delivery_id: string };
    query: undefined;
    body: undefined;
    answer: WebhookReplayed;
  };
  /** List the calling key's channels */
  'GET /channels': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: ChannelList;
  };
  /** Create a channel for alerts. A webhook (signed according to Standard Webhooks), a Discord webhook, or a Telegram chat, which you link by sending the bot one message. Browsers subscribe at /push/subscriptions. */
  'POST /channels': {
    path: undefined;
    query: undefined;
    body: { kind: 'webhook' | 'discord' | 'telegram'; url?: string | undefined; label?: string | undefined };
    answer: ChannelCreated;
  };
  /** Remove a channel, also from rules that use it */
  'DELETE /channels/{channel_id}': {
    path: { channel_id: string };
    query: undefined;
    body: undefined;
    answer: ChannelRemoved;
  };
  /** Send a test alert to a channel */
  'POST /channels/{channel_id}/test': {
    path: { channel_id: string };
    query: undefined;
    body: undefined;
    answer: NoticeTested;
  };
  /** Public key for push subscriptions */
  'GET /push/key': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PushKey;
  };
  /** Add a browser as a channel; repeating the call returns the same channel */
  'POST /push/subscriptions': {
    path: undefined;
    query: undefined;
    body: { endpoint: string; p256dh: string; auth: string; label?: string | undefined };
    answer: PushSubscribed;
  };
  /** List the calling key's rules */
  'GET /rules': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: RuleList;
  };
  /** Create an alert rule. Takes effect within two seconds and ignores earlier events. Alerts wait during quiet hours. */
  'POST /rules': {
    path: undefined;
    query: undefined;
    body: { kind: 'advice' | 'bucket_crossed' | 'activity' | 'counts_apart' | 'feed' | 'price_moved' | 'window' | 'settled'; account?: string | undefined; event_id?: number | undefined; threshold?: number | undefined; channels?: string | undefined; quiet_from?: string | undefined; quiet_to?: string | undefined; quiet_zone?: string | undefined; most_per_hour?: number | undefined };
    answer: RuleCreated;
  };
  /** Replace an alert rule. The rule keeps its id. Takes effect within two seconds and ignores earlier events. */
  'POST /rules/{rule_id}': {
    path: { rule_id: string };
    query: undefined;
    body: { kind: 'advice' | 'bucket_crossed' | 'activity' | 'counts_apart' | 'feed' | 'price_moved' | 'window' | 'settled'; account?: string | undefined; event_id?: number | undefined; threshold?: number | undefined; channels?: string | undefined; quiet_from?: string | undefined; quiet_to?: string | undefined; quiet_zone?: string | undefined; most_per_hour?: number | undefined };
    answer: RuleCreated;
  };
  /** Remove a rule */
  'DELETE /rules/{rule_id}': {
    path: { rule_id: string };
    query: undefined;
    body: undefined;
    answer: RuleRemoved;
  };
  /** Send a test alert to the rule's channels */
  'POST /rules/{rule_id}/test': {
    path: { rule_id: string };
    query: undefined;
    body: undefined;
    answer: NoticeTested;
  };
  /** List the calling key's alerts, newest first. Alerts from the last 30 days, whether sent or only listed. */
  'GET /notices': {
    path: undefined;
    query: { limit?: number | undefined; cursor?: string | undefined };
    body: undefined;
    answer: NoticeList;
  };
}
