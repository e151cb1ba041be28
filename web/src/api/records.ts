// The service's records as they arrive on the wire. Fields that a tier may lack are optional; the page never
// fills them in.

export type Tier = 'FREE' | 'PRO' | 'INTERNAL';

export interface FeedAge {
  updated_ts: number | null;
  age_s: number | null;
  stale: boolean;
}

export type CountFeedName = 'own' | 'oracle' | 'ui';
export type Feeds = Partial<Record<CountFeedName, FeedAge>>;

export interface CountersRecord {
  event_id: number;
  event_title: string;
  image: string;
  start_ts: number;
  end_ts: number;
  market_oracle_counter: number | null;
  real_counter: number | null;
  market_ui_counter: number | null;
  settlement_delta: number | null;
  display_delta: number | null;
  internal_delta: number | null;
  feeds?: Feeds;
}

export interface PostRecord {
  tweet_id: string;
  text: string;
  created_ts: number;
  is_reply: boolean;
  is_quote: boolean;
  is_retweet: boolean;
  is_counted: boolean | null;
  is_deleted?: boolean;
}

export interface BucketRecord {
  title: string;
  market_price: number | null;
  model_prob?: number | null;
  edge?: number | null;
  signal?: string | null;
}

export interface PredictionRecord {
  event_id: number;
  seconds_remaining?: number;
  market_oracle_counter?: number | null;
  real_counter?: number | null;
  market_ui_counter?: number | null;
  sleep_probability?: number | null;
  velocity_counted_1h?: number | null;
  velocity_all_1h?: number | null;
  forecast?: { p5: number; p50: number; p95: number } | null;
  markets: BucketRecord[];
  feeds?: Feeds;
}

export interface Envelope<T> {
  timestamp: number;
  data: T;
}

export interface SnapshotMessage {
  timestamp: number;
  account: string;
  tier: Tier;
  meta: CountersRecord[];
  prediction: PredictionRecord[];
  posts: PostRecord[];
}

export interface PriceMessage {
  event_id: number;
  title: string;
  market_price: number | null;
}

export interface FeedMessage extends FeedAge {
  feed: string;
  problem?: string | null;
}

export interface SettlementMessage {
  event_id: number;
  final_count: number;
  winning_bucket: string | null;
  revision?: number;
}

export interface HourCell {
  start_ts: number;
  counted: number | null;
  all: number;
}

export interface HourlyRecord {
  event_id: number;
  tz: string;
  hours: HourCell[];
  days: { date: string; counted: number | null; all: number }[];
}

export interface SignalRecord {
  bucket: string;
  token_id?: string;
  action: string;
  model_prob: number;
  market_price: number;
  edge: number;
  ev: number;
  kelly_fraction: number;
  suggested_bet: number;
  confidence: string;
  moneyness: number;
  time_confidence: string;
  asymmetry_edge: number | null;
  reasons: string[];
  bankroll: number;
  cost_per_share?: number | null;
  suggested_shares?: number;
}

export interface StrategyRecord {
  strategy: string;
  buckets: string[];
  stake_fraction: number;
  suggested_bet: number;
  win_probability: number;
  realised_win_rate: number | null;
  sample_size: number;
}

export interface EventSignalsRecord {
  event_id: number;
  event_title?: string;
  signals: SignalRecord[];
  strategies?: { buy: StrategyRecord[]; sell: StrategyRecord[] };
}

export interface PositionRecord {
  event_id: string;
  bucket: string;
  tokens: number;
  avg_price: number;
  cost_basis: number;
  current_price: number;
  current_value: number;
  pnl: number;
  pnl_percent: number;
  token_id?: string;
  outcome?: string;
  analysis: {
    win_probability: number;
    market_implied: number;
    edge: number;
    edge_percent: number;
    signal: string;
    recommendation: string;
  };
  sizing?: { target_value: number; adjustment: number; kelly_fraction: number; action: string };
}

export interface PortfolioRecord {
  wallet: string;
  event: { id: number; title: string; end_ts: number } | null;
  prediction: {
    p5: number | null;
    p50: number | null;
    p95: number | null;
    real_counter: number | null;
    seconds_remaining: number;
    velocity_counted_1h: number | null;
  } | null;
  positions: PositionRecord[];
  portfolio: {
    total_positions: number;
    total_cost: number;
    current_value: number;
    total_pnl: number;
    total_pnl_percent: number;
  };
  message?: string;
}

export interface RebalancingRecord {
  event_id: number;
  event_title: string;
  bankroll: number;
  threshold: number;
  positions: {
    bucket: string;
    outcome: string;
    token_id: string;
    action: string;
    current_value: number;
    target_value: number;
    adjustment: number;
    adjustment_shares: number;
    current_price: number;
    win_probability: number;
    edge: number;
    reasons: string[];
  }[];
}

export interface ErrorSummary {
  median: number | null;
  p90: number | null;
  sample_size: number;
}

export interface OverviewRecord {
  error_24h: ErrorSummary;
  error_48h: ErrorSummary;
  error_72h: ErrorSummary;
  win_rate: Record<string, number | null>;
  win_rate_samples?: Record<string, number>;
  last_updated: string;
}

export interface HistoryRecord {
  data: { timestamp: string; error_pct: number; event_id: number; p50?: number; final_count?: number }[];
  annotations: { timestamp: string; label: string; commit: string }[];
}

export interface ReliabilityBin {
  from: number;
  to: number;
  mean_probability: number | null;
  won_fraction: number | null;
  count: number;
}

export interface CalibrationRecord {
  account: string;
  horizon: number;
  sample_size: number;
  pit_histogram: { from: number; to: number; count: number }[];
  coverage_50: number | null;
  coverage_90: number | null;
  reliability: ReliabilityBin[];
  scores: {
    name: string;
    crps: number | null;
    bucket_log_score: number | null;
    median_error_pct: number | null;
    sample_size: number;
  }[];
}

export interface UsageSummary {
  days: number;
  total_requests: number;
  total_errors: number;
  error_rate: number;
  avg_response_ms: number;
  total_bandwidth_bytes: number;
}

export interface UsageByEndpoint {
  endpoint: string;
  method: string;
  requests: number;
  errors: number;
  error_rate: number;
  avg_response_ms: number;
  bandwidth_bytes: number;
}

export interface UsageErrorEntry {
  endpoint: string;
  method: string;
  timestamp: number;
  status_code: number;
  response_ms: number;
  message: string | null;
}

export interface UsageStats {
  buffer: { size: number; capacity: number; dropped: number; last_flush_ts: number | null };
  tracking: { enabled: boolean; flush_interval_ms: number; retention_days: number };
}

export interface HealthRecord {
  timestamp: number;
  status: string;
  version?: string;
  commit?: string;
  feeds?: Record<string, Record<string, FeedAge>>;
  problems?: string[];
}

export interface PageConfig {
  accounts: { segment: string; label: string }[];
  payments?: boolean;
  price_usd?: number | null;
  version?: string;
  /** 'pretend' while the numbers come from the embedded world rather than from the real market. */
  world?: string | null;
  /** How fast the service's clock runs; 1 unless a pretended world is hurried. */
  speed?: number;
}

export interface LedgerRecord {
  timestamp: number;
  summary: {
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
  data: LedgerEntry[];
}

export interface LedgerEntry {
  timestamp: number;
  account: string;
  event_id: number;
  horizon: number;
  bucket: string;
  strategy: string | null;
  model_prob: number;
  market_price: number;
  stake: number;
  won: boolean | null;
  pnl: number | null;
  settled_ts: number | null;
}
