// "An account's signals now", assembled in one place: routes, notices, the record and the page's list all ask here.
// Sizing is done again only when something changed on which it depends.

import type { Account } from '../../domain/account.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import { type PriceableAccount, type PriceableEvent, priceEvent } from '../pricing/price-event.ts';
import type { FlatSizing } from '../sizing/flat-sizing.ts';
import { getSizingRules } from '../sizing/sizing-rules.ts';
import type { EventSignals, PricedEvent, SizingRules } from '../types.ts';
import { prepareSignals, sizeAccount } from './signals.ts';

/** What an adviser must know of an account; a snapshot has it all. */
export interface AdvisableAccount extends PriceableAccount {
  events: readonly PriceableEvent[];
}

export interface Adviser {
  readonly rules: SizingRules;
  /** Active events that have a forecast, priced, by end. */
  price(account: AdvisableAccount, nowTs: number): readonly PricedEvent[];
  /** One element per active event; those without a forecast have nothing to act on. */
  advise(account: AdvisableAccount | undefined, bankrollUsd: number, nowTs: number): EventSignals[];
}

/** One adviser per account, made when first asked for: whoever shares it shares its work. */
export function createAdvisers(): (account: Pick<Account, 'accountId' | 'allowsSell'>) => Adviser {
  const advisers = new Map<string, Adviser>();
  return (account) => {
    const adviser = advisers.get(account.accountId) ?? createAdviser(getSizingRules(account));
    advisers.set(account.accountId, adviser);
    return adviser;
  };
}

/** Ages and remaining times are told to the second. */
const REUSE_MS = 1_000;
/** Advice for one is some hundred kilobytes, with the snapshot it was made from; whoever sends it again keeps its bytes. */
const BANKROLLS_KEPT = 8;

export function createAdviser(rules: SizingRules): Adviser {
  const size = createSizer(rules);
  const recent = createRecentResults<number, EventSignals[]>(BANKROLLS_KEPT, REUSE_MS);
  const prices = createRecentResults<'priced', PricedEvent[]>(1, REUSE_MS);
  const prepared = createRecentResults<'build', ReturnType<typeof prepareSignals>>(1, REUSE_MS);
  const price = (account: AdvisableAccount, nowTs: number) =>
    prices.get('priced', account, nowTs, () =>
      listActive(account, nowTs).flatMap((state) => priceEvent(account, state, nowTs) ?? []),
    );
  return {
    rules,
    price,
    advise(account, bankrollUsd, nowTs) {
      if (!account) return [];
      return recent.get(bankrollUsd, account, nowTs, () => adviseAnew(account, bankrollUsd, nowTs));
    },
  };

  function adviseAnew(account: AdvisableAccount, bankrollUsd: number, nowTs: number): EventSignals[] {
    const active = listActive(account, nowTs);
    const priced = price(account, nowTs);
    const sizing = size(account, active, priced);
    const build = prepared.get('build', priced, nowTs, () => prepareSignals(priced, rules, sizing));
    const built = build(bankrollUsd);
    const byEvent = new Map(built.map((signals) => [signals.eventId, signals]));
    return active.map((state) => byEvent.get(state.event.eventId) ?? createSilence(state, nowTs));
  }
}

function listActive(account: AdvisableAccount, nowTs: number): PriceableEvent[] {
  return account.events
    .filter(({ event }) => isActiveAt(event.window, nowTs))
    .sort((a, b) => a.event.window.endTs - b.event.window.endTs || a.event.eventId - b.event.eventId);
}

type Sizer = (
  account: AdvisableAccount,
  states: readonly PriceableEvent[],
  priced: readonly PricedEvent[],
) => FlatSizing;

/** Feeds that answer and counts that move change nothing of the fractions. */
function createSizer(rules: SizingRules): Sizer {
  let basis: readonly unknown[] = [];
  let sizing: FlatSizing | null = null;
  return ({ quotes, jointFinals }, states, priced) => {
    const now = [quotes, jointFinals, ...states.flatMap(({ event, forecast }) => [event, forecast])];
    const isSame = now.length === basis.length && now.every((part, i) => part === basis[i]);
    if (!isSame || sizing === null) sizing = sizeAccount(priced, rules);
    basis = now;
    return sizing;
  };
}

function createSilence({ event }: PriceableEvent, nowTs: number): EventSignals {
  return {
    eventId: event.eventId,
    title: event.title,
    endTs: event.window.endTs,
    secondsRemaining: Math.max(0, Math.floor((event.window.endTs - nowTs) / 1000)),
    blindness: 'there is no forecast yet',
    signals: [],
    buy: [],
    sell: [],
  };
}
