import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json, never, scriptHttp } from '../../test/support/scripted-sources.ts';
import { stopForOperator } from './create-post-sources.ts';

const html = { status: 429, headers: { 'content-type': 'text/html' } };
const usageCapped = { detail: 'x'.repeat(500), type: 'https://api.x.com/2/problems/usage-capped' };

const REFUSALS: [string, () => Response, stops: boolean][] = [
  ['lack of credit', () => json({ title: 'CreditsDepleted' }, 402), true],
  ['an exceeded usage cap', () => json({ title: 'UsageCapExceeded' }, 429), true],
  ['a usage cap stated after a long detail', () => json(usageCapped, 429), true],
  ['a 429 with a reset time', () => json({}, 429, { 'x-rate-limit-reset': '1900000000' }), false],
  ['a 429 in plain text', () => new Response('Too Many Requests', { status: 429 }), false],
  [
    'a 429 that says no more',
    () => json({ title: 'Too Many Requests', detail: 'Too Many Requests' }, 429),
    false,
  ],
  ['an empty 429', () => new Response('', { status: 429 }), false],
  ['an HTML 429', () => new Response('<html>', html), false],
  ['a 500', () => json({}, 500), false],
];

describe('when the platform refuses a request', () => {
  for (const [name, reply, stops] of REFUSALS) {
    it(`${name} ${stops ? 'stops' : 'does not stop'} all requests`, async () => {
      const { http, asked } = scriptHttp({ '/': reply });
      const gated = stopForOperator(http);
      for (let i = 0; i < 3; i++) {
        const expected = { needsOperator: stops, isRetryable: !stops };
        await assert.rejects(gated.getJson('/a', {}, never()), expected);
      }
      assert.equal(asked.length, stops ? 1 : 3);
    });
  }
});
