// Whether what is served is true and fresh, as metrics: what alarms need to know, per account and feed.

import { Gauge, type Registry } from 'prom-client';
import type { Account } from '../domain/account.ts';
import { isStale } from '../domain/feed.ts';
import { isActiveAt } from '../domain/market-event.ts';
import type { Clock } from '../runtime/clock.ts';
import type { BoardReader } from '../state/board.ts';
import type { AccountSnapshot, EventState } from '../state/snapshot.ts';
import type { Adviser } from '../trade/advice/adviser.ts';
import type { StoreHealth } from './views/health.ts';

export interface TruthMetrics {
  board: BoardReader;
  accounts: readonly Account[];
  /** Time of the service's answers. */
  clock: Pick<Clock, 'now'>;
  adviserOf(account: Account): Adviser;
  bankrollUsd: number;
  storeHealth(): StoreHealth;
  /** null until it has been read. */
  leaderEpoch(): number | null;
}

type Labels = Record<string, string>;
type Set = (labels: Labels, value: number | null) => void;
/** Tells of one account; `null` is no value, and no value is told. */
type Tell = (snapshot: AccountSnapshot, set: Set, nowTs: number, account: Account) => void;

const VERDICTS = ['buy-yes', 'buy-no', 'exit'] as const;
const QUANTILES = { 0.5: 'medianMs', 0.9: 'p90Ms', 0.99: 'p99Ms' } as const;

export function addTruthMetrics(registry: Registry, metrics: TruthMetrics): void {
  addAccountMetrics(registry, metrics);
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        const value = read();
        if (value === null) this.reset();
        else this.set(value);
      },
    });
  const { storeHealth, leaderEpoch } = metrics;
  gauge('tallycast_store_writable', '1 while the store takes writes', () => Number(storeHealth().isWritable));
  gauge('tallycast_disk_low', '1 while the disk of the store is about to be full', () =>
    Number(Boolean(storeHealth().diskProblem)),
  );
  gauge('tallycast_leader_epoch', 'Grows by one with every process that takes over ingestion', leaderEpoch);
}

function addAccountMetrics(registry: Registry, metrics: TruthMetrics): void {
  const { board, accounts, clock } = metrics;
  const gauge = (name: string, help: string, labelNames: string[], tell: Tell) =>
    new Gauge({
      ...{ name, help, labelNames: ['account', ...labelNames], registers: [registry] },
      collect() {
        this.reset();
        for (const account of accounts) {
          const snapshot = board.find(account.accountId);
          const set: Set = (labels, value) => {
            if (value !== null) this.set({ account: account.segment, ...labels }, value);
          };
          if (snapshot) tell(snapshot, set, clock.now(), account);
        }
      },
    });
  new Gauge({
    name: 'tallycast_account_known',
    help: '0 while nothing is known of an account',
    labelNames: ['account'],
    registers: [registry],
    collect() {
      for (const { accountId, segment } of accounts)
        this.set({ account: segment }, Number(board.find(accountId) !== undefined));
    },
  });
  gauge(
    'tallycast_feed_age_seconds',
    'Since a feed last answered truthfully',
    ['feed'],
    ({ feeds }, set, now) => {
      for (const { feed, updatedTs } of feeds) set({ feed }, ageSeconds(updatedTs, now));
    },
  );
  gauge(
    'tallycast_feed_stale',
    '1 while a feed is silent for longer than it may be',
    ['feed'],
    ({ feeds }, set, now) => {
      for (const status of feeds) set({ feed: status.feed }, Number(isStale(status, now)));
    },
  );
  gauge(
    'tallycast_feed_alarm',
    '1 while a feed answers with something an operator must act on',
    ['feed'],
    ({ feeds }, set) => {
      for (const { feed, alarm } of feeds) set({ feed }, Number(Boolean(alarm)));
    },
  );
  gauge(
    'tallycast_past_missing',
    '1 while posts from before the first start are to come',
    [],
    ({ isPastMissing }, set) => set({}, Number(isPastMissing ?? false)),
  );
  gauge(
    'tallycast_capture_delay_seconds',
    'From a post to its being counted here, of recent posts',
    ['quantile'],
    ({ captureDelay }, set) => {
      for (const [quantile, name] of Object.entries(QUANTILES)) {
        const delayMs = captureDelay[name];
        set({ quantile }, delayMs === null ? null : delayMs / 1000);
      }
    },
  );
  gauge(
    'tallycast_oracle_lag_seconds',
    'Since the oracle last confirmed the count of an active event, the oldest',
    [],
    (snapshot, set, now) =>
      set({}, oldest(active(snapshot, now).map(({ oracleUpdatedTs }) => ageSeconds(oracleUpdatedTs, now)))),
  );
  gauge(
    'tallycast_oracle_lag_posts',
    'Our count less the one of the oracle, of the active event where it is furthest behind',
    [],
    (snapshot, set, now) =>
      set(
        {},
        oldest(
          active(snapshot, now).map(({ counters: { real, oracle } }) =>
            real === null || oracle === null ? null : real - oracle,
          ),
        ),
      ),
  );
  gauge(
    'tallycast_forecast_age_seconds',
    'Of the oldest forecast of an active event',
    [],
    (snapshot, set, now) =>
      set({}, oldest(active(snapshot, now).map(({ forecast }) => ageSeconds(forecast?.asofTs ?? null, now)))),
  );
  gauge(
    'tallycast_signals_standing',
    'Trades that are advised now, for the default bankroll',
    ['verdict'],
    (snapshot, set, now, account) => {
      const events = metrics.adviserOf(account).advise(snapshot, metrics.bankrollUsd, now);
      const kinds = events.flatMap(({ signals }) => signals.map(({ verdict }) => verdict.kind));
      for (const verdict of VERDICTS) set({ verdict }, kinds.filter((kind) => kind === verdict).length);
    },
  );
}

function active({ events }: AccountSnapshot, nowTs: number): EventState[] {
  return events.filter(({ event }) => isActiveAt(event.window, nowTs));
}

function ageSeconds(ts: number | null, nowTs: number): number | null {
  return ts === null ? null : Math.max(0, nowTs - ts) / 1000;
}

/** The highest that is known. */
function oldest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
