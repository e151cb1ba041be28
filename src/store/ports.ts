// The store's interface, derived from the queries. Both engines run the same queries, and the same tests run on
// both. Observations are append-only. A resolved promise means the rows are durable.

import type { LentStore } from './lent-store.ts';
import type { Ports } from './queries/all-queries.ts';

export type { OracleListing } from './queries/all-queries.ts';
export type { CountFeed, CountObservation } from './queries/counts.ts';
export type { ForecastRecord, Numbers } from './queries/forecasts.ts';
export type { StoreOrigin } from './queries/instance.ts';
export type { SealedHour } from './queries/seals.ts';
export type { SavedObservation, SavedSnapshot } from './queries/snapshots.ts';
export type { UsageColumns } from './queries/usage.ts';
export type { UsageTotals } from './queries/usage-hours.ts';
export type * from './tables-alerts.ts';
export type * from './tables-callers.ts';
export type * from './tables-results.ts';

export type CursorStore = Ports['cursors'];
export type EventStore = Ports['events'];
export type KeyStore = Ports['keys'];
export type PaymentStore = Ports['payments'];
export type PostStore = Ports['posts'];
export type UsageStore = Ports['usage'];
export type WebhookStore = Ports['webhooks'];

type SnapshotQueries = Ports['snapshots'];

export interface SnapshotStore extends SnapshotQueries {
  /**
   * Called when another process may have changed a snapshot. Polling versions() covers missed
   * notifications.
   */
  listen(onChange: (name: string, version: number) => void): Promise<() => Promise<void>>;
}

/** Leadership: only one of several ingest processes writes observations. */
export interface Leadership {
  /** Increases with every new leader; the store refuses writes with an older epoch. */
  epoch: number;
  /** Aborts when leadership is lost. */
  lost: AbortSignal;
  release(): Promise<void>;
}

export interface Store extends Omit<Ports, 'snapshots'> {
  readonly engine: 'sqlite' | 'postgres';
  readonly snapshots: SnapshotStore;
  /** Waits until this process is the ingest leader; resolves immediately if it is the only candidate. */
  lead(signal: AbortSignal): Promise<Leadership>;
  /** Epoch of the current leader; 0 before the first. */
  readEpoch(): Promise<number>;
  health(): Promise<{ isWritable: boolean; problem: string | null }>;
  /** For another thread of this process, while it leads. */
  lend(): LentStore;
  close(): Promise<void>;
}
