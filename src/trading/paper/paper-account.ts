// Cash, shares and fills of the paper venue.

import { randomBytes } from 'node:crypto';
import { usdMicroFor } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { bookFill } from '../books/books.ts';
import type { Fill, MarketTerms, VenueBook, VenueOrder } from '../types.ts';
import { confirms, type PaperFill, type Print } from './fill-model.ts';

/** Public market data: books, trades and fees. */
export interface MarketFeed {
  book(tokenId: string): Promise<VenueBook>;
  terms(tokenId: string): Promise<MarketTerms>;
  /** Trades after a given time, oldest first. */
  printsSince(tokenId: string, ts: number): Print[];
  /** Subscribes to a token's trades. */
  watch(tokenId: string): void;
}

export interface PaperAccountOptions {
  feed: MarketFeed;
  clock: Clock;
  cashMicro: number;
  shares: ReadonlyMap<string, number>;
}

export interface PaperOrder extends VenueOrder {
  arrivesTs: number;
  expiresTs: number;
  /** null until the order has arrived. */
  aheadMicro: number | null;
  heardTs: number;
}

interface PaperTrade {
  fill: Fill;
  changedTs: number;
}

export const CONFIRM_MS = 10 * 60_000;
/** Shares taken from a level are not available again for this long. */
const TAKEN_MS = 5 * 60_000;

export function openPaperAccount({ feed, clock, ...start }: PaperAccountOptions) {
  const trades: PaperTrade[] = [];
  const taken: { tokenId: string; pricePips: number; sizeMicro: number; ts: number }[] = [];
  const shares = new Map(start.shares);
  let cashMicro = start.cashMicro;

  function takenMicro(tokenId: string, pricePips: number, nowTs: number): number {
    return taken
      .filter((one) => one.tokenId === tokenId && one.pricePips === pricePips && nowTs - one.ts < TAKEN_MS)
      .reduce((sum, { sizeMicro }) => sum + sizeMicro, 0);
  }

  async function fill(order: PaperOrder, filled: PaperFill, isTaker: boolean, ts: number): Promise<void> {
    const { fee, feePaidIn } = await feed.terms(order.tokenId);
    const made: Fill = {
      fillId: randomBytes(12).toString('hex'),
      orderId: order.orderId,
      tokenId: order.tokenId,
      action: order.action,
      ...filled,
      isTaker,
      status: 'confirmed',
      ts,
      isPhantom: true,
    };
    const booked = bookFill(made, fee, feePaidIn);
    const usdMicro = usdMicroFor(made.sizeMicro, made.pricePips);
    const sign = made.action === 'BUY' ? 1 : -1;
    cashMicro -= sign * usdMicro + booked.feeUsdMicro;
    shares.set(
      order.tokenId,
      (shares.get(order.tokenId) ?? 0) + sign * made.sizeMicro - booked.feeSharesMicro,
    );
    order.matchedMicro += made.sizeMicro;
    if (order.matchedMicro >= order.sizeMicro) order.isLive = false;
    trades.push({ fill: made, changedTs: ts });
    if (isTaker)
      taken.push({ tokenId: order.tokenId, pricePips: made.pricePips, sizeMicro: made.sizeMicro, ts });
  }

  /** A later trade at the price shows that the shares were really available. */
  function confirmFills(): void {
    for (const trade of trades) {
      const { fill } = trade;
      if (!fill.isPhantom || clock.now() > fill.ts + 2 * CONFIRM_MS) continue;
      const print = feed.printsSince(fill.tokenId, fill.ts).find((one) => confirms(fill, one, CONFIRM_MS));
      if (!print) continue;
      fill.isPhantom = false;
      trade.changedTs = clock.now();
    }
  }

  async function redeem(): Promise<void> {
    for (const [tokenId, sharesMicro] of shares) {
      if (sharesMicro <= 0) continue;
      const { winningTokenId } = await feed.terms(tokenId);
      if (winningTokenId === null) continue;
      if (winningTokenId === tokenId) cashMicro += sharesMicro;
      shares.delete(tokenId);
    }
  }

  return {
    takenMicro,
    fill,
    confirmFills,
    redeem,
    fillsSince: (ts: number) =>
      trades.filter(({ changedTs }) => changedTs >= ts).map(({ fill }) => ({ ...fill })),
    cashMicro: () => cashMicro,
    sharesMicro: (tokenId: string) => shares.get(tokenId) ?? 0,
  };
}
