// Alarm metrics per account and feed: correctness and age of the served data.

import { Gauge, type Registry } from 'prom-client';
import type { Account } from '../domain/account.ts';
import { isStale, nameFeed } from '../domain/feed.ts';
import { listActive } from '../domain/market-event.ts';
import type { Clock } from '../runtime/clock.ts';
import type { BoardReader } from '../state/board.ts';
import type { AccountSnapshot, EventState } from '../state/snapshot.ts';
import type { Adviser } from '../trade/advice/adviser.ts';
import type { StoreHealth } from './context.ts';

export interface TruthMetrics {
  board: BoardReader;
  accounts: readonly Account[];
  /** The service's clock, as shown in responses. */
  clock: Pick<Clock, 'now'>;
  adviserOf(account: Account): Adviser;
  storeHealth(): StoreHealth;
  /** null until first read. */
  leaderEpoch(): number | null;
}

type Labels = Record<string, string>;
/** If null, the series is omitted. */
type SetValue = (labels: Labels, value: number | null) => void;

/** Reads one account's current value. */
interface Asked {
  account: Account;
  snapshot: AccountSnapshot;
  nowTs: number;
}

/** One gauge with a value per account. */
interface AccountGauge {
  name: string;
  help: string;
  /** Labels in addition to the account's. */
  labels?: readonly string[];
  report(asked: Asked, set: SetValue): void;
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
  gauge('tallycast_store_writable', '1 while the store accepts writes', () =>
    Number(storeHealth().isWritable),
  );
  gauge('tallycast_disk_low', "1 while the store's disk is almost full", () =>
    Number(Boolean(storeHealth().diskProblem)),
  );
  gauge('tallycast_leader_epoch', 'Increases each time a process takes over ingestion', leaderEpoch);
}

function addKnownAccounts(registry: Registry, { accounts, board }: TruthMetrics): void {
  new Gauge({
    name: 'tallycast_account_known',
    help: '0 while there is no data for an account',
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
  { name, help, labels = [], report }: AccountGauge,
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
        if (snapshot) report({ account, snapshot, nowTs: clock.now() }, set);
      }
    },
  });
}

const FEED_GAUGES: readonly AccountGauge[] = [
  {
    name: 'tallycast_feed_age_seconds',
    help: "Time since a feed's last valid response",
    labels: ['feed'],
    report({ snapshot, nowTs }, set) {
      for (const status of snapshot.feeds)
        set({ feed: nameFeed(status) }, ageSeconds(status.updatedTs, nowTs));
    },
  },
  {
    name: 'tallycast_feed_stale',
    help: '1 while a feed is stale',
    labels: ['feed'],
    report({ snapshot, nowTs }, set) {
      for (const status of snapshot.feeds) set({ feed: nameFeed(status) }, Number(isStale(status, nowTs)));
    },
  },
  {
    name: 'tallycast_feed_alarm',
    help: '1 while a feed has a problem that an operator must fix',
    labels: ['feed'],
    report({ snapshot }, set) {
      for (const status of snapshot.feeds) set({ feed: nameFeed(status) }, Number(Boolean(status.alarm)));
    },
  },
  {
    name: 'tallycast_past_missing',
    help: '1 while the initial history backfill is incomplete',
    report({ snapshot }, set) {
      set({}, Number(snapshot.isPastMissing ?? false));
    },
  },
  {
    name: 'tallycast_capture_delay_seconds',
    help: 'Delay from posting until this service counted the post, for recent posts',
    labels: ['quantile'],
    report({ snapshot }, set) {
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
    help: "Time since the oracle last confirmed an active event's count, for the event with the oldest confirmation",
    report: (asked, set) =>
      set(
        {},
        worst(asked, ({ oracleUpdatedTs }) => ageSeconds(oracleUpdatedTs, asked.nowTs)),
      ),
  },
  {
    name: 'tallycast_oracle_lag_posts',
    help: "Our count minus the oracle's, for the active event with the largest gap",
    report: (asked, set) => set({}, worst(asked, postsBehind)),
  },
  {
    name: 'tallycast_forecast_age_seconds',
    help: 'Age of the oldest forecast among active events',
    report: (asked, set) =>
      set(
        {},
        worst(asked, ({ forecast }) => ageSeconds(forecast?.asofTs ?? null, asked.nowTs)),
      ),
  },
];

function signalsStanding({ adviserOf }: TruthMetrics): AccountGauge {
  return {
    name: 'tallycast_signals_standing',
    help: 'Trades currently advised for the default bankroll',
    labels: ['verdict'],
    report({ account, snapshot, nowTs }, set) {
      const adviser = adviserOf(account);
      const events = adviser.advise(snapshot, adviser.bankrollUsd, nowTs);
      const kinds = events.flatMap(({ signals }) => signals.map(({ verdict }) => verdict.kind));
      for (const verdict of VERDICTS) set({ verdict }, kinds.filter((kind) => kind === verdict).length);
    },
  };
}

/** The highest known value over the active events. */
function worst({ snapshot, nowTs }: Asked, read: (state: EventState) => number | null): number | null {
  const known = listActive(snapshot, nowTs)
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
