#!/usr/bin/env node
// From signals to orders for the market's order book, on paper: nothing is sent to any market.
//
//   TALLYCAST_URL=http://127.0.0.1:8080 TALLYCAST_KEY=tc_pro_... BANKROLL=500 node paper-bot.mjs
//
// Every fill and settlement is a line of paper-bot.jsonl, from which the next start goes on.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createTallycast } from '@tallycast/client';

/** Tighten them before you loosen them. */
export const LIMITS = {
  // Shares of the bankroll.
  perOrder: 0.05,
  perEvent: 0.15,
  inAll: 0.3,
  // Beyond this loss nothing more is bought until a person has looked.
  lossToStop: 0.1,
  // Probability minus cost, fee included.
  minEdge: 0.05,
  // Cheap shares are lottery tickets; dear ones win little and lose all.
  minPrice: 0.03,
  maxPrice: 0.9,
  // The market takes no smaller order.
  minShares: 5,
};

/** Orders for one event, from its ladder and from what the bot holds (see readBook). */
export function decide({ eventId, rows, book, bankroll, limits = LIMITS }) {
  const orders = [];
  for (const row of rows) {
    const held = book.positions.find(({ token_id }) => token_id === row.token_id);
    if (held && row.action === 'SELL' && row.bid !== null) {
      orders.push(toOrder(eventId, row, 'SELL', row.bid, held.shares));
    } else if (row.action === 'BUY' && book.pnlUsd > -limits.lossToStop * bankroll) {
      const bought = orders.filter(({ side }) => side === 'BUY');
      const roomUsd = Math.min(
        limits.perOrder * bankroll,
        limits.perEvent * bankroll - totalUsd(bought) - totalUsd(book.positions, eventId),
        limits.inAll * bankroll - totalUsd(bought) - totalUsd(book.positions),
      );
      const shares = countShares(row, held?.shares ?? 0, roomUsd, limits);
      if (shares >= limits.minShares) orders.push(toOrder(eventId, row, 'BUY', row.ask, shares));
    }
  }
  return orders;
}

/** Never more than the service's own target, than the limits leave, or than is offered at this price. */
function countShares({ ask, ask_shares, fee_per_share, model_prob, target_shares }, held, roomUsd, limits) {
  if (ask === null || ask_shares === null || ask < limits.minPrice || ask > limits.maxPrice) return 0;
  const costUsd = ask + (fee_per_share ?? 0);
  if (model_prob - costUsd < limits.minEdge) return 0;
  return Math.floor(Math.min(target_shares - held, roomUsd / costUsd, ask_shares));
}

/** token_id, side, price and size are what the market's own clients take for a limit order. */
function toOrder(event_id, { token_id, bucket, fee_per_share }, side, price, size) {
  const fee = (fee_per_share ?? 0) * (side === 'BUY' ? 1 : -1);
  return { token_id, side, price, size, type: 'GTC', event_id, bucket, cost_usd: size * (price + fee) };
}

function totalUsd(positions, eventId) {
  const ours = positions.filter((position) => eventId === undefined || position.event_id === eventId);
  return ours.reduce((total, { cost_usd }) => total + cost_usd, 0);
}

/** What the lines add up to: open positions, and profit or loss of those that are over. */
export function readBook(lines) {
  const open = new Map();
  let pnlUsd = 0;
  for (const { order, settlement } of lines) {
    if (order) {
      const sign = order.side === 'BUY' ? 1 : -1;
      const { token_id, event_id, bucket } = order;
      const before = open.get(token_id) ?? { token_id, event_id, bucket, shares: 0, cost_usd: 0 };
      const cost_usd = before.cost_usd + sign * order.cost_usd;
      open.set(token_id, { ...before, shares: before.shares + sign * order.size, cost_usd });
    }
    for (const [token_id, position] of open) {
      const isOver = settlement?.event_id === position.event_id && settlement.winning_bucket !== null;
      if (!isOver && position.shares > 0) continue;
      pnlUsd +=
        (isOver && position.bucket === settlement.winning_bucket ? position.shares : 0) - position.cost_usd;
      open.delete(token_id);
    }
  }
  return { positions: [...open.values()], pnlUsd };
}

/** On paper an order fills at once, at its price. */
function place(order, write) {
  // Live orders are left to you: sign with your wallet, send by the market's own client, write a fill only when
  // the market tells of one. Think of partial fills, of orders that lost their edge, and of the law where you are.
  if (process.env.LIVE) throw new Error('on paper only: live orders are yours to write (see place)');
  write({ ts: Date.now(), order });
  console.log(`on paper: ${order.side} ${order.size} of ${order.bucket} at ${order.price}`);
}

async function main(env) {
  const client = createTallycast({
    url: env.TALLYCAST_URL ?? 'http://127.0.0.1:8080',
    apiKey: env.TALLYCAST_KEY,
  });
  const account = env.TALLYCAST_ACCOUNT ?? (await client.config()).accounts[0].segment;
  const bankroll = Number(env.BANKROLL ?? 500);
  const file = env.BOOK ?? 'paper-bot.jsonl';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  const write = (line) => {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    lines.push(line);
  };

  async function review() {
    const { data: events } = await client.counters(account);
    for (const { event_id: eventId, feeds } of events) {
      // Old counts make old advice.
      if (feeds.own.stale || feeds.oracle.stale) continue;
      const { data } = await client.ladder(account, { event_id: eventId, bankroll });
      const orders = decide({ eventId, rows: data[0]?.rows ?? [], book: readBook(lines), bankroll });
      for (const order of orders) place(order, write);
    }
    const { positions, pnlUsd } = readBook(lines);
    const heldUsd = totalUsd(positions).toFixed(2);
    console.log(`${positions.length} positions for ${heldUsd} USD; ${pnlUsd.toFixed(2)} USD made so far`);
  }

  let nextTs = 0;
  for await (const { event, data } of client.follow(account)) {
    if (event === 'settlement') write({ ts: Date.now(), settlement: data });
    if (Date.now() < nextTs) continue;
    nextTs = Date.now() + Number(env.EVERY_S ?? 30) * 1000;
    await review();
    if (env.ONCE) return;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.env);
