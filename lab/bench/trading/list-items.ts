// Advice for measurements: items that fill at once, and items that rest on the book.

import type { Tallycast } from '../../../packages/client-js/src/index.ts';
import type { SimulatorState } from '../../../simulator/simulator-state.ts';
import { readTokenBook } from '../../../simulator/trading/token-book.ts';
import { MICRO, toPips } from '../../../src/domain/micro-units.ts';
import { DAY_MS } from '../../../src/domain/units.ts';
import type { AdviceItem } from '../../../src/trading/types.ts';

const LEAST_OFFERED = 50;
const ABOVE_ASK = 0.02;
const BELOW_BID = 0.03;

export interface Offer {
  account: string;
  eventId: number;
  bucket: string;
  tokenId: string;
  price: number;
}

/** Buckets of the first venue that have a real offer. */
export async function listOffers(client: Tallycast, accounts: readonly string[]): Promise<Offer[]> {
  const ladders = await Promise.all(accounts.map((account) => client.ladder(account)));
  return ladders.flatMap(({ data }, index) =>
    data
      .filter(({ venue = 'market' }) => venue === 'market')
      .flatMap(({ event_id, rows }) =>
        rows.flatMap(({ bucket, token_id, ask, ask_shares }) =>
          ask !== null && ask >= 0.05 && ask <= 0.6 && (ask_shares ?? 0) >= LEAST_OFFERED
            ? [{ account: accounts[index]!, eventId: event_id, bucket, tokenId: token_id, price: ask }]
            : [],
        ),
      ),
  );
}

/** Advice that takes the offer. */
export function takeOffer(offer: Offer, shares: number): AdviceItem {
  return toItem(offer, offer.price + ABOVE_ASK, shares);
}

/** Orders that rest below the best bid, on at most this many tokens in active events. */
export function listResting(state: SimulatorState, count: number, shares: number): AdviceItem[] {
  const nowTs = state.now();
  return state.countEvents
    .list(nowTs)
    .filter((event) => event.kind === 'count' && event.startTs <= nowTs && event.endTs > nowTs + DAY_MS / 8)
    .flatMap((event) => state.countEvents.markets(event).map((market) => ({ event, market })))
    .flatMap(({ event, market }) =>
      market.tokenIds.flatMap((tokenId) => {
        const ref = state.findToken(tokenId, nowTs);
        const bid = ref && readTokenBook(state, ref, nowTs).book.bids[0];
        if (!bid || bid.price < 2 * BELOW_BID) return [];
        const { eventId, accountId } = event;
        const offer = { account: accountId ?? '', eventId, bucket: market.label, tokenId, price: bid.price };
        return [toItem(offer, bid.price - BELOW_BID, shares)];
      }),
    )
    .slice(0, count);
}

function toItem({ price: _, ...place }: Offer, limit: number, shares: number): AdviceItem {
  return {
    ...place,
    outcome: 'Yes',
    action: 'BUY',
    limitPips: toPips(limit),
    targetMicro: shares * MICRO,
    depthMicro: null,
    gainPerUsd: 1,
    probability: 0.5,
    secondsLeft: 7200,
    edgeKind: 'model',
    blockedBy: null,
  };
}
