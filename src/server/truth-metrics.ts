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
/** `null` means no value: the series is omitted. */
type SetValue = (labels: Labels, value: number | null) => void;

/** Reads the value of one account now. */
interface Asked {
  account: Account;
  snapshot: AccountSnapshot;
  nowTs: number;
}

/** One gauge with a value per account. */
interface AccountGauge {
  name: string;
  help: string;
  /** Beside the account's own. */
  labels?: readonly string[];
  tell(asked: Asked, set: SetValue): void;
}

const VERDICTS = ['buy-yes', 'buy-no', 'exit'] as const;
const QUANTILES = { 0.5: 'medianMs', 0.9: 'p90Ms', 0.99: 'p99Ms' } as const;

export function addTruthMetrics(registry: Registry, metrics: TruthMetrics): void {
  addKnownAccounts(registry, metrics);
  for (const gauge of [...FEED_GAUGES, ...EVENT_GAUGES, signalsStanding(metrics)])
    addAccountGauge(registry, metrics, gauge);
  addStoreMetrics(registry, metrics);
}

function addStoreMetrics(registry: Registry, { storeHealth, leaderEpoch }: TruthMetrics): void {
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read();
        if (value === null) this.reset();
        else this.set(value);
      },
    });
  gauge('tallycast_store_writable', '1 while the store takes writes', () => Number(storeHealth().isWritable));
  gauge('tallycast_disk_low', '1 while the disk of the store is about to be full', () =>
    Number(Boolean(storeHealth().diskProblem)),
  );
  gauge('tallycast_leader_epoch', 'Grows by one with every process that takes over ingestion', leaderEpoch);
}

function addKnownAccounts(registry: Registry, { accounts, board }: TruthMetrics): void {
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
}

function addAccountGauge(
  registry: Registry,
  { accounts, board, clock }: TruthMetrics,
  { name, help, labels = [], tell }: AccountGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['account', ...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const account of accounts) {
        const snapshot = board.find(account.accountId);
        const set: SetValue = (own, value) => {
          if (value !== null) this.set({ account: account.segment, ...own }, value);
        };
        if (snapshot) tell({ account, snapshot, nowTs: clock.now() }, set);
      }
    },
  });
}

const FEED_GAUGES: readonly AccountGauge[] = [
  {
    name: 'tallycast_feed_age_seconds',
    help: 'Since a feed last answered truthfully',
    labels: ['feed'],
    tell({ snapshot, nowTs }, set) {
      for (const { feed, updatedTs } of snapshot.feeds) set({ feed }, ageSeconds(updatedTs, nowTs));
    },
  },
  {
    name: 'tallycast_feed_stale',
    help: '1 while a feed is silent for longer than it may be',
    labels: ['feed'],
    tell({ snapshot, nowTs }, set) {
      for (const status of snapshot.feeds) set({ feed: status.feed }, Number(isStale(status, nowTs)));
    },
  },
  {
    name: 'tallycast_feed_alarm',
    help: '1 while a feed answers with something an operator must act on',
    labels: ['feed'],
    tell({ snapshot }, set) {
      for (const { feed, alarm } of snapshot.feeds) set({ feed }, Number(Boolean(alarm)));
    },
  },
  {
    name: 'tallycast_past_missing',
    help: '1 while posts from before the first start are to come',
    tell({ snapshot }, set) {
      set({}, Number(snapshot.isPastMissing ?? false));
    },
  },
  {
    name: 'tallycast_capture_delay_seconds',
    help: 'From a post to its being counted here, of recent posts',
    labels: ['quantile'],
    tell({ snapshot }, set) {
      for (const [quantile, name] of Object.entries(QUANTILES)) {
        const delayMs = snapshot.captureDelay[name];
        set({ quantile }, delayMs === null ? null : delayMs / 1000);
      }
    },
  },
];

const EVENT_GAUGES: readonly AccountGauge[] = [
  {
    name: 'tallycast_oracle_lag_seconds',
    help: 'Since the oracle last confirmed the count of an active event, the oldest',
    tell: (asked, set) =>
      set(
        {},
        worst(asked, ({ oracleUpdatedTs }) => ageSeconds(oracleUpdatedTs, asked.nowTs)),
      ),
  },
  {
    name: 'tallycast_oracle_lag_posts',
    help: 'Our count less the one of the oracle, of the active event where it is furthest behind',
    tell: (asked, set) => set({}, worst(asked, postsBehind)),
  },
  {
    name: 'tallycast_forecast_age_seconds',
    help: 'Of the oldest forecast of an active event',
    tell: (asked, set) =>
      set(
        {},
        worst(asked, ({ forecast }) => ageSeconds(forecast?.asofTs ?? null, asked.nowTs)),
      ),
  },
];

function signalsStanding({ adviserOf, bankrollUsd }: TruthMetrics): AccountGauge {
  return {
    name: 'tallycast_signals_standing',
    help: 'Trades that are advised now, for the default bankroll',
    labels: ['verdict'],
    tell({ account, snapshot, nowTs }, set) {
      const events = adviserOf(account).advise(snapshot, bankrollUsd, nowTs);
      const kinds = events.flatMap(({ signals }) => signals.map(({ verdict }) => verdict.kind));
      for (const verdict of VERDICTS) set({ verdict }, kinds.filter((kind) => kind === verdict).length);
    },
  };
}

/** The highest that is known of the active events. */
function worst({ snapshot, nowTs }: Asked, read: (state: EventState) => number | null): number | null {
  const known = snapshot.events
    .filter(({ event }) => isActiveAt(event.window, nowTs))
    .map(read)
    .filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function postsBehind({ counters: { real, oracle } }: EventState): number | null {
  return real === null || oracle === null ? null : real - oracle;
}

function ageSeconds(ts: number | null, nowTs: number): number | null {
  return ts === null ? null : Math.max(0, nowTs - ts) / 1000;
}
