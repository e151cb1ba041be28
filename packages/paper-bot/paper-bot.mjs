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
  // Expected for each dollar, after fees, by a belief that may be wrong.
  minGainPerUsd: 0.05,
  // Cheap shares are lottery tickets; dear ones win little and lose all.
  minPrice: 0.03,
  maxPrice: 0.9,
  // The market closes on what was counted until then: too late to be early.
  minSecondsLeft: 900,
  // The market takes no smaller order.
  minShares: 5,
};

/** Orders for what the service advises (best first), given what the bot holds (see readBook). */
export function decide({ opportunities, book, bankroll, limits = LIMITS }) {
  const orders = [];
  for (const chance of opportunities) {
    const held = book.positions.find(({ token_id }) => token_id === chance.token_id);
    if (chance.verdict === 'EXIT') {
      const shares = Math.min(held?.size ?? 0, chance.depth_shares ?? 0);
      if (shares > 0) orders.push(toOrder(chance, 'SELL', shares, held.fee));
      continue;
    }
    if (book.pnl_usd <= -limits.lossToStop * bankroll) continue;
    const bought = orders.filter(({ side }) => side === 'BUY');
    const roomUsd = Math.min(
      limits.perOrder * bankroll,
      limits.perEvent * bankroll - totalUsd([...bought, ...book.positions], chance.event_id),
      limits.inAll * bankroll - totalUsd([...bought, ...book.positions]),
    );
    const shares = countShares(chance, held?.size ?? 0, roomUsd, limits);
    const fee = chance.cost_per_share - chance.limit_price;
    if (shares >= limits.minShares) orders.push(toOrder(chance, 'BUY', shares, fee));
  }
  return orders;
}

/** Never more than the service advises, than the limits leave, or than is offered at this price. */
function countShares(chance, held, roomUsd, limits) {
  const { limit_price, cost_per_share, depth_shares, shares, gain_per_usd, seconds_remaining } = chance;
  if (limit_price === null || cost_per_share === null || depth_shares === null) return 0;
  if (limit_price < limits.minPrice || limit_price > limits.maxPrice) return 0;
  if (gain_per_usd < limits.minGainPerUsd || seconds_remaining < limits.minSecondsLeft) return 0;
  return Math.floor(Math.min(shares - held, roomUsd / cost_per_share, depth_shares));
}

/** token_id, side, price and size are what the market's own clients take for a limit order. */
function toOrder({ token_id, limit_price: price, event_id, bucket, verdict }, side, size, fee) {
  const outcome = verdict === 'BUY_NO' ? 'No' : 'Yes';
  const cost_usd = size * (side === 'BUY' ? price + fee : price - fee);
  return { token_id, side, price, size, type: 'GTC', event_id, bucket, outcome, fee, cost_usd };
}

function totalUsd(positions, eventId) {
  const ours = positions.filter(({ event_id }) => eventId === undefined || event_id === eventId);
  return ours.reduce((total, { cost_usd }) => total + cost_usd, 0);
}

/** What the lines add up to: open positions, and profit or loss of those that are over. */
export function readBook(lines) {
  const open = new Map();
  let pnl_usd = 0;
  for (const { order, settlement } of lines) {
    if (order) {
      const sign = order.side === 'BUY' ? 1 : -1;
      const before = open.get(order.token_id) ?? { ...order, size: 0, cost_usd: 0 };
      const size = before.size + sign * order.size;
      open.set(order.token_id, { ...before, size, cost_usd: before.cost_usd + sign * order.cost_usd });
    }
    for (const [token_id, { event_id, bucket, outcome, size, cost_usd }] of open) {
      const isOver = settlement?.event_id === event_id && settlement.winning_bucket !== null;
      if (!isOver && size > 0) continue;
      const hasWon = isOver && (settlement.winning_bucket === bucket) === (outcome === 'Yes');
      pnl_usd += (hasWon ? size : 0) - cost_usd;
      open.delete(token_id);
    }
  }
  return { positions: [...open.values()], pnl_usd };
}

/** On paper an order fills at once, at its price. */
function place(order, write) {
  // Live orders are left to you: sign with your wallet, send by the market's own client, write a fill only when
  // the market tells of one. Think of partial fills, of orders that lost their edge, and of the law where you are.
  if (process.env.LIVE) throw new Error('on paper only: live orders are yours to write (see place)');
  write({ ts: Date.now(), order });
  console.log(`on paper: ${order.side} ${order.size} ${order.outcome} of ${order.bucket} at ${order.price}`);
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

  /** The service advises nothing on feeds that are dark. */
  async function review() {
    const { data } = await client.opportunities({ bankroll, limit: 100 });
    const opportunities = data.filter((each) => each.account === account);
    for (const order of decide({ opportunities, book: readBook(lines), bankroll })) place(order, write);
    const { positions, pnl_usd } = readBook(lines);
    const heldUsd = totalUsd(positions).toFixed(2);
    console.log(`${positions.length} positions for ${heldUsd} USD; ${pnl_usd.toFixed(2)} USD made so far`);
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
