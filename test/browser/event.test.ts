// The event history page at both widths: shows any moment as served, and replays it to the result.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { round6 } from '../../src/server/records/record.ts';
import { createSnapshot, NOW_TS } from '../api/fixture.ts';
import { HOUR_MS, START_TS, sampleEvent, sampleForecast, sampleSignal } from '../store/samples.ts';
import { findFaults, isWithinWidth } from './browser.ts';
import { openDesk, SCREENS, type StillService } from './still-service.ts';

const HOURS = 168;
const MINUTE_MS = 60_000;
const SETTLED_TS = START_TS + 170 * HOUR_MS;
const PATH = '/history/account_a/101';

interface ServedPoint {
  timestamp: number;
  real_counter: number;
  market_oracle_counter: number | null;
  market_prices: (number | null)[];
  forecast: { p5: number; p50: number; p95: number };
  model_probs: number[];
}

let served: ServedPoint[];

const desk = openDesk({}, async (service) => {
  await fill(service);
  const { json } = await service.call(`${PATH}?limit=300`, { key: service.keys.PRO });
  served = json.data.points;
});

/** Stores a settled week with a burst, a stalled oracle and one winning signal. */
async function fill({ store }: StillService): Promise<void> {
  await store.events.upsert([
    sampleEvent(),
    sampleEvent({
      eventId: 102,
      title: 'Posts of the week after',
      window: { startTs: START_TS + 168 * HOUR_MS, endTs: START_TS + 336 * HOUR_MS },
    }),
  ]);
  const count = (hour: number) => Math.floor(hour / 8) + (hour >= 60 ? 12 : 0);
  const times = Array.from({ length: HOURS * 2 }, (_, i) => START_TS + (i + 1) * 30 * MINUTE_MS - 1);
  const rows = times.map((asofTs, i) => {
    const yes = 0.35 + (i % 97) / 300;
    const now = count(i / 2);
    return sampleForecast({
      asofTs,
      countSoFar: now,
      p5: now + 2,
      p50: 30 + (i % 7),
      p95: 51 + (i % 5),
      bucketProbabilities: [yes, 1 - yes],
      marketPrices: [yes - 0.051234, i % 2 ? null : 1 - yes],
    });
  });
  await store.forecasts.record(rows);
  await fillRecomputed(store);
  await fillLive(store);
  const isStill = (hour: number) => hour > 90 && hour < 120;
  await store.counts.record(
    Array.from({ length: HOURS }, (_, hour) => hour)
      .filter((hour) => !isStill(hour))
      .map((hour) => ({
        eventId: 101,
        feed: 'oracle' as const,
        count: count(hour),
        observedTs: START_TS + hour * HOUR_MS,
      })),
  );
  const signal = { asofTs: START_TS + 144 * HOUR_MS };
  await store.signals.record([sampleSignal(signal)]);
  await store.signals.settle([sampleSignal({ ...signal, won: true, pnlUsd: 30.4, settledTs: SETTLED_TS })]);
  await store.settlements.record({
    eventId: 101,
    accountId: 'a',
    finalCount: 36,
    winningLabel: '<40',
    source: 'oracle' as const,
    settledTs: SETTLED_TS,
  });
}

/** Stores the following week, which was half over at the first start. */
async function fillRecomputed(store: StillService['store']): Promise<void> {
  const at = (hour: number) => ({ eventId: 102, asofTs: START_TS + hour * HOUR_MS });
  await store.forecasts.record([
    ...[171, 174, 177].map((hour) =>
      sampleForecast({ ...at(hour), modelVersion: 'pooled-members/4+backfill' }),
    ),
    ...[180, 181, 182].map((hour) => sampleForecast(at(hour))),
  ]);
}

/** Stores a day of hourly prices and forecasts for an open event. */
async function fillLive(store: StillService['store']): Promise<void> {
  const { event } = createSnapshot('a').events.find((state) => state.event.eventId === 1001)!;
  await store.events.upsert([event]);
  const rows = Array.from({ length: 24 }, (_, hour) =>
    sampleForecast({
      eventId: 1001,
      asofTs: NOW_TS - (24 - hour) * HOUR_MS,
      bucketProbabilities: event.buckets.map((_, i) => (hour + i) / 100),
      marketPrices: event.buckets.map((_, i) => (hour + i + 1) / 120),
    }),
  );
  await store.forecasts.record(rows);
}

/** Reads the panel's tooltip with the cursor at a fraction of the chart's width; other charts may show one too. */
async function readTip(
  page: Page,
  panel: string,
  plot: string,
  share: number,
): Promise<{ ts: number; values: string[] }> {
  const target = page.locator(`${panel} ${plot}`);
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  const tip = page.locator(`${panel} .chart-tip:visible`);
  await tip.waitFor();
  return {
    ts: Number(await tip.getAttribute('data-ts')),
    values: await tip.locator('dd').allInnerTexts(),
  };
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)}%`;
}

/** Reads the moment shown on the page, and its time. */
async function readMoment(page: Page): Promise<{ ts: number; texts: string[] }> {
  const moment = page.locator('.moment');
  const ts = Number(await moment.locator('.facts').getAttribute('data-ts'));
  const facts = await moment.locator('.fact dd').allInnerTexts();
  const cells = await moment.locator('tbody td').allInnerTexts();
  return { ts, texts: [...facts, ...cells].map((text) => text.trim()) };
}

function writePoint(point: ServedPoint): string[] {
  const signed = (value: number) => {
    const text = Math.abs(value * 100).toFixed(1);
    return Number(text) === 0 ? text : value > 0 ? `+${text}` : `\u2212${text}`;
  };
  const { p5, p50, p95 } = point.forecast;
  return [
    String(point.real_counter),
    String(point.market_oracle_counter ?? '–'),
    '–',
    `${p50} ${p5} to ${p95}`,
    ...point.market_prices.flatMap((price, i) => {
      const probability = point.model_probs[i]!;
      return [percent(price), percent(probability), price === null ? '–' : signed(probability - price)];
    }),
  ];
}

async function expectServed(page: Page): Promise<number> {
  const { ts, texts } = await readMoment(page);
  const point = served.find(({ timestamp }) => timestamp === ts);
  assert.ok(point, `${ts} was never served`);
  assert.deepEqual(texts, writePoint(point));
  await expectStored(point);
  return ts;
}

/** Checks that served values equal the values stored at that moment to six digits. */
async function expectStored(point: ServedPoint): Promise<void> {
  const stored = (await desk.service.store.forecasts.standingAt(101, point.timestamp))!;
  const { asofTs, countSoFar, p5, p50, p95, bucketProbabilities, marketPrices } = stored;
  assert.deepEqual(
    [point.timestamp, point.real_counter, point.forecast, point.model_probs, point.market_prices],
    [
      ...[asofTs, countSoFar, { p5, p50, p95 }, bucketProbabilities.map(round6)],
      marketPrices.map((price) => price && round6(price)),
    ],
  );
}

for (const { name, ...screen } of SCREENS) {
  describe(`the event history page at ${name}`, () => {
    it('shows any moment as served, selected by slider, key or pointer, and keeps it in the URL', async () => {
      const hash = '#/event/account_a/101';
      await desk.onPage({ hash, tier: 'PRO', ...screen }, async (page) => {
        const slider = page.getByRole('slider', { name: 'Moment' });
        await slider.waitFor();
        assert.equal(await expectServed(page), served.at(-1)!.timestamp);
        for (const index of [0, 40, 121]) {
          await slider.fill(String(index));
          assert.equal(await expectServed(page), served[index]!.timestamp);
        }
        await slider.press('ArrowRight');
        assert.equal(await expectServed(page), served[122]!.timestamp);
        const box = (await page.locator('.course-chart svg').boundingBox())!;
        await page.mouse.click(box.x + box.width * 0.4, box.y + 60);
        const ts = await expectServed(page);
        assert.ok(ts < served[100]!.timestamp);
        assert.ok(page.url().endsWith(`#/event/account_a/101/${ts}`), page.url());
        assert.ok(await isWithinWidth(page));
        assert.deepEqual(await findFaults(page), []);
      });
    });

    it("shows served values at the cursor in the history chart and in a live bucket's price chart", async () => {
      const hash = '#/event/account_a/101';
      await desk.onPage({ hash, tier: 'PRO', ...screen }, async (page) => {
        await page.locator('.course-chart svg').waitFor();
        const past = await readTip(page, '.course-chart', 'svg', 0.4);
        const point = served.find(({ timestamp }) => timestamp === past.ts)!;
        const { p5, p50, p95 } = point.forecast;
        assert.deepEqual(past.values, [
          String(point.real_counter),
          String(point.market_oracle_counter),
          `${p50}, ${p5} to ${p95}`,
          percent(point.market_prices[0]!),
          percent(point.model_probs[0]!),
        ]);
        await page.goto(`${desk.service.url}/#/live/account_a/1001`);
        await page.locator('.price-panel .u-over').waitFor();
        const { json } = await desk.service.call('/history/account_a/1001?step=hour', {
          key: desk.service.keys.PRO,
        });
        await page.locator('.price-panel select').first().selectOption({ index: 2 });
        for (const share of [0.6, 0.8]) {
          const { ts, values } = await readTip(page, '.price-panel', '.u-over', share);
          const at = json.data.points.find(({ timestamp }: ServedPoint) => timestamp === ts) as ServedPoint;
          assert.ok(at, `${ts} was never served`);
          assert.deepEqual(values.slice(0, 2), [percent(at.market_prices[2]!), percent(at.model_probs[2]!)]);
        }
      });
    });
  });
}

describe('the event history page', () => {
  it("marks the burst, the oracle's stall and the signal, and draws the selected bucket", async () => {
    const hash = '#/event/account_a/101';
    await desk.onPage({ hash, tier: 'PRO' }, async (page) => {
      const marks = page.locator('.course-mark');
      await marks.first().waitFor({ state: 'attached' });
      const kinds = await marks.evaluateAll((items) => items.map((item) => item.getAttribute('data-kind')));
      assert.deepEqual(kinds, ['burst', 'gap', 'signal']);
      await page.getByText('3 marks').click();
      await page.getByRole('button', { name: /^Signal, Sun 8 .*: buy <40, won$/ }).click();
      await page.locator('.moment h2', { hasText: 'Sun 8 Nov, 11:59' }).waitFor();
      const drawn = () => page.locator('.course-price').getAttribute('d');
      const before = await drawn();
      await page.getByRole('button', { name: '40+' }).click();
      assert.notEqual(await drawn(), before);
      await page.locator('.chart-key', { hasText: 'model for 40+' }).waitFor();
    });
  });

  it('replays a settled week to its recorded signal and result', async () => {
    await desk.onPage({ hash: '#/event', tier: 'PRO' }, async (page) => {
      await page.getByRole('link', { name: 'Posts from November 2' }).click();
      await page.getByText(/Settled at 36 on \w+ \d+ \w+, \d\d:\d\d: <40 won/).waitFor();
      await page.locator('.verdicts tbody tr', { hasText: /<40.*won.*\+\$30\.40/s }).waitFor();
      await page.getByRole('slider', { name: 'Moment' }).fill('160');
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText(`${HOURS} of ${HOURS}`).waitFor();
      await page.getByRole('button', { name: 'Replay' }).waitFor();
      assert.equal(await expectServed(page), served.at(-1)!.timestamp);
      await page.locator('.moment', { hasText: /<40\s*won/ }).waitFor();
    });
  });

  it('opens at the moment that an alert links to, at the finest resolution', async () => {
    const ts = START_TS + 50 * HOUR_MS + 29 * MINUTE_MS + 59_999;
    const hash = `#/live/account_a/101/${ts + 5_000}`;
    await desk.onPage({ hash, tier: 'PRO' }, async (page) => {
      await page.locator(`.moment [data-ts="${ts}"]`).waitFor();
    });
  });

  it('marks recomputed points', async () => {
    const hash = '#/event/account_a/102';
    await desk.onPage({ hash, tier: 'PRO' }, async (page) => {
      await page.locator('.chart-key', { hasText: 'recomputed from stored posts' }).waitFor();
      await page.locator('.course-recomputed').waitFor({ state: 'attached' });
      const remark = page.locator('.moment .panel-aside', { hasText: 'recomputed' });
      assert.equal(await remark.count(), 0, 'the last point was recorded');
      await page.getByRole('slider', { name: 'Moment' }).fill('0');
      await remark.waitFor();
    });
  });

  it('exports all chart data visible to the caller', async () => {
    const hash = '#/event/account_a/101';
    await desk.onPage({ hash, tier: 'PRO' }, async (page) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'History as CSV' }).click(),
      ]);
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.equal(lines.length, 1 + HOURS * 2);
      assert.match(lines[0]!, /p5,p50,p95,model_prob <40/);
    });
  });
});

describe('the public event history page', () => {
  it('shows counts and prices, but no forecast, model or advice', async () => {
    await desk.onPage({ hash: '#/event/account_a/101' }, async (page) => {
      await page.locator('.moment').waitFor();
      assert.deepEqual(await page.locator('.moment thead th').allInnerTexts(), ['Bucket', 'Market']);
      assert.equal(await page.locator('.course-fan').getAttribute('d'), '');
      assert.equal(await page.locator('.verdicts').count(), 0);
    });
  });
});
