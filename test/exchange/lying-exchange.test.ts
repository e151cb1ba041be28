// Whatever an exchange says, the dollars that it holds as bought or resting stay within every cap.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO, usdMicroFor } from '../../src/domain/units.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import type { Caps } from '../../src/trading/decide/caps.ts';
import { createExecutor } from '../../src/trading/executor/cycle.ts';
import { openJournal } from '../../src/trading/journal/journal.ts';
import type { AdviceItem } from '../../src/trading/types.ts';
import { type LyingExchange, openLyingExchange } from './lying-exchange.ts';

const CAPS: Caps = { orderUsd: 15, eventUsd: 20, accountUsd: 25, dayUsd: 30, totalUsd: 30 };
const TURNS = 80;
const SEEDS = Number(process.env.SEEDS ?? 4);
/** Shares are whole millionths of a dollar only on average. */
const SLACK_USD = 0.001;

interface Day {
  /** Limits that were exceeded at any moment. */
  wrong: string[];
  mostUsd: number;
  sent: number;
  fills: number;
  halts: Set<string>;
}

interface DayParts {
  exchange: LyingExchange;
  caps?: Caps;
  turns: number;
  /** Before each turn; returns its length. */
  disturb(turn: number): number;
}

async function playDay({ exchange, caps = CAPS, turns, disturb }: DayParts): Promise<Day> {
  const { clock, venue } = exchange;
  const journal = openJournal(':memory:');
  const items = exchange.offers.map(
    ({ tokenId, askPips }, index): AdviceItem => ({
      ...{ tokenId, account: `account ${index % 2}`, eventId: index, bucket: 'bucket', outcome: 'Yes' },
      ...{ action: 'BUY', limitPips: askPips, targetMicro: 500 * MICRO, depthMicro: null, gainPerUsd: 0.2 },
      ...{ probability: 0.8, secondsLeft: 7200, edgeKind: 'model', blockedBy: null },
    }),
  );
  const executor = createExecutor({
    ...{ venue, journal, clock, logger: silentLogger, canaryFills: 0 },
    rules: { caps, minGainPerUsd: 0.05, minSecondsLeft: 900, minPricePips: 200, maxPricePips: 9500 },
    limits: { dayLossUsd: 1000, totalLossUsd: 1000 },
    readAdvice: async () => ({ madeTs: clock.now(), items, blockedBy: null }),
    readKillSwitch: () => null,
    isFlattening: () => false,
  });
  const day: Day = { wrong: [], mostUsd: 0, sent: 0, fills: 0, halts: new Set() };
  for (let turn = 0; turn < turns; turn++) {
    clock.step(disturb(turn));
    exchange.advance();
    const { halts } = await executor.cycle();
    for (const { reason } of halts) day.halts.add(reason.replaceAll(/0x[0-9a-f]+|[0-9a-f-]{20,}/g, '#'));
    exchange.advance();
    checkCaps(exchange, items, day, turn);
  }
  const own = exchange.core.records.all().filter(({ maker }) => maker === exchange.owner);
  [day.sent, day.fills] = [own.length, own.filter(({ matchedMicro }) => matchedMicro > 0).length];
  journal.close();
  return day;
}

/** By the exchange's own records. */
function checkCaps(exchange: LyingExchange, items: readonly AdviceItem[], day: Day, turn: number): void {
  const { core, owner } = exchange;
  const usdByToken = new Map<string, number>();
  const add = (tokenId: string, micro: number) => {
    const name = exchange.tokenIdOf(tokenId);
    usdByToken.set(name, (usdByToken.get(name) ?? 0) + micro / MICRO);
  };
  for (const { maker, status, tokenId, openMicro, pricePips } of core.records.all())
    if (maker === owner && status === 'LIVE') add(tokenId, usdMicroFor(openMicro, pricePips));
  for (const trade of core.records.trades()) {
    const feeMicro = core.feePaidIn === 'usd' ? trade.feeMicro : 0;
    if (trade.taker === owner) add(trade.tokenId, usdMicroFor(trade.sizeMicro, trade.pricePips) + feeMicro);
    for (const { maker, tokenId, matchedMicro, pricePips } of trade.makers)
      if (maker === owner) add(tokenId, usdMicroFor(matchedMicro, pricePips));
  }
  const check = (what: string, keeps: (item: AdviceItem) => boolean, cap: number) => {
    const usd = items.filter(keeps).reduce((sum, { tokenId }) => sum + (usdByToken.get(tokenId) ?? 0), 0);
    if (usd > cap + SLACK_USD) day.wrong.push(`turn ${turn}, ${what}: ${usd.toFixed(2)} of ${cap} USD`);
    return usd;
  };
  day.mostUsd = Math.max(
    day.mostUsd,
    check('total', () => true, CAPS.totalUsd),
  );
  for (const { eventId } of items) check('event', (item) => item.eventId === eventId, CAPS.eventUsd);
  for (const account of ['account 0', 'account 1'])
    check('account', (item) => item.account === account, CAPS.accountUsd);
}

for (const name of ['polymarket', 'kalshi'] as const)
  describe(`the trader on ${name}`, () => {
    it('sends no more for orders that are called ended and left out of the list while they rest', async () => {
      const exchange = await openLyingExchange(name);
      exchange.lies.endsOrders = () => true;
      exchange.lies.delayMs = () => {
        takeAllOffers(exchange);
        return 0;
      };
      const { wrong, mostUsd, sent } = await playDay({ exchange, turns: 75, disturb: () => 1_000 });
      assert.deepEqual(wrong, []);
      assert.ok(mostUsd > 10 && sent <= 4, `${sent} orders, ${mostUsd} USD`);
    });

    it('sends no more for an order that arrives 40 s late', async () => {
      const exchange = await openLyingExchange(name);
      exchange.lies.delayMs = () => 40_000;
      const { wrong, mostUsd } = await playDay({ exchange, turns: 150, disturb: () => 1_000 });
      assert.deepEqual(wrong, []);
      assert.ok(mostUsd > 10, `${mostUsd} USD`);
    });

    it('stays within every cap on an exchange that is late, silent and lying', {
      timeout: 600_000,
    }, async () => {
      let fills = 0;
      for (let seed = 1; seed <= SEEDS; seed++) {
        const exchange = await openLyingExchange(name);
        const caps = { ...CAPS, orderUsd: 4 };
        const day = await playDay({ exchange, caps, turns: TURNS, disturb: drawLies(exchange, seed) });
        assert.deepEqual(day.wrong, [], `seed ${seed}`);
        fills += day.fills;
      }
      assert.ok(fills > SEEDS, `${fills} orders filled`);
    });
  });

it('halts the trader when asked about one order and told about another', async () => {
  const exchange = await openLyingExchange('polymarket');
  exchange.lies.mixesIds = () => true;
  exchange.lies.dropsAnswer = (call) => call === 'send';
  exchange.lies.delayMs = () => {
    takeAllOffers(exchange);
    return 0;
  };
  const { wrong, sent, halts } = await playDay({ exchange, turns: 5, disturb: () => 1_000 });
  assert.deepEqual([wrong, sent], [[], 2]);
  assert.ok([...halts].some((reason) => /answered about order # when asked about #/.test(reason)));
});

function takeAllOffers({ offers, takeOffers }: LyingExchange): void {
  for (const { tokenId } of offers) takeOffers(tokenId);
}

/** Each lie is told for a while, then another one; between them the exchange is honest. */
function drawLies(exchange: LyingExchange, seed: number): () => number {
  const { lies } = exchange;
  const random = createRandom(seed);
  const chance = (share: number) => random.uniform() < share;
  const kinds = ['endsOrders', 'losesRow', 'shrinksFill', 'mixesIds'] as const;
  let [told, left]: [(typeof kinds)[number] | null, number] = [null, 0];
  for (const kind of kinds) lies[kind] = () => told === kind && chance(0.8);
  lies.dropsRequest = () => chance(0.02);
  lies.dropsAnswer = () => chance(0.02);
  lies.delayMs = () => {
    if (chance(0.6)) takeAllOffers(exchange);
    return chance(0.15) ? Math.floor(1_000 + 50_000 * random.uniform()) : 0;
  };
  return () => {
    if (left-- <= 0) {
      told = chance(0.5) ? kinds[Math.floor(kinds.length * random.uniform())]! : null;
      left = Math.floor(30 * random.uniform());
    }
    return 1_000 + Math.floor(4_000 * random.uniform());
  };
}
