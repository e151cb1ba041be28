// Table types for the queries, the same on every engine. Times are UTC milliseconds, booleans are 0 or
// 1, lists and records are JSON text, and long lists of doubles are packed bytes.

import type { Flag, RowOf } from './record-table.ts';
import type {
  LogEntriesTable,
  LogHeadTable,
  QuotesLatestTable,
  QuotesTable,
  SealsTable,
  VenuePastTable,
} from './schema-archive.ts';
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

export type { QuoteColumns, QuotesLatestTable, QuotesTable } from './schema-archive.ts';

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
