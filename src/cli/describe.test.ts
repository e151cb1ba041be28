import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Schemas } from '../../packages/client-js/src/index.ts';
import { describeForecasts } from './describe.ts';

function describeLadder(modelProbs: readonly (number | undefined)[]): string {
  const titles = ['<20', '20-39', '40-59', '60+'];
  const markets = titles.map((title, i) => ({ title, market_price: 0.25, model_prob: modelProbs[i] }));
  const record = { event_id: 7, real_counter: 40, markets } as Schemas['PredictionRecord'];
  const answer = { timestamp: 0, data: [record] };
  return describeForecasts(['account_a'], [answer], [{ timestamp: 0, data: [] }]);
}

it('names the buckets that the count has passed on one line', () => {
  assert.match(describeLadder([]), /^passed: <20, 20-39\nbucket +market\n40-59 .*\n60\+ .*\n$/m);
});

it('lists a bucket below the count while the model holds it possible', () => {
  assert.match(describeLadder([0, 0.01, 0.9, 0.09]), /^passed: <20\nbucket.*\n20-39 .* 1\.0%/m);
});
