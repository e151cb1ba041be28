// The demo key's rules, and what they would have raised in the last days: the alerts page of a first start is
// not empty. These alerts are marked as recomputed and have no receivers, so they are listed but never sent.

import { randomUUID } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { DAY_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat, type Repeat } from '../../runtime/repeat.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { Alert, Settlement, Store } from '../../store/ports.ts';
import { composeAlerts } from './compose.ts';
import { ALERT_KINDS, type AlertKindName } from './kinds.ts';
import type { Change } from './mark.ts';
import type { ConditionReading } from './readings.ts';
import { createHourlyAllowance, createRuleIndex } from './rule-index.ts';

export interface DemoAlertsOptions {
  accounts: readonly Account[];
  store: Pick<Store, 'keys' | 'rules' | 'alerts' | 'events' | 'posts' | 'settlements'>;
  publicUrl: string;
  /** Service time. */
  clock: Clock;
  wallClock: Clock;
  logger: Logger;
  /** Label of demo keys. */
  keyLabel: string;
}

const KINDS: readonly AlertKindName[] = ['bucket_crossed', 'price_moved', 'settled'];
const MAX_PER_HOUR = 20;
const LOOK_BACK_MS = 3 * DAY_MS;
/** Results of ended events are read shortly after the backfill. */
const FIRST_PAUSE_MS = 15 * SECOND_MS;
/** A process that serves the page may issue its key later. */
const PERIOD_MS = 30 * SECOND_MS;
const MARK = 'Recomputed from the past; not sent.';

/** Start it when the backfill is complete, because posts of the past are no news. */
export function createDemoAlerts(options: DemoAlertsOptions): Repeat {
  const { store, wallClock, logger } = options;

  async function run(): Promise<void> {
    for (const { keyId, label, revokedTs } of await store.keys.list()) {
      if (label !== options.keyLabel || revokedTs !== null) continue;
      if ((await store.rules.listForKey(keyId)).length > 0) continue;
      for (const rule of listRules(keyId, wallClock.now())) await store.rules.insert(rule);
      await recompute(keyId);
    }
  }

  async function recompute(keyId: string): Promise<void> {
    const rules = (await store.rules.listForKey(keyId)).map((rule) => ({ ...rule, keyExpiresTs: null }));
    const alerts: Alert[] = [];
    for (const account of options.accounts) {
      const index = createRuleIndex(rules, [account.accountId]);
      for (const { ts: nowTs, ...change } of await listPastChanges(options, account.accountId)) {
        const wallTs = wallClock.now();
        const allowance = createHourlyAllowance([]).draft(wallTs);
        alerts.push(
          ...composeAlerts([change], { ...options, account, index, allowance, nowTs, wallTs }).alerts,
        );
      }
      await takeBackgroundTurn();
    }
    alerts.sort((left, right) => left.happenedTs - right.happenedTs);
    // The page lists the newest first: later changes are created later.
    const firstTs = wallClock.now() - alerts.length;
    for (const [i, alert] of alerts.entries()) {
      const data = { ...alert.data, recomputed: true };
      const createdTs = firstTs + i;
      await store.alerts.add({ ...alert, createdTs, data, text: `${alert.text} ${MARK}`, dueTs: null }, []);
    }
  }

  return createRepeat({
    clock: wallClock,
    firstPauseMs: FIRST_PAUSE_MS,
    pauseMs: PERIOD_MS,
    run,
    onError: (error) => logger.warn({ error: errorMessage(error) }, 'demo alerts not recomputed; retrying'),
  });
}

function listRules(keyId: string, createdTs: number) {
  return KINDS.map((kind) => ({
    ...{ ruleId: randomUUID(), keyId, kind, accountId: null, eventId: null, channelIds: [], quiet: null },
    threshold: ALERT_KINDS[kind].threshold?.default ?? null,
    ...{ mostPerHour: MAX_PER_HOUR, createdTs, topic: null },
  }));
}

type PastChange = Change<ConditionReading> & { ts: number };

/** Changes that follow from posts and results alone; what prices would have raised is not known. */
async function listPastChanges(
  { store, clock }: DemoAlertsOptions,
  accountId: Account['accountId'],
): Promise<PastChange[]> {
  const nowTs = clock.now();
  const sinceTs = nowTs - LOOK_BACK_MS;
  const events = (await store.events.list(accountId, sinceTs)).filter(
    ({ window, terms }) => !terms && window.startTs <= nowTs,
  );
  const firstTs = Math.min(nowTs, ...events.map(({ window }) => window.startTs));
  const posts = await store.posts.listTimes(accountId, firstTs);
  const settlements = new Map(
    (await store.settlements.list(accountId, sinceTs)).map((settlement) => [settlement.eventId, settlement]),
  );
  const changes = events.flatMap((event) => [
    ...listCrossings(event, posts),
    ...describeSettlement(event, settlements.get(event.eventId)),
  ]);
  return changes.filter(({ ts }) => ts >= sinceTs && ts <= nowTs);
}

/** With the ids of the live alerts, so that no change is listed twice. */
function listCrossings(
  event: MarketEvent,
  { createdTs, isCounted }: { createdTs: Float64Array; isCounted: ArrayLike<number> },
): PastChange[] {
  const family = 'bucket_crossed' satisfies AlertKindName;
  const key = `${family}/${event.eventId}`;
  const { startTs, endTs } = event.window;
  const countedTs = createdTs.filter((ts, i) => isCounted[i] === 1 && ts >= startTs && ts < endTs);
  return event.buckets.flatMap((passed, i): PastChange[] => {
    const next = event.buckets[i + 1];
    const ts = passed.hi === null ? undefined : countedTs[passed.hi];
    if (ts === undefined || passed.hi === null || !next) return [];
    const facts = { passed: passed.label, bucket: next.label, real: passed.hi + 1 };
    const state = String(i + 1);
    const reading = { family, key, state, event, alert: { what: 'crossed', facts } };
    return [{ ts, factKey: `${key}/${state}`, before: String(i), reading }];
  });
}

function describeSettlement(event: MarketEvent, settlement: Settlement | undefined): PastChange[] {
  if (!settlement) return [];
  const family = 'settled' satisfies AlertKindName;
  const key = `${family}/${event.eventId}`;
  const state = `revision ${settlement.revision}`;
  const reading = { family, key, state, event, alert: { what: 'settled', facts: settlement } };
  return [{ ts: settlement.settledTs, factKey: `${key}/${state}`, before: 'none', reading }];
}
