import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent } from '../../test/store/samples.ts';
import { MAIN_FEED_RULE } from './counting-rule.ts';
import { type CountAt, explainSettlement } from './explain-settlement.ts';
import { HOUR_MS } from './units.ts';

const END_TS = Date.UTC(2026, 8, 24, 16);

function explain(...oracle: CountAt[]): string {
  const event = sampleEvent({ window: { startTs: END_TS - 48 * HOUR_MS, endTs: END_TS } });
  const none = { posts: [], listings: [], ui: [], settlements: [], judged: [], disagreements: [] };
  return explainSettlement({ event, rule: MAIN_FEED_RULE, ownCount: 5, oracle, ...none }).join(' ');
}

describe('settlement explanation', () => {
  it('says what the oracle added after the close', () => {
    const text = explain({ ts: END_TS - HOUR_MS, count: 3 }, { ts: END_TS + 2 * HOUR_MS, count: 5 });
    assert.match(
      text,
      /At the close the oracle had counted 3, unchanged since 2026-09-24 15:00 UTC\. The oracle added 2 after the close, the last one 2 h/,
    );
  });

  it('reports no oracle change if the oracle was first read after the close', () => {
    const text = explain({ ts: END_TS + 100 * HOUR_MS, count: 5 });
    assert.match(text, /We did not read the oracle before the close\. It had counted 5 when we first did/);
    assert.doesNotMatch(text, /added|has not changed/);
  });
});
