// Builds trades from one taker's fills: one trade per price, with all transfers.

import { exactFeeMicro, type FeeAsset, type FeeTerms } from '../../src/domain/taker-fee.ts';
import { usdMicroFor } from '../../src/domain/units.ts';
import { makeHex } from '../platform-ids.ts';
import type { EngineFill } from './market-engine.ts';
import type { BookSide } from './matching/order-book.ts';
import type { OrderRecords } from './order-records.ts';
import { CROWD, type Movement, USD } from './settling/ledger.ts';
import { feeFor, feeMovements, flipPips, type Party, transferFor } from './settling/transfers.ts';
import type { ExchangeMarket, ExchangeOrder, ExchangeTrade, TradeMaker } from './types.ts';

export interface TradeMakerOptions {
  seedKey: number;
  feePaidIn: FeeAsset;
  records: OrderRecords;
  roundFee?: FeeRounding;
}

/** The fee in dollars of one fill, which changed the balance by `revenueMicro` before the fee. */
export type FeeRounding = (orderId: string, revenueMicro: number, exactFeeMicro: number) => number;

const NO_FEE = { rate: 0, exponent: 0 };

export function createTradeMaker({ seedKey, feePaidIn, records, roundFee }: TradeMakerOptions) {
  let number = 0;

  function partyOf(market: ExchangeMarket, orderId: string | null, side: BookSide, yesPips: number): Side {
    const order = orderId === null ? null : records.find(orderId);
    // The crowd always buys: Yes when it bids, No when it asks.
    const tokenId = order?.tokenId ?? market.tokenIds[side === 'bid' ? 0 : 1];
    const pricePips = tokenId === market.tokenIds[0] ? yesPips : flipPips(yesPips);
    return {
      order,
      party: { owner: order?.maker ?? CROWD, action: order?.action ?? 'BUY', tokenId, pricePips },
    };
  }

  function makeTrade(market: ExchangeMarket, fills: readonly EngineFill[]): ExchangeTrade {
    const { ts, takerId, takerSide, pricePips: yesPips } = fills[0]!;
    const taker = partyOf(market, takerId, takerSide, yesPips);
    const makerSide = takerSide === 'bid' ? 'ask' : 'bid';
    const id = `${makeHex(seedKey ^ 0x7ade, number, 8)}-${makeHex(seedKey, number, 4)}-4000-8000-${makeHex(seedKey ^ 0x1d, number++, 12)}`;
    const movements: Movement[] = [];
    const makers: TradeMaker[] = [];
    for (const { makerId, sizeMicro } of fills) {
      const maker = partyOf(market, makerId, makerSide, yesPips);
      movements.push(...transferFor(taker.party, maker.party, sizeMicro));
      if (maker.order) fillMaker(maker.order, id, sizeMicro);
      const feeMicro = roundMaker(maker, sizeMicro);
      movements.push(...feeMovements(maker.party.owner, USD, feeMicro));
      const orderId = makerId ?? `0x${makeHex(seedKey ^ 0xc0, number, 64)}`;
      makers.push({ ...describeMaker(market, maker, orderId, sizeMicro), ...(roundFee ? { feeMicro } : {}) });
    }
    const sizeMicro = fills.reduce((sum, fill) => sum + fill.sizeMicro, 0);
    if (taker.order) fillOrder(taker.order, id, sizeMicro);
    const terms = taker.order ? market.fee : NO_FEE;
    const fee =
      roundTaker(taker, sizeMicro, terms) ?? feeFor(taker.party, sizeMicro, { ...terms, paidIn: feePaidIn });
    movements.push(...fee.movements);
    return {
      id,
      conditionId: market.conditionId,
      takerOrderId: takerId ?? `0x${makeHex(seedKey ^ 0xcafe, number, 64)}`,
      takerKey: taker.order?.apiKey ?? CROWD,
      taker: taker.party.owner,
      tokenId: taker.party.tokenId,
      outcome: market.outcomes[market.tokenIds.indexOf(taker.party.tokenId)]!,
      action: taker.party.action,
      pricePips: taker.party.pricePips,
      sizeMicro,
      feeMicro: fee.micro,
      makers,
      status: 'MATCHED',
      matchedTs: ts,
      updatedTs: ts,
      txHash: `0x${makeHex(seedKey ^ 0x7a5, number, 64)}`,
      movements,
    };
  }

  function roundTaker({ party, order }: Side, sizeMicro: number, terms: FeeTerms) {
    if (!roundFee || !order) return null;
    const exactMicro = exactFeeMicro(sizeMicro, party.pricePips, terms);
    const micro = roundFee(order.id, revenueOf(party, sizeMicro), exactMicro);
    return { micro, movements: feeMovements(party.owner, USD, micro) };
  }

  function roundMaker({ party, order }: Side, sizeMicro: number): number {
    return roundFee && order ? roundFee(order.id, revenueOf(party, sizeMicro), 0) : 0;
  }

  function fillOrder(order: ExchangeOrder, tradeId: string, sizeMicro: number): void {
    order.matchedMicro += sizeMicro;
    order.openMicro = Math.max(0, order.openMicro - sizeMicro);
    if (!order.tradeIds.includes(tradeId)) order.tradeIds.push(tradeId);
  }

  function fillMaker(order: ExchangeOrder, tradeId: string, sizeMicro: number): void {
    fillOrder(order, tradeId, sizeMicro);
    if (order.openMicro === 0) records.setStatus(order, 'MATCHED');
  }

  /** Trades within the crowd appear only on the tape. */
  return (market: ExchangeMarket, fills: readonly EngineFill[]): ExchangeTrade[] => {
    const ofUsers = fills.filter(({ takerId, makerId }) => takerId !== null || makerId !== null);
    const trades = [...Map.groupBy(ofUsers, ({ pricePips }) => pricePips).values()].map((group) =>
      makeTrade(market, group),
    );
    for (const trade of trades) records.addTrade(trade);
    return trades;
  };
}

interface Side {
  party: Party;
  order: ExchangeOrder | null;
}

function revenueOf({ action, pricePips }: Party, sizeMicro: number): number {
  return (action === 'BUY' ? -1 : 1) * usdMicroFor(sizeMicro, pricePips);
}

function describeMaker(
  market: ExchangeMarket,
  { party, order }: Side,
  orderId: string,
  matchedMicro: number,
): TradeMaker {
  return {
    orderId,
    apiKey: order?.apiKey ?? CROWD,
    maker: party.owner,
    tokenId: party.tokenId,
    outcome: market.outcomes[market.tokenIds.indexOf(party.tokenId)]!,
    action: party.action,
    pricePips: party.pricePips,
    matchedMicro,
  };
}
