import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeSettings, readSettings } from './options.ts';

it('states every limit that --accept covers in words, with its unit', () => {
  const text = describeSettings(
    readSettings({
      ...{ live: true, bankroll: '400', 'max-order': '3', 'max-event': '7', 'max-account': '11' },
      ...{ 'max-day': '13', 'max-total': '17', 'day-loss': '19', 'total-loss': '23', canary: '6' },
      ...{ 'min-gain': '0.07', 'min-minutes': '21', 'max-count-lead': '9', 'max-settlement-risk': '0.35' },
    }),
  ).join('\n');
  for (const limit of [
    ...['400.00 USD', '3.00 USD per order', '7.00 USD per event', '11.00 USD per account'],
    ...['13.00 USD per day', '17.00 USD in total', '19.00 USD in a day', '23.00 USD in total'],
    ...['7 cents per dollar', '2 to 95 cents', '21 minutes', '9 posts', '35 %', '6 fills'],
  ])
    assert.ok(text.includes(limit), `${limit} in:\n${text}`);
  assert.doesNotMatch(text, /[{}"]/);
});
