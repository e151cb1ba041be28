// Advice on an account's events. `decide` is the only place where it is decided, and the same for everybody who asks;
// a process shares one adviser per account, which sizes decisions for a bankroll.

import type { Account } from '../../domain/account.ts';
import type { FeedName, FeedStatus } from '../../domain/feed.ts';
import { computeSecondsRemaining, listActive } from '../../domain/market-event.ts';
import type { StandingAdvice, StandingAdviceByEvent } from '../../domain/standing-advice.ts';
import { expectInvariant } from '../../runtime/invariants.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import { type PriceableAccount, type PriceableEvent, priceEvent } from '../pricing/price-event.ts';
import { DEFAULT_BANKROLL_USD, getSizingRules } from '../sizing/sizing-rules.ts';
import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { type AccountDecisions, decideAccount } from './decide-account.ts';
import { sizeSignals } from './signals.ts';

/** The part of a snapshot that an adviser needs. */
export interface AdvisableAccount extends PriceableAccount {
  events: readonly PriceableEvent[];
  /** When the state was taken. Changed advice carries this time, so every replica shows the same value. */
  takenTs?: number;
}

export interface Adviser {
  readonly rules: SizingRules;
  /** For whoever names no bankroll. */
  readonly bankrollUsd: number;
  /** Prices the active events that have a forecast, ordered by end time. */
  price(account: AdvisableAccount, nowTs: number): readonly PricedEvent[];
  /** One element per active event; an event without a forecast has no actions. */
  advise(account: AdvisableAccount | undefined, bankrollUsd: number, nowTs: number): EventSignals[];
  /** Current advice, kept until the next evaluation; independent of the bankroll. */
  stand(account: AdvisableAccount, nowTs: number): StandingAdviceByEvent;
}

export type AdviserOf = (account: Pick<Account, 'accountId' | 'allowsSell'>) => Adviser;

/** One adviser per account, created on first use and shared by its callers. */
export function createAdvisers(bankrollUsd = DEFAULT_BANKROLL_USD): AdviserOf {
  const advisers = new Map<string, Adviser>();
  return (account) => {
    const adviser = advisers.get(account.accountId) ?? createAdviser(getSizingRules(account), bankrollUsd);
    advisers.set(account.accountId, adviser);
    return adviser;
  };
}

/** Pure: the same decisions for the same state, whether it is the account's or imagined. */
export function decide(account: AdvisableAccount, rules: SizingRules, nowTs: number): AccountDecisions {
  return decideAccount(priceEvents(account, nowTs), rules, account.takenTs ?? nowTs);
}

function priceEvents(account: AdvisableAccount, nowTs: number): PricedEvent[] {
  return listActive(account, nowTs).flatMap((state) => priceEvent(account, state, nowTs) ?? []);
}

/** Results are reused for one second, the resolution of published ages and remaining times. */
const REUSE_MS = 1_000;
/** Each cached result takes a few hundred kilobytes, including its snapshot. */
const BANKROLLS_KEPT = 8;

export function createAdviser(rules: SizingRules, bankrollUsd = DEFAULT_BANKROLL_USD): Adviser {
  const recent = createRecentResults<number, EventSignals[]>(BANKROLLS_KEPT, REUSE_MS);
  const decisions = createRecentResults<'decided', AccountDecisions>(1, REUSE_MS);
  const decideOnce = (account: AdvisableAccount, nowTs: number) =>
    decisions.get('decided', account, nowTs, () => decide(account, rules, nowTs));
  return {
    rules,
    bankrollUsd,
    price: (account, nowTs) => decideOnce(account, nowTs).events.map(({ event }) => event),
    advise(account, bankrollUsd, nowTs) {
      if (!account) return [];
      return recent.get(bankrollUsd, account, nowTs, () => {
        const sized = sizeSignals(decideOnce(account, nowTs), bankrollUsd, rules);
        for (const event of sized) expectFreshInput(event, account, nowTs);
        const byEvent = new Map(sized.map((signals) => [signals.eventId, signals]));
        return listActive(account, nowTs).map(
          (state) => byEvent.get(state.event.eventId) ?? createSilence(state, nowTs),
        );
      });
    },
    stand: (account, nowTs) => listStanding(decideOnce(account, nowTs)),
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

// Checks the age of an event's inputs independently of the advice rules, as a cross-check.

interface Inputs extends Pick<PriceableAccount, 'feeds'> {
  events: readonly PriceableEvent[];
}

/** The first stale input behind the advice on an event; null if all inputs are fresh. */
function findStaleInput(account: Inputs, eventId: number, nowTs: number): FeedName | null {
  const state = account.events.find(({ event }) => event.eventId === eventId);
  const isOfVenue = ({ feed, venue }: FeedStatus) =>
    venue === (feed === 'oracle' || feed === 'prices' ? state?.event.terms?.venue : undefined);
  for (const { feed, updatedTs, staleAfterMs } of account.feeds.filter(isOfVenue)) {
    const readTs = {
      own: updatedTs,
      prices: updatedTs,
      oracle: state?.oracleUpdatedTs,
      forecast: state?.forecast?.asofTs,
    };
    if (!(feed in readTs)) continue;
    const ts = readTs[feed as keyof typeof readTs] ?? Number.NEGATIVE_INFINITY;
    if (nowTs - ts > staleAfterMs) return feed;
  }
  return null;
}
