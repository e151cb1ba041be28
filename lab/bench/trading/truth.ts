// The exchange's view of the executor's account, and the invariants that must always hold.

import type { Exchange } from '../../../simulator/exchange/exchange.ts';
import { USD } from '../../../simulator/exchange/settling/ledger.ts';
import { MICRO, usdMicroFor } from '../../../src/domain/units.ts';
import { type BookedFill, computeBooks } from '../../../src/trading/books/books.ts';
import type { Caps } from '../../../src/trading/decide/caps.ts';
import type { Advice } from '../../../src/trading/types.ts';
import type { Arena } from './arena.ts';
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
  /** How often the report's profit was compared with the exchange's balances. */
  valued(): number;
}

export function createTruth(arena: Arena, caps: Caps): Truth {
  const { core: exchange, owner } = arena;
  const events = new Map<string, { eventId: number; account: string }>();
  const mostAdvised = new Map<string, number>();
  /** Lost shares are worth nothing: the executor writes them off, and a redemption of the other side burns them. */
  const isLost = (tokenId: string) => {
    const { winner = null, tokenIds = [] } = arena.market(tokenId) ?? {};
    return winner !== null && tokenIds[winner] !== tokenId;
  };
  const isLostHere = (tokenId: string) => isLost(tokenId.replace(/^kalshi:/, ''));
  const startMicro = exchange.ledger.balance(owner, USD);
  let valued = 0;
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
      const held = exchange.ledger.assetsOf(owner).filter((asset) => asset !== USD && !isLost(asset));
      const balances = new Map(
        held.map((asset) => [arena.tokenIdOf(asset), exchange.ledger.balance(owner, asset)]),
      );
      for (const tokenId of new Set([...balances.keys(), ...Object.keys(report.shares)])) {
        const [there, here] = [balances.get(tokenId) ?? 0, report.shares[tokenId] ?? 0];
        if (there !== here && (balances.has(tokenId) || !isLostHere(tokenId)))
          wrong.push(`token …${tokenId.slice(-9)}: ${there} on the exchange, ${here} in the books`);
      }
      const live = ordersOf()
        .filter(({ status }) => status === 'LIVE')
        .map(arena.orderIdOf);
      if (live.sort().join() !== [...report.open].sort().join())
        wrong.push(`${live.length} orders open on the exchange, ${report.open.length} in the books`);
      if (wrong.length > 0) return wrong;
      const worthMicro = [...balances].reduce(
        (sum, [tokenId, micro]) => sum + usdMicroFor(micro, report.marks[tokenId] ?? Number.NaN),
        cash - startMicro,
      );
      // The report values a position without a price at its cost.
      const isPriced = !Number.isNaN(worthMicro);
      if (isPriced && Math.abs(worthMicro / MICRO - report.profitUsd) > 1e-6)
        wrong.push(`profit ${worthMicro / MICRO} on the exchange, ${report.profitUsd} in the report`);
      if (isPriced) valued++;
      return wrong;
    },
    checkCaps(nowTs) {
      const live = ordersOf().filter(({ status, action }) => status === 'LIVE' && action === 'BUY');
      const own = listFills(exchange, owner);
      const open = live.map((order) => ({
        tokenId: arena.tokenIdOf(order.tokenId),
        usd: usdMicroFor(order.openMicro, order.pricePips) / MICRO,
        micro: order.openMicro,
      }));
      const held = [...computeBooks([], own).positions.values()]
        .filter(
          ({ tokenId }) =>
            (exchange.ledger.balance(owner, tokenId) > 0 && !isLost(tokenId)) ||
            open.some((one) => one.tokenId === arena.tokenIdOf(tokenId)),
        )
        .map(({ tokenId, costMicro, confirmedMicro }) => ({
          tokenId: arena.tokenIdOf(tokenId),
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
          today.reduce(
            (total, one) => total + usdMicroFor(one.sizeMicro, one.pricePips) + one.feeUsdMicro,
            0,
          ) /
            MICRO,
        caps.dayUsd,
      );
      for (const [tokenId, group] of Map.groupBy(all, (one) => one.tokenId)) {
        const micro = group.reduce((total, one) => total + one.micro, 0);
        if (micro > (mostAdvised.get(tokenId) ?? 0))
          wrong.push(`token …${tokenId.slice(-6)}: ${micro / MICRO} shares, more than ever advised`);
      }
      return wrong;
    },
    valued: () => valued,
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
        ...own.map((one) => ({ feeMicro: 0, ...one, isTaker: false })),
      ];
      return sides.map(
        ({ orderId, tokenId, action, pricePips, matchedMicro, isTaker, feeMicro }): BookedFill => ({
          fillId: `${trade.id} ${orderId}`,
          orderId,
          tokenId,
          action,
          pricePips,
          sizeMicro: matchedMicro,
          isTaker,
          status: 'confirmed',
          ts: trade.matchedTs,
          ...(exchange.feePaidIn === 'shares' && action === 'BUY'
            ? { feeSharesMicro: feeMicro, feeUsdMicro: 0 }
            : { feeSharesMicro: 0, feeUsdMicro: feeMicro }),
        }),
      );
    });
}
