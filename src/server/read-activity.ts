// Reads what happened in an account from the store, shared by all requests of the same second.

import type { Account } from '../domain/account.ts';
import type { AdviceHappening, Happening } from '../domain/happening.ts';
import type { MarketEvent } from '../domain/market-event.ts';
import { DAY_MS, SECOND_MS } from '../domain/units.ts';
import { createRecentResults } from '../runtime/recent-results.ts';
import type { Settlement } from '../store/ports.ts';
import { type AdviceOutcome, judgeAdvice } from '../trade/activity/compose.ts';
import { findSidePrice } from '../trade/activity/notice.ts';
import type { RouteContext } from './context.ts';
import { type EventLabel, labelEvent, type RememberedSource } from './records/remembered-advice.ts';

export interface PastOfAccount {
  happenings: readonly Happening[];
  /** Latest start first. */
  advice: readonly AdviceHappening[];
  settlements: readonly Settlement[];
  labelOf(eventId: number): EventLabel;
  /** null if not settled. */
  settledTsOf(eventId: number): number | null;
  outcomeOf(advice: AdviceHappening): AdviceOutcome;
}

export interface ActivityReader {
  read(account: Account, nowTs: number): Promise<PastOfAccount>;
  /** Advice on one event, latest start first. */
  readAdvice(account: Account, event: MarketEvent): Promise<RememberedSource[]>;
}

const REUSE_MS = SECOND_MS;
/** Older activity is in the events' own histories. */
const LOOK_BACK_MS = 7 * DAY_MS;
const MAX_HAPPENINGS = 500;
/** Includes advice to sell, which `last_advice` leaves out. */
const MAX_ADVICE = 50;
const MAX_EVENT_ADVICE = 200;

type Context = Pick<RouteContext, 'store' | 'board' | 'wallClock' | 'withDeadline'>;

export function createActivityReader({ store, board, wallClock, withDeadline }: Context): ActivityReader {
  const recent = createRecentResults<string, Promise<PastOfAccount>>(1_000, REUSE_MS);

  async function readPast(account: Account, nowTs: number): Promise<PastOfAccount> {
    const { accountId } = account;
    const sinceTs = nowTs - LOOK_BACK_MS;
    const [happenings, listed, settlements] = await Promise.all([
      store.happenings.listChanged(accountId, sinceTs, MAX_HAPPENINGS),
      store.happenings.listAdvice({ accountId, limit: MAX_ADVICE }),
      store.settlements.list(accountId, sinceTs),
    ]);
    const advice = listed.filter((one) => one.kind === 'advice');
    const eventIds = [...new Set([...happenings, ...advice, ...settlements].map(({ eventId }) => eventId))];
    const [judge, labels] = await Promise.all([
      readJudge(accountId, eventIds),
      readLabels(account, eventIds),
    ]);
    const labelOf = (eventId: number) => labels.get(eventId) ?? { title: '' };
    return { happenings, advice, settlements, labelOf, ...judge };
  }

  async function readJudge(accountId: string, eventIds: readonly number[]) {
    const settled = new Map(
      (await store.settlements.latest(eventIds)).map((settlement) => [settlement.eventId, settlement]),
    );
    return {
      settledTsOf: (eventId: number) => settled.get(eventId)?.settledTs ?? null,
      outcomeOf(advice: AdviceHappening) {
        const snapshot = board.find(accountId);
        return judgeAdvice(
          advice,
          snapshot ? findSidePrice(snapshot, advice) : null,
          settled.get(advice.eventId)?.winningLabel,
        );
      },
    };
  }

  async function readLabels(account: Account, eventIds: readonly number[]): Promise<Map<number, EventLabel>> {
    const open = board.find(account.accountId)?.events.map(({ event }) => event) ?? [];
    const missing = eventIds.filter((eventId) => !open.some((event) => event.eventId === eventId));
    const past = await Promise.all(missing.map((eventId) => store.events.find(eventId)));
    const known = [...open, ...past.filter((event) => event !== undefined)];
    return new Map(known.map((event) => [event.eventId, labelEvent(account, event)]));
  }

  return {
    async read(account, nowTs) {
      const { accountId } = account;
      const basis = [board.find(accountId)];
      const make = () => withDeadline(readPast(account, nowTs));
      const pending = recent.get(accountId, basis, wallClock.now(), make);
      try {
        return await pending;
      } catch (error) {
        recent.drop(accountId);
        throw error;
      }
    },
    async readAdvice(account, event) {
      const { accountId, segment } = account;
      const { eventId } = event;
      const label = labelEvent(account, event);
      const query = { accountId, eventId, limit: MAX_EVENT_ADVICE };
      const [listed, { outcomeOf }] = await withDeadline(
        Promise.all([store.happenings.listAdvice(query), readJudge(accountId, [eventId])]),
      );
      return listed.flatMap((advice) =>
        advice.kind === 'advice' ? [{ segment, label, advice, outcome: outcomeOf(advice) }] : [],
      );
    },
  };
}
