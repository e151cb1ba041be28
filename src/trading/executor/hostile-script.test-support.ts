// A seeded script of an exchange that is delayed, silent, lying or blind, and what the executor spent on it.

import { MICRO, usdMicroFor } from '../../domain/units.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { createRandom, type Random } from '../../runtime/random.ts';
import type { OrderRequest, Venue, VenueOrder } from '../types.ts';
import { type Bench, item, openBench } from './executor-bench.test-support.ts';
import { createFakeVenue } from './fake-venue.test-support.ts';
import { createRunner } from './runner.ts';

const TURNS = 150;
const TOKENS = ['11', '12', '13'];
const TARGET_MICRO = 150 * MICRO;
const CAPS = { eventUsd: 50, dayUsd: 60, totalUsd: 100 };
/** The exchange accepts no order later than this before its expiry. */
const THRESHOLD_MS = 60_000;

const STOP_MS = 2_000;
const ENDLESS = ['openOrders', 'fillsSince', 'findOrder', 'time'] as const;

type SentOrder = VenueOrder & { expiresTs: number };

/** Limits that were exceeded at any moment. */
export async function runHostileScript(seed: number): Promise<{ wrong: string[]; fills: number }> {
  const random = createRandom(seed);
  const chance = (share: number) => random.uniform() < share;
  const venue = createFakeVenue();
  const bench = openBench(venue);
  const held: { order: SentOrder; arrivesTs: number }[] = [];
  const orders = venue.orders as SentOrder[];
  /** Until when trades and single orders are hidden. */
  let blindUntilTs = 0;
  const truth = { ...venue };
  const isBlind = () => bench.clock.now() < blindUntilTs;
  const silence = () => {
    if (chance(0.1)) throw new Error('timeout');
  };

  venue.send = async ({ orderId, payload }) => {
    const order = { ...(JSON.parse(payload) as OrderRequest), orderId, matchedMicro: 0, isLive: true };
    const kind = Math.floor(6 * random.uniform());
    if (kind === 0) held.push({ order, arrivesTs: bench.clock.now() + 90_000 * random.uniform() });
    else if (kind !== 1) orders.push(order);
    if (kind <= 2) return { kind: 'unknown', reason: 'timeout' };
    return kind === 3 ? { kind: 'refused', reason: 'a lie' } : { kind: 'accepted' };
  };
  venue.openOrders = async () => {
    silence();
    const listed = (await truth.openOrders()).filter(() => !chance(0.1));
    return chance(0.05) ? listed.map((one) => ({ ...one, matchedMicro: 10 * one.sizeMicro })) : listed;
  };
  venue.findOrder = async (id) => {
    silence();
    return isBlind() ? null : truth.findOrder(id);
  };
  venue.fillsSince = async (ts) => {
    silence();
    const fills = await truth.fillsSince(ts);
    return isBlind() ? fills.filter((fill) => fill.ts < blindUntilTs - 60_000) : fills;
  };
  venue.cancel = async (ids) => {
    silence();
    return chance(0.3) ? [] : truth.cancel(ids);
  };

  function moveExchange(): void {
    const nowTs = bench.clock.now();
    for (const late of held.splice(0)) {
      if (late.arrivesTs > nowTs) held.push(late);
      else if (late.order.expiresTs >= nowTs + THRESHOLD_MS) orders.push(late.order);
    }
    for (const order of orders) {
      if (order.expiresTs <= nowTs) order.isLive = false;
      if (order.isLive && chance(0.1)) fill(order);
    }
    if (!isBlind() && chance(0.03)) blindUntilTs = nowTs + 60_000 * random.uniform();
  }

  function fill(order: SentOrder): void {
    const leftMicro = order.sizeMicro - order.matchedMicro;
    const sizeMicro = chance(0.5) ? leftMicro : Math.ceil(leftMicro / 2 / MICRO) * MICRO;
    venue.fills.push({
      ...{ fillId: `${order.orderId} ${order.matchedMicro}`, orderId: order.orderId, tokenId: order.tokenId },
      ...{ action: order.action, pricePips: order.pricePips, sizeMicro, isTaker: false },
      ...{ status: 'confirmed' as const, ts: bench.clock.now() },
    });
    venue.cash -= usdMicroFor(sizeMicro, order.pricePips);
    venue.shares.set(order.tokenId, (venue.shares.get(order.tokenId) ?? 0) + sizeMicro);
    order.matchedMicro += sizeMicro;
    order.isLive = order.matchedMicro < order.sizeMicro;
  }

  function check(): string[] {
    const live = orders.filter(({ isLive }) => isLive);
    const usd = (tokenIds: readonly string[]) =>
      [
        ...venue.fills.map((one) => ({ ...one, micro: one.sizeMicro })),
        ...live.map((one) => ({ ...one, micro: one.sizeMicro - one.matchedMicro })),
      ]
        .filter(({ tokenId }) => tokenIds.includes(tokenId))
        .reduce((sum, { micro, pricePips }) => sum + usdMicroFor(micro, pricePips), 0) / MICRO;
    const most = Math.min(CAPS.dayUsd, CAPS.totalUsd);
    return [
      ...(usd(TOKENS) > most ? [`${usd(TOKENS)} of ${most} USD`] : []),
      ...TOKENS.filter((id) => usd([id]) > CAPS.eventUsd).map((id) => `token ${id}: ${usd([id])} USD`),
      ...TOKENS.filter((id) => usd([id]) * MICRO > 0.2 * TARGET_MICRO).map((id) => `token ${id}: doubled`),
    ];
  }

  const wrong: string[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const wanted = TOKENS.filter(() => !chance(0.1));
    bench.items = wanted.map((tokenId, eventId) => item({ tokenId, eventId, targetMicro: TARGET_MICRO }));
    await bench.turn(1_000 + Math.floor(4_000 * random.uniform()));
    moveExchange();
    wrong.push(...check().map((one) => `seed ${seed}, turn ${turn}: ${one}`));
  }
  const parts = { bench, random, silence, moveExchange, cancelAll: truth.cancelAll };
  wrong.push(...(await stopBlindly(parts)).map((one) => `seed ${seed}: ${one}`));
  bench.journal.close();
  return { wrong, fills: venue.fills.length };
}

interface StopParts {
  bench: Bench;
  random: Random;
  /** Throws now and then. */
  silence(): void;
  moveExchange(): void;
  cancelAll: Venue['cancelAll'];
}

/** Stops while one kind of request never ends, cancellations fail, and late orders arrive. */
async function stopBlindly({ bench, random, ...parts }: StopParts): Promise<string[]> {
  const { venue, clock, journal } = bench;
  const endless = ENDLESS[Math.floor(ENDLESS.length * random.uniform())]!;
  venue[endless] = () => new Promise<never>(() => {});
  venue.cancelAll = async () => {
    parts.silence();
    return parts.cancelAll();
  };
  const runner = createRunner({
    ...{ executor: bench.executor(), journal, clock, logger: silentLogger },
    readKillSwitch: () => bench.killedBy,
    onReport() {},
  });
  const starting = runner.start();
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 250) await clock.advanceAsync(250);
  };
  await pass(3_000);
  bench.killedBy = 'stop';
  const wrong: string[] = [];
  let [sent, liveMs] = [venue.sent, 0];
  for (let second = 0; second < 100; second++) {
    await pass(1_000);
    if (second === 1) sent = venue.sent;
    parts.moveExchange();
    liveMs = venue.orders.some(({ isLive }) => isLive) ? liveMs + 1_000 : 0;
    if (liveMs > STOP_MS) wrong.push(`an order is open ${liveMs} ms after STOP (${endless} never ends)`);
  }
  if (venue.sent > sent) wrong.push(`${venue.sent - sent} orders sent after STOP`);
  await Promise.all([runner.stop(), starting]);
  return wrong;
}
