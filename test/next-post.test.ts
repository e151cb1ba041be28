// Tests the next-post interval on the real histories in ../shared, if present. It must contain the next post in
// 90 % of cases, plus or minus three percentage points.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DAY_MS } from '../src/domain/units.ts';
import { parseHistory } from '../src/forecast/backtest/read-history.ts';
import { estimateNextPost } from '../src/forecast/outlook/next-post.ts';
import { createTimeline } from '../src/forecast/time/timeline.ts';

const ORIGINS = 1_500;

for (const letter of ['a', 'b']) {
  const file = `../shared/data/account-${letter}-posts.csv`;
  describe(`the next post of account ${letter}`, {
    skip: existsSync(file) ? false : `${file} is missing`,
  }, () => {
    it('falls within the 90 % interval as often as claimed', (t) => {
      const history = parseHistory(readFileSync(file, 'utf8'));
      const { createdTs } = history;
      const { counted } = createTimeline(history);
      const fromTs = createdTs[0]! + 70 * DAY_MS;
      const stepMs = (createdTs.at(-1)! - 3 * DAY_MS - fromTs) / ORIGINS;
      let inside = 0;
      let asked = 0;
      for (let i = 0; i < ORIGINS; i++) {
        const nowTs = fromTs + i * stepMs;
        const estimate = estimateNextPost(counted, nowTs);
        if (!estimate) continue;
        const nextTs = counted.at(counted.countUpTo(nowTs));
        asked += 1;
        if (nextTs >= estimate.p5Ts && nextTs <= estimate.p95Ts) inside += 1;
      }
      t.diagnostic(`${((100 * inside) / asked).toFixed(1)}% of ${asked} next posts inside the 90% interval`);
      assert.ok(asked > ORIGINS * 0.9);
      assert.ok(Math.abs(inside / asked - 0.9) < 0.03, `${inside} of ${asked}`);
    });
  });
}
