import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Schemas } from '../../packages/client-js/src/index.ts';
import { describeForecasts, describeSignals } from './describe.ts';

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

it('lists buckets that no price would make a trade once, by their shared reason', () => {
  const signal = (bucket: string, act_at_price: number | null, sentence: string) => ({
    ...{ bucket, market_price: 0.1, model_prob: 0.1, belief_prob: 0.1 },
    advice: { verdict: 'NOTHING', sentence, stake: 0, act_at_side: act_at_price && 'Yes', act_at_price },
  });
  const signals = [
    signal('60+', 0.05, 'No trade: dear'),
    signal('<20', null, 'No trade: closed'),
    signal('20-39', null, 'No trade: closed'),
  ];
  const answer = {
    data: [{ event_id: 7, event_title: 'Posts', signals }],
  } as unknown as Schemas['SignalsAnswer'];
  assert.match(
    describeSignals(['account_a'], [answer]),
    /60\+ .* would buy Yes at 5¢ or less\n<20, 20-39: No trade: closed\n$/,
  );
});
