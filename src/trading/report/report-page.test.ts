import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/units.ts';
import type { BookedFill } from '../books/books.ts';
import type { EquityPoint, Intent } from '../journal/journal.ts';
import { makeReport } from './report.ts';
import { drawEquity, renderTradingPage, type TradingPage } from './report-page.ts';

const HOUR_MS = 3_600_000;

function point(hour: number, usd: number): EquityPoint {
  return { ts: hour * HOUR_MS, equityMicro: usd * MICRO, cashMicro: usd * MICRO };
}

function pageOf(part: Partial<TradingPage>): string {
  const report = makeReport({ intents: [], fills: [], entries: [], equity: [] });
  const nothing = { status: [], positions: [], intents: [], fills: [], marks: new Map(), prices: new Map() };
  return renderTradingPage({ mode: 'paper', report, ...nothing, ...part });
}

const INTENT = {
  ...{
    orderId: 'o1',
    tokenId: '7',
    action: 'BUY',
    account: 'a',
    eventId: 1,
    bucket: '40-49',
    outcome: 'Yes',
  },
  ...{ pricePips: 5700, sizeMicro: 20 * MICRO, createdTs: 0, expiresTs: HOUR_MS },
  ...{ state: 'open', isReleased: false },
} as Intent;

describe('Trading page', () => {
  it('draws the equity curve inside its frame and describes its range', () => {
    const image = drawEquity([point(0, 500), point(1, 480), point(4, 510)]);
    assert.match(image, /points="0\.00,33\.33 25\.00,100\.00 100\.00,0\.00"/);
    assert.match(image, /from \$500\.00 to \$510\.00, lowest \$480\.00, highest \$510\.00/);
    assert.equal(drawEquity([point(0, 500)]), '');
  });

  it('escapes names from external sources, and values positions at the market', () => {
    const position = { tokenId: '7', confirmedMicro: 10 * MICRO, provisionalMicro: 0, costMicro: 4 * MICRO };
    const status = ['halted: <img src=x onerror=alert(1)> & "more"'];
    const page = pageOf({ status, positions: [position], marks: new Map([['7', 1920]]) });
    assert.match(page, />\$4\.00<.*>19\.2¢<.*>\$1\.92<.*data-sign="minus">−\$2\.08</);
    assert.ok(!page.includes('<img'));
    assert.match(page, /&#60;img src=x onerror=alert\(1\)&#62; &#38; &#34;more&#34;/);
  });

  it('lists orders that may still fill, and draws fills on the price', () => {
    const over = {
      ...INTENT,
      orderId: 'o2',
      tokenId: '8',
      bucket: '50-59',
      isReleased: true,
      state: 'closed',
    } as Intent;
    const fill = { ...INTENT, fillId: 'f1', ts: HOUR_MS, status: 'confirmed' } as unknown as BookedFill;
    const prices = new Map([
      [
        '7',
        [
          { ts: 0, bidPips: 5000 },
          { ts: 2 * HOUR_MS, bidPips: 8600 },
        ],
      ],
    ]);
    const page = pageOf({ intents: [INTENT, over], fills: [fill], prices });
    assert.match(
      page,
      /Buy a 40-49 Yes, event 1<\/th><td[^>]*>57\.0¢<.*>1970-01-01 01:00 UTC<\/td><td[^>]*>open</,
    );
    assert.ok(!page.includes('50-59 Yes'), 'a closed order is not listed');
    assert.match(
      page,
      /data-action="BUY" title="1970-01-01 01:00 UTC: bought 20\.00 at 57\.0¢" style="left:50\.00%;top:80\.56%"/,
    );
  });
});
