// Pages from hostile texts, and forward forecasts apart from recomputed ones.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { html } from './html.ts';
import { type PublishedEvent, renderEvent } from './render-event.ts';
import { renderRecord, type SiteData } from './render-record.ts';
import { COLOURS } from './stylesheet.ts';

const HOSTILE = `<script>alert(1)</script>"'&amp;<img src=x onerror=1>`;
const TS = Date.UTC(2026, 10, 9);

const score = (mean: number) => ({ mean, low: mean - 0.1, high: mean + 0.1, events: 9 });
const point = { account: 'a', end_ts: TS, p50: 33, final_count: 36, error_pct: 8.3, inside_90: true };

function section(eventId: number, mean: number): SiteData['record']['forward'] {
  const names = ['model', 'market', 'blend'] as const;
  return {
    ...{ events: 9, first_end_ts: TS, last_end_ts: TS, members: [] },
    forecasters: names.map((name) => ({
      ...{ name, log_score: score(mean), ranked_score: score(mean), return_on_stake: score(0.05) },
    })),
    by_lead: [{ horizon: 24, median_error_pct: 8, low: 7, high: 9, events: 9 }],
    reliability: [
      {
        ...{ from: 0, to: 0.1, mean_probability: 0.05, won_fraction: 0.04, low: 0, high: 0.1 },
        ...{ buckets: 20, events: 9 },
      },
    ],
    points: [{ ...point, event_id: eventId, log_score: mean, market_log_score: null }],
  };
}

const DATA: SiteData = {
  config: { accounts: [{ segment: 'account_a', label: HOSTILE }], world: 'simulated' },
  record: {
    ...{
      timestamp: TS,
      horizon: 24,
      account: null,
      forward: section(1, 1.234),
      recomputed: section(2, 5.678),
    },
    advice: { bets: 3, events: 2, return_on_stake: 0.1, low: null, high: null },
    evidence: [
      {
        ...{ account: HOSTILE, past_events: 1, own_events: 2, of_other_accounts: 0, shipped_ladders: 0 },
        ...{ prior_share: 1, weights: [], unaided: null, rules: [], sentence: HOSTILE },
      },
    ],
    newest_seal: null,
  },
  newestSeal: {
    ...{ hour_ts: TS, first_seq: 1, size: 1, root: 'r', previous: 'p', chain: 'abc' },
    anchors: [{ anchor: HOSTILE, anchored_ts: TS }],
  },
  verdict: 'intact',
  events: [1, 2].map(createEvent),
};

function createEvent(eventId: number): PublishedEvent {
  const settlement = {
    final_count: 36,
    winning_bucket: HOSTILE,
    source: HOSTILE,
    revision: 1,
    settled_ts: TS,
  };
  return {
    name: `account_a-${eventId}`,
    dossier: {
      ...{
        account: 'account_a',
        event_id: eventId,
        event_title: HOSTILE,
        counting_rule: HOSTILE,
        venue: HOSTILE,
      },
      ...{ start_ts: TS, end_ts: TS, compiled_ts: TS, explanation: [HOSTILE], own_count: 36 },
      ...{ buckets: [], oracle_counts: [], ui_counts: [], settlement, settlements: [settlement] },
    },
    signature: { algorithm: 'Ed25519', key_id: HOSTILE, public_key: '', value: '' },
  };
}

describe('the published pages', () => {
  const record = renderRecord(DATA);
  const pages = [record, ...DATA.events.map((event) => renderEvent(event, DATA.record, true))];

  it('escape every text', () => {
    assert.equal(html`<b title="${HOSTILE}">`.text.includes('<script'), false);
    for (const page of pages) {
      assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;'));
      assert.doesNotMatch(page, /<script|<img|\son\w+="|\sstyle="|undefined|NaN|\[object/);
    }
  });

  it('link only to files of the site', () => {
    for (const page of pages)
      for (const [, target] of page.matchAll(/(?:href|src)="([^"]*)"/g))
        assert.match(target!, /^(?!\/)[\w./-]*(#\w+)?$|^data:,$/);
  });

  it('show forward and recomputed forecasts apart', () => {
    const [forward = '', rest = ''] = record.split('<section id="evidence">');
    const recomputed = rest.split('<section id="recomputed"')[1] ?? '';
    assert.ok(forward.includes('1.234') && !forward.includes('5.678'));
    assert.ok(recomputed.includes('5.678') && !recomputed.includes('1.234'));
    assert.match(pages[1]!, /Published and sealed before the outcome/);
    assert.match(pages[2]!, /<h2>Forecast, recomputed<\/h2>/);
  });

  it('use the colours of the dashboard', () => {
    const tokens = readFileSync(new URL('../../../web/src/styles/tokens.css', import.meta.url), 'utf8');
    for (const [name, value] of Object.entries(COLOURS))
      assert.ok(tokens.includes(`${name}: ${value};`), name);
  });
});
