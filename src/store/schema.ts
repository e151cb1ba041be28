// Table types for the queries, the same on every engine. Times are UTC milliseconds, booleans are 0 or
// 1, lists and records are JSON text, and long lists of doubles are packed bytes.

import type { Flag, RowOf } from './record-table.ts';
import type { ALERTS, DELIVERIES, RECEIVERS, RULES } from './tables-alerts.ts';
import type { KEYS, PAYMENTS, USAGE, USAGE_HOURS, WAITLIST } from './tables-callers.ts';
import type {
  ANNOTATIONS,
  FORECAST_POINTS,
  HAPPENINGS,
  ORACLE_POSTS,
  SCORES,
  SETTLEMENTS,
  SIGNALS,
} from './tables-results.ts';

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
  /** 2 for a version of an edited post that another row represents. */
  is_doubtful: Flag | 2;
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

export interface QuotesTable extends QuoteColumns {
  /** The token's number in quotes_latest. */
  token_no: number;
}

export interface QuotesLatestTable extends QuoteColumns {
  token_id: string;
  token_no: number;
}

export interface QuoteColumns {
  observed_ts: number;
  bid: number | null;
  ask: number | null;
  bid_shares: number | null;
  ask_shares: number | null;
  last_trade_price: number | null;
}

export interface VenuePastTable {
  event_id: number;
  read_ts: number;
  until_ts: number;
  is_whole: number;
  /** Packed columns. */
  content: Uint8Array;
}

export interface LogEntriesTable {
  seq: number;
  hour_ts: number;
  entry: string;
}

export interface SealsTable {
  hour_ts: number;
  first_seq: number;
  size: number;
  root: string;
  previous: string;
  chain: string;
  /** One entry per line, deflated. */
  entries: Uint8Array;
}

export interface LogHeadTable {
  id: number;
  next_seq: number;
  open_hour_ts: number;
  chain: string;
  running: string;
}

export interface ForecastsTable extends RowOf<typeof FORECAST_POINTS.columns> {
  event_id: number;
  account_id: string;
  law_from: number;
  law: Uint8Array;
  baselines: string | null;
  baseline_laws: Uint8Array;
  build_commit: string;
}

export interface WaitlistCounterTable {
  id: number;
  last_position: number;
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

export interface ObservationsTable {
  name: string;
  version: number;
  /** The version that the change applies to. */
  ts: number;
  /** A patch, as JSON. */
  body: string;
}

export interface RulesRevisionTable {
  id: number;
  revision: number;
}

export interface WatchMarksTable {
  account_id: string;
  /** JSON. */
  mark: string;
}

export interface AllowancesTable {
  caller: string;
  /** Which process granted the requests. */
  process: string;
  /** JSON list of [expiresTs, requests], ascending. */
  entries: string;
  /** When the last entry has expired and the row can be deleted. */
  expires_ts: number;
  saved_ts: number;
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
}

export interface StoreOriginTable {
  id: number;
  origin: string;
}

type Rows<Table extends { toRow(record: never): object }> = ReturnType<Table['toRow']>;

export interface Database {
  posts: PostsTable;
  counts: CountsTable;
  counts_latest: CountsLatestTable;
  events: EventsTable;
  quotes: QuotesTable;
  quotes_latest: QuotesLatestTable;
  oracle_posts: Rows<typeof ORACLE_POSTS>;
  venue_past: VenuePastTable;
  forecasts: ForecastsTable;
  scores: Rows<typeof SCORES>;
  signals: Rows<typeof SIGNALS>;
  settlements: Rows<typeof SETTLEMENTS>;
  happenings: Rows<typeof HAPPENINGS>;
  annotations: Rows<typeof ANNOTATIONS>;
  api_keys: Rows<typeof KEYS>;
  waitlist: Rows<typeof WAITLIST> & { identity: string; position: number };
  waitlist_counter: WaitlistCounterTable;
  usage: Rows<typeof USAGE>;
  usage_hours: Rows<typeof USAGE_HOURS>;
  /** nonce_key joins network, asset, payer and nonce in lower case; unique. A response is read alone. */
  payments: Rows<typeof PAYMENTS> & { nonce_key: string; response: string | null };
  cursors: CursorsTable;
  snapshots: SnapshotsTable;
  observations: ObservationsTable;
  webhooks: Rows<typeof RECEIVERS>;
  webhook_deliveries: Rows<typeof DELIVERIES>;
  rules: Rows<typeof RULES>;
  rules_revision: RulesRevisionTable;
  notices: Rows<typeof ALERTS>;
  watch_marks: WatchMarksTable;
  allowances: AllowancesTable;
  store_origin: StoreOriginTable;
  log_entries: LogEntriesTable;
  seals: SealsTable;
  log_head: LogHeadTable;
  leadership: LeadershipTable;
  health_probe: HealthProbeTable;
  schema_version: SchemaVersionTable;
}
