// Evaluates every account's rules on each change, and periodically for time-based rules. Runs only in the
// leader. Alerts are stored before they are sent.

import type { Account } from '../../domain/account.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { Change } from '../../state/changes.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Store } from '../../store/ports.ts';
import type { AdviserOf } from '../../trade/advice/adviser.ts';
import { composeAlerts } from './compose.ts';
import { findKind } from './kinds.ts';
import { advanceMark, type Mark, parseMark, writeMark } from './mark.ts';
import type { BucketAdvice } from './readings.ts';
import {
  createHourlyAllowance,
  createRuleIndex,
  type HourlyAllowance,
  kindOf,
  type RuleIndex,
  readConditions,
} from './rule-index.ts';

export interface WatcherOptions {
  accounts: readonly Account[];
  board: BoardReader;
  store: Pick<Store, 'rules' | 'alerts' | 'watch'>;
  adviserOf: AdviserOf;
  publicUrl: string;
  /** Service time. */
  clock: Clock;
  /** Receivers' wall clock. */
  wallClock: Clock;
  logger: Logger;
  /** Called when deliveries are pending. */
  onPending: () => void;
}

export interface Watcher {
  start(): void;
  stop(): Promise<void>;
}

const RULES_EVERY_MS = 1_000;
/** Minimum and maximum interval between evaluations of an account. */
const MIN_GAP_MS = 100;
const LOOK_EVERY_MS = 1_000;
/** With more accounts, silences and windows that close soon are noticed later. */
const ACCOUNTS_AT_FULL_PACE = 100;
/** How long after a start advice remains valid before feeds have responded. */
const ADVICE_GRACE_MS = 2 * MINUTE_MS;

export function createWatcher(options: WatcherOptions): Watcher {
  const { accounts, board, store, clock, wallClock, logger } = options;
  const accountIds = accounts.map(({ accountId }) => accountId);
  const sinceTs = clock.now();
  let revision: number | null = null;
  let index: RuleIndex = createRuleIndex([], accountIds);
  let allowance: HourlyAllowance | null = null;
  let stopListening = () => {};

  async function refreshRules(): Promise<void> {
    allowance ??= createHourlyAllowance(await store.alerts.listDue(wallClock.now() - HOUR_MS));
    const now = await store.rules.readRevision();
    if (now === revision) return;
    index = createRuleIndex(await store.rules.listStanding(wallClock.now()), accountIds);
    revision = now;
    for (const look of looks.values()) look.rulesChanged();
  }

  function createLook(account: Account) {
    const { accountId } = account;
    const adviseNow = createAdvice(account, options, sinceTs);
    const restMs = LOOK_EVERY_MS * Math.max(1, accounts.length / ACCOUNTS_AT_FULL_PACE);
    let mark: Mark | null = null;
    let isAdviceDue = true;
    let awaitsAdvice = false;

    async function look(): Promise<void> {
      const families = index.familiesOf(accountId);
      const snapshot = board.find(accountId);
      if (!snapshot || !allowance || (families.length === 0 && (mark?.families.length ?? 0) === 0)) return;
      mark ??= parseMark(await store.watch.findMark(accountId));
      const nowTs = clock.now();
      const needsAdvice = families.some((family) => findKind(kindOf(family))?.needsAdvice);
      const advice = needsAdvice && isAdviceDue ? adviseNow(snapshot, nowTs) : null;
      if (advice) isAdviceDue = false;
      awaitsAdvice = needsAdvice && isAdviceDue;
      const readings = readConditions({ snapshot, nowTs, sinceTs, advice, mark }, families);
      const next = advanceMark(mark, families, readings, nowTs);
      if (next.mark === mark) return;
      const wallTs = wallClock.now();
      const { publicUrl } = options;
      const draft = allowance.draft(wallTs);
      const moment = { account, index, allowance: draft, publicUrl, nowTs, wallTs };
      const { alerts, deliveries } = composeAlerts(next.changes, moment);
      await store.watch.advance(accountId, writeMark(next.mark), alerts, deliveries);
      mark = next.mark;
      draft.keep();
      if (deliveries.length > 0) options.onPending();
    }

    const looking = createRepeat({
      clock: wallClock,
      pauseMs: () => (awaitsAdvice ? LOOK_EVERY_MS : restMs),
      leastGapMs: MIN_GAP_MS,
      run: look,
      onError(error) {
        isAdviceDue = true;
        report(error);
      },
    });
    return {
      ...looking,
      hear(changes: readonly Change[]) {
        isAdviceDue ||= changes.some(({ kind }) => DECISIVE.has(kind));
        if (changes.length > 0) looking.wake();
      },
      rulesChanged() {
        isAdviceDue = true;
        looking.wake();
      },
    };
  }

  function report(error: unknown): void {
    logger.error({ error: errorMessage(error) }, 'rule evaluation failed; retrying');
  }

  const looks = new Map(accounts.map((account) => [account.accountId, createLook(account)]));
  const refreshing = createRepeat({
    clock: wallClock,
    pauseMs: RULES_EVERY_MS,
    run: refreshRules,
    onError: report,
  });

  return {
    start() {
      void refreshing.start();
      for (const look of looks.values()) void look.start();
      stopListening = board.listen(({ snapshot, changes }) => {
        looks.get(snapshot.accountId)?.hear(changes);
      });
    },
    async stop() {
      stopListening();
      await refreshing.stop();
      await Promise.all([...looks.values()].map((look) => look.stop()));
    },
  };
}

/** After which advice is read again: prices and forecasts that change it lead to a change of advice. */
const DECISIVE: ReadonlySet<Change['kind']> = new Set(['replaced', 'begun', 'advice', 'feed']);

/** The returned function returns null while advice is not available yet. */
function createAdvice(
  account: Account,
  { adviserOf }: WatcherOptions,
  sinceTs: number,
): (snapshot: AccountSnapshot, nowTs: number) => BucketAdvice[] | null {
  const adviser = adviserOf(account);
  return (snapshot, nowTs) => {
    const elements = adviser.advise(snapshot, adviser.bankrollUsd, nowTs);
    const isEarly = nowTs - sinceTs < ADVICE_GRACE_MS;
    if (isEarly && elements.some(({ blindness }) => blindness !== null)) return null;
    return elements.flatMap(({ eventId, signals }) => signals.map((signal) => ({ ...signal, eventId })));
  };
}
