// The exchange's view of the executor's account, and the invariants that must always hold.

import type { Exchange } from '../../../simulator/exchange/exchange.ts';
import { USD } from '../../../simulator/exchange/settling/ledger.ts';
import type { ExchangeMarket } from '../../../simulator/exchange/types.ts';
import { MICRO, usdMicroFor } from '../../../src/domain/micro-units.ts';
import { type BookedFill, computeBooks } from '../../../src/trading/books/books.ts';
import type { Caps } from '../../../src/trading/decide/caps.ts';
import type { Advice } from '../../../src/trading/types.ts';
import type { TurnReport } from './turn-report.ts';

const DAY_MS = 86_400_000;
/** Allows for rounding shares to a millionth of a dollar, summed over a day's orders. */
const SLACK_USD = 0.001;

export interface Truth {
  /** Differences between the executor's books and the exchange. */
  compare(report: TurnReport): string[];
  /** Limits currently exceeded. */
  checkCaps(nowTs: number): string[];
  heard(advice: Advice): void;
  liveOrders(): number;
}

export function createTruth(
  exchange: Exchange,
  wallet: string,
  caps: Caps,
  marketOf: (tokenId: string) => ExchangeMarket | null,
): Truth {
  const events = new Map<string, { eventId: number; account: string }>();
  const mostAdvised = new Map<string, number>();
  const owner = wallet.toLowerCase();
  /** Lost shares are worth nothing: the executor writes them off, and a redemption of the other side burns them. */
  const isLost = (tokenId: string) => {
    const { winner = null, tokenIds = [] } = marketOf(tokenId) ?? {};
    return winner !== null && tokenIds[winner] !== tokenId;
  };
  const ordersOf = () => exchange.records.all().filter((order) => order.maker === owner);

  return {
    heard({ items }) {
      for (const { tokenId, eventId, account, action, targetMicro } of items) {
        events.set(tokenId, { eventId, account });
        if (action === 'BUY') mostAdvised.set(tokenId, Math.max(mostAdvised.get(tokenId) ?? 0, targetMicro));
      }
    },
    compare(report) {
      const wrong: string[] = [];
      const cash = exchange.ledger.balance(owner, USD);
      if (cash !== report.cashMicro)
        wrong.push(`cash ${cash} on the exchange, ${report.cashMicro} in the books`);
      const tokens = new Set([...exchange.ledger.assetsOf(owner), ...Object.keys(report.shares)]);
      tokens.delete(USD);
      for (const tokenId of tokens) if (isLost(tokenId)) tokens.delete(tokenId);
      for (const tokenId of tokens) {
        const [there, here] = [exchange.ledger.balance(owner, tokenId), report.shares[tokenId] ?? 0];
        if (there !== here)
          wrong.push(`token …${tokenId.slice(-6)}: ${there} on the exchange, ${here} in the books`);
      }
      const live = ordersOf()
        .filter(({ status }) => status === 'LIVE')
        .map(({ id }) => id);
      if (live.sort().join() !== [...report.open].sort().join())
        wrong.push(`${live.length} orders open on the exchange, ${report.open.length} in the books`);
      return wrong;
    },
    checkCaps(nowTs) {
      const live = ordersOf().filter(({ status, action }) => status === 'LIVE' && action === 'BUY');
      const own = listFills(exchange, owner);
      const open = live.map((order) => ({
        tokenId: order.tokenId,
        usd: usdMicroFor(order.openMicro, order.pricePips) / MICRO,
        micro: order.openMicro,
      }));
      const held = [...computeBooks([], own).positions.values()]
        .filter(
          ({ tokenId }) =>
            (exchange.ledger.balance(owner, tokenId) > 0 && !isLost(tokenId)) ||
            open.some((one) => one.tokenId === tokenId),
        )
        .map(({ tokenId, costMicro, confirmedMicro }) => ({
          tokenId,
          usd: costMicro / MICRO,
          micro: confirmedMicro,
        }));
      const all = [...open, ...held];
      const wrong: string[] = [];
      const check = (name: string, usd: number, cap: number) => {
        if (usd > cap + SLACK_USD) wrong.push(`${name}: ${usd.toFixed(4)} of ${cap} USD`);
      };
      const sum = (group: readonly { usd: number }[]) => group.reduce((total, { usd }) => total + usd, 0);
      for (const order of live)
        check('order', usdMicroFor(order.originalMicro, order.pricePips) / MICRO, caps.orderUsd);
      for (const [name, group] of Map.groupBy(all, ({ tokenId }) => events.get(tokenId)?.eventId))
        check(`event ${name}`, sum(group), caps.eventUsd);
      for (const [name, group] of Map.groupBy(all, ({ tokenId }) => events.get(tokenId)?.account))
        check(`account ${name}`, sum(group), caps.accountUsd);
      check('total', sum(all), caps.totalUsd);
      const today = own.filter(
        ({ action, ts }) => action === 'BUY' && Math.floor(ts / DAY_MS) === Math.floor(nowTs / DAY_MS),
      );
      check(
        'day',
        sum(open) +
          today.reduce((total, one) => total + usdMicroFor(one.sizeMicro, one.pricePips), 0) / MICRO,
        caps.dayUsd,
      );
      for (const [tokenId, group] of Map.groupBy(all, (one) => one.tokenId)) {
        const micro = group.reduce((total, one) => total + one.micro, 0);
        if (micro > (mostAdvised.get(tokenId) ?? 0))
          wrong.push(`token …${tokenId.slice(-6)}: ${micro / MICRO} shares, more than ever advised`);
      }
      return wrong;
    },
    liveOrders: () => ordersOf().filter(({ status }) => status === 'LIVE').length,
  };
}

/** The account's trades as the executor should have booked them. */
function listFills(exchange: Exchange, owner: string): BookedFill[] {
  return exchange.records
    .trades()
    .filter(
      ({ taker, makers, status }) =>
        status !== 'FAILED' && (taker === owner || makers.some((one) => one.maker === owner)),
    )
    .flatMap((trade) => {
      const own = trade.makers.filter((one) => one.maker === owner);
      const sides = [
        ...(trade.taker === owner
          ? [{ ...trade, matchedMicro: trade.sizeMicro, orderId: trade.takerOrderId, isTaker: true }]
          : []),
        ...own.map((one) => ({ ...one, isTaker: false })),
      ];
      return sides.map(
        ({ orderId, tokenId, action, pricePips, matchedMicro, isTaker }): BookedFill => ({
          fillId: `${trade.id} ${orderId}`,
          orderId,
          tokenId,
          action,
          pricePips,
          sizeMicro: matchedMicro,
          isTaker,
          status: 'confirmed',
          ts: trade.matchedTs,
          feeSharesMicro: isTaker && action === 'BUY' ? trade.feeMicro : 0,
          feeUsdMicro: isTaker && action === 'SELL' ? trade.feeMicro : 0,
        }),
      );
    });
}
