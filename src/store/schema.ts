// Table types for the queries, the same on every engine. Times are UTC milliseconds, booleans are 0 or
// 1, lists and records are JSON text, and long lists of doubles are packed bytes.

import type {
  BookBlocksTable,
  InstanceKeysTable,
  LogEntriesTable,
  LogHeadTable,
  OraclePostsTable,
  QuotesLatestTable,
  QuotesTable,
  SealAnchorsTable,
  SealsTable,
} from './schema-archive.ts';

export type { QuoteColumns, QuotesLatestTable, QuotesTable } from './schema-archive.ts';

export type Flag = 0 | 1;

export interface PostsTable {
  account_id: string;
  post_id: string;
  root_post_id: string;
  created_ts: number;
  first_seen_ts: number;
  deleted_ts: number | null;
  is_counted: Flag;
  is_reply: Flag;
  is_quote: Flag;
  is_retweet: Flag;
  is_self_reply: Flag;
  is_community: Flag;
  text: string | null;
  is_doubtful: Flag;
  first_source: string | null;
  /** 'own' or 'other' for a self-reply; null if unknown. */
  conversation: string | null;
}

export interface CountsTable {
  event_id: number;
  feed: string;
  seq: number;
  count: number;
  observed_ts: number;
}

export interface CountsLatestTable {
  event_id: number;
  feed: string;
  seq: number;
  count: number;
  confirmed_ts: number;
}

export interface EventsTable {
  event_id: number;
  account_id: string;
  title: string;
  slug: string;
  image: string;
  start_ts: number;
  end_ts: number;
  is_closed: Flag;
  buckets: string;
  /** null for contracts on the account's first venue. */
  terms: string | null;
}

export interface ForecastsTable {
  event_id: number;
  asof_ts: number;
  account_id: string;
  count_so_far: number;
  p5: number;
  p50: number;
  p95: number;
  law_from: number;
  law: Uint8Array;
  bucket_probabilities: string;
  market_prices: string;
  baselines: string | null;
  baseline_laws: Uint8Array;
  model_version: string;
  build_commit: string;
}

export interface ScoresTable {
  event_id: number;
  horizon_h: number;
  account_id: string;
  end_ts: number;
  final_count: number;
  p50: number;
  error_percent: number;
  crps: number;
  log_score: number;
  bucket_log_score: number;
  pit_low: number;
  pit_high: number;
  is_inside_50: Flag;
  is_inside_90: Flag;
  buckets: string;
  baselines: string;
  model_version: string;
  scored_ts: number;
}

export interface SignalsTable {
  event_id: number;
  horizon_h: number;
  bucket_label: string;
  /** Empty for a plain bucket signal, because a unique key cannot contain null. */
  strategy: string;
  account_id: string;
  token_id: string;
  confidence: string;
  model_probability: number;
  edge_kind: string | null;
  win_probability: number | null;
  market_price: number;
  cost_per_share: number;
  fee_per_share: number;
  shares: number;
  stake_usd: number;
  asof_ts: number;
  won: Flag | null;
  pnl_usd: number | null;
  closing_line_value: number | null;
  settled_ts: number | null;
}

export interface SignalGroundsTable {
  account_id: string;
  asof_ts: number;
  /** Deflated text. */
  content: Uint8Array;
}

export interface SettlementsTable {
  event_id: number;
  revision: number;
  account_id: string;
  final_count: number;
  winning_label: string | null;
  source: string;
  settled_ts: number;
}

export interface AnnotationsTable {
  ts: number;
  label: string;
  build_commit: string;
}

export interface ApiKeysTable {
  key_id: string;
  digest: string;
  tier: string;
  label: string;
  first_characters: string;
  last_characters: string;
  created_ts: number;
  revoked_ts: number | null;
  expires_ts: number | null;
}

export interface WaitlistTable {
  identity: string;
  position: number;
  type: string;
  use_case: string;
  name: string | null;
  wallet: string | null;
  email: string | null;
  created_ts: number;
}

export interface WaitlistCounterTable {
  id: number;
  last_position: number;
}

export interface UsageTable {
  ts: number;
  key_id: string;
  endpoint: string;
  method: string;
  status: number;
  response_ms: number;
  bytes: number;
  message: string | null;
  requests: number;
}

export interface UsageHoursTable {
  key_id: string;
  hour_ts: number;
  endpoint: string;
  method: string;
  requests: number;
  errors: number;
  response_ms: number;
  bytes: number;
}

export interface PaymentsTable {
  payment_id: string;
  /** network, asset, payer and nonce in lower case; unique. */
  nonce_key: string;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  pay_to: string;
  amount: string;
  route: string;
  state: string;
  transaction_hash: string | null;
  reason: string | null;
  valid_before: number;
  payload: string;
  created_ts: number;
  updated_ts: number;
}

export interface CursorsTable {
  name: string;
  value: string;
}

export interface SnapshotsTable {
  name: string;
  version: number;
  body: string;
}

export interface WebhooksTable {
  webhook_id: string;
  key_id: string;
  url: string;
  secret: string;
  created_ts: number;
  disabled_ts: number | null;
  kind: string;
  label: string;
  link_code: string | null;
  link_expires_ts: number | null;
}

export interface RulesTable {
  rule_id: string;
  key_id: string;
  kind: string;
  account_id: string | null;
  event_id: number | null;
  threshold: number | null;
  /** JSON list. */
  channel_ids: string;
  /** JSON, or null. */
  quiet: string | null;
  most_per_hour: number;
  created_ts: number;
  topic: string | null;
}

export interface RulesRevisionTable {
  id: number;
  revision: number;
}

export interface AlertsTable {
  notice_id: string;
  key_id: string;
  kind: string;
  what: string;
  account_id: string | null;
  event_id: number | null;
  title: string;
  body: string;
  link: string;
  /** JSON. */
  data: string;
  /** JSON list. */
  rule_ids: string;
  happened_ts: number;
  created_ts: number;
  /** Earliest delivery time; null if it is only listed. */
  due_ts: number | null;
}

export interface WatchMarksTable {
  account_id: string;
  /** JSON. */
  mark: string;
}

export interface WebhookDeliveriesTable {
  delivery_id: string;
  webhook_id: string;
  topic: string;
  body: string;
  attempts: number;
  next_attempt_ts: number | null;
  status: string;
  last_response: string | null;
  created_ts: number;
  updated_ts: number;
}

export interface AllowancesTable {
  caller: string;
  /** JSON list of [expiresTs, used], ascending. */
  slots: string;
  /** When the last slot has expired and the row can be deleted. */
  expires_ts: number;
}

export interface LeadershipTable {
  id: number;
  epoch: number;
}

export interface HealthProbeTable {
  id: number;
  beat: number;
}

export interface SchemaVersionTable {
  version: number;
  name: string;
  applied_ts: number;
}

export interface StoreOriginTable {
  id: number;
  origin: string;
}

export interface Database {
  posts: PostsTable;
  counts: CountsTable;
  counts_latest: CountsLatestTable;
  events: EventsTable;
  quotes: QuotesTable;
  quotes_latest: QuotesLatestTable;
  book_blocks: BookBlocksTable;
  oracle_posts: OraclePostsTable;
  instance_keys: InstanceKeysTable;
  forecasts: ForecastsTable;
  scores: ScoresTable;
  signals: SignalsTable;
  signal_grounds: SignalGroundsTable;
  settlements: SettlementsTable;
  annotations: AnnotationsTable;
  api_keys: ApiKeysTable;
  waitlist: WaitlistTable;
  waitlist_counter: WaitlistCounterTable;
  usage: UsageTable;
  usage_hours: UsageHoursTable;
  payments: PaymentsTable;
  cursors: CursorsTable;
  snapshots: SnapshotsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  rules: RulesTable;
  rules_revision: RulesRevisionTable;
  notices: AlertsTable;
  watch_marks: WatchMarksTable;
  allowances: AllowancesTable;
  store_origin: StoreOriginTable;
  log_entries: LogEntriesTable;
  seals: SealsTable;
  log_head: LogHeadTable;
  seal_anchors: SealAnchorsTable;
  leadership: LeadershipTable;
  health_probe: HealthProbeTable;
  schema_version: SchemaVersionTable;
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}
