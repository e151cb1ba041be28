// Computes an account's signals at a given time, for routes, alerts, the track record and the dashboard.

import type { Account } from '../../domain/account.ts';
import { computeSecondsRemaining, listActive } from '../../domain/market-event.ts';
import type { StandingAdvice, StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import { type PriceableAccount, type PriceableEvent, priceEvent } from '../pricing/price-event.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { type AccountDecisions, decideAccount } from './decide-account.ts';
import { sizeSignals } from './signals.ts';
import { findStaleInput } from './stale-input.ts';

/** The part of a snapshot that an adviser needs. */
export interface AdvisableAccount extends PriceableAccount {
  events: readonly PriceableEvent[];
  /** When the state was taken. Changed advice carries this time, so every replica shows the same value. */
  takenTs?: number;
}

export interface Adviser {
  readonly rules: SizingRules;
  /** Prices the active events that have a forecast, ordered by end time. */
  price(account: AdvisableAccount, nowTs: number): readonly PricedEvent[];
  /** One element per active event; an event without a forecast has no actions. */
  advise(account: AdvisableAccount | undefined, bankrollUsd: number, nowTs: number): EventSignals[];
  /** Current advice, kept until the next evaluation; independent of the bankroll. */
  stand(account: AdvisableAccount, nowTs: number): StandingAdviceByEvent;
}

/** One adviser per account, created on first use and shared by its callers. */
export function createAdvisers(): (account: Pick<Account, 'accountId' | 'allowsSell'>) => Adviser {
  const advisers = new Map<string, Adviser>();
  return (account) => {
    const adviser = advisers.get(account.accountId) ?? createAdviser(getSizingRules(account));
    advisers.set(account.accountId, adviser);
    return adviser;
  };
}

/** Results are reused for one second, the resolution of published ages and remaining times. */
const REUSE_MS = 1_000;
/** Each cached result takes a few hundred kilobytes, including its snapshot. */
const BANKROLLS_KEPT = 8;

export function createAdviser(rules: SizingRules): Adviser {
  const recent = createRecentResults<number, EventSignals[]>(BANKROLLS_KEPT, REUSE_MS);
  const prices = createRecentResults<'priced', PricedEvent[]>(1, REUSE_MS);
  const decisions = createRecentResults<'decided', AccountDecisions>(1, REUSE_MS);
  const price = (account: AdvisableAccount, nowTs: number) =>
    prices.get('priced', account, nowTs, () =>
      listActive(account, nowTs).flatMap((state) => priceEvent(account, state, nowTs) ?? []),
    );
  const decide = (account: AdvisableAccount, nowTs: number) =>
    decisions.get('decided', account, nowTs, () =>
      decideAccount(price(account, nowTs), rules, account.takenTs ?? nowTs),
    );
  return {
    rules,
    price,
    advise(account, bankrollUsd, nowTs) {
      if (!account) return [];
      return recent.get(bankrollUsd, account, nowTs, () => {
        const sized = sizeSignals(decide(account, nowTs), bankrollUsd, rules);
        for (const event of sized) expectFreshInput(event, account, nowTs);
        const byEvent = new Map(sized.map((signals) => [signals.eventId, signals]));
        return listActive(account, nowTs).map(
          (state) => byEvent.get(state.event.eventId) ?? createSilence(state, nowTs),
        );
      });
    },
    stand: (account, nowTs) => listStanding(decide(account, nowTs)),
  };
}

function expectFreshInput(
  { eventId, signals, buy, sell }: EventSignals,
  account: AdvisableAccount,
  nowTs: number,
): void {
  const isAdvised = buy.length + sell.length > 0 || signals.some(({ verdict }) => verdict.kind !== 'nothing');
  const stale = isAdvised ? findStaleInput(account, eventId, nowTs) : null;
  expectInvariant('stale-advice', stale === null, () => ({ eventId, stale }));
}

export function listStanding({ events }: AccountDecisions): StandingAdviceByEvent {
  const entries = events.map(({ event, buckets }): [string, Record<string, StandingAdvice>] => [
    String(event.eventId),
    Object.fromEntries(buckets.map(({ bucket, standing }) => [bucket.label, standing])),
  ]);
  return Object.fromEntries(entries);
}

function createSilence({ event }: PriceableEvent, nowTs: number): EventSignals {
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.window.endTs,
    secondsRemaining: computeSecondsRemaining(event.window.endTs, nowTs),
    blindness: 'there is no forecast yet',
    signals: [],
    buy: [],
    sell: [],
  };
}
