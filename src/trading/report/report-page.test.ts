import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MICRO } from '../../domain/micro-units.ts';
import type { EquityPoint } from '../journal/journal.ts';
import { makeReport } from './report.ts';
import { drawEquity, renderTradingPage } from './report-page.ts';

const HOUR_MS = 3_600_000;

function point(hour: number, usd: number): EquityPoint {
  return { ts: hour * HOUR_MS, equityMicro: usd * MICRO, cashMicro: usd * MICRO };
}

describe('Trading page', () => {
  it('draws the equity curve inside its frame and describes its range', () => {
    const image = drawEquity([point(0, 500), point(1, 480), point(4, 510)]);
    assert.match(image, /points="4\.0,68\.0 182\.0,196\.0 716\.0,4\.0"/);
    assert.match(image, /from 500\.00 USD to 510\.00 USD, lowest 480\.00 USD, highest 510\.00 USD/);
    assert.equal(drawEquity([point(0, 500)]), '');
  });

  it('escapes names from external sources, and values positions at the market', () => {
    const report = makeReport({ intents: [], fills: [], entries: [], equity: [] });
    const position = { tokenId: '7', confirmedMicro: 10 * MICRO, provisionalMicro: 0, costMicro: 4 * MICRO };
    const [positions, marks] = [[position], new Map([['7', 1920]])];
    const status = ['halted: <img src=x onerror=alert(1)> & "more"'];
    const page = renderTradingPage({ mode: 'paper', status, report, positions, intents: [], marks });
    assert.match(page, /<td>4\.00 USD<\/td><td>1\.92 USD<\/td>/);
    assert.ok(!page.includes('<img'));
    assert.match(page, /&#60;img src=x onerror=alert\(1\)&#62; &#38; &#34;more&#34;/);
  });
});
