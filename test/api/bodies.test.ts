// Request bodies: our own endpoints list unknown fields and explain a wrong content type; the contract's endpoint
// keeps the contract's wording and adds a header.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from './harness.ts';

const WELL: Record<string, object> = {
  '/what-if/account_a': { event_id: 1001 },
  '/what-if/account_b': { event_id: 2001 },
  '/channels': { kind: 'webhook', url: 'https://hooks.example.com/x' },
  '/rules': { kind: 'settled' },
  '/rules/{rule_id}': { kind: 'settled' },
};
const HUMAN = { type: 'human', case: 'x', email: 'reader@example.org' };

describe('the API', () => {
  let harness: Harness;
  let ruleId: string;
  before(async () => {
    harness = await startHarness();
    const { json } = await post('/rules', WELL['/rules']!);
    ruleId = json.data.rule_id;
  });
  after(() => harness.close());

  const post = (path: string, body: object, headers: Record<string, string> = JSON_TYPE) =>
    harness.call(path.replace('{rule_id}', ruleId), {
      method: 'POST',
      key: harness.keys.PRO,
      body: JSON.stringify(body),
      headers,
    });
  const countKept = async () => {
    const lists = ['/channels', '/rules'].map((path) => harness.call(path, { key: harness.keys.PRO }));
    return (await Promise.all(lists)).map(({ json }) => json.data.length);
  };

  it('declares in OpenAPI that only the waitlist accepts extra fields, and every body is tested here', async () => {
    const { json } = await harness.call('//openapi.json');
    const { paths, components } = json;
    const taking = Object.entries(paths as Record<string, { post?: Operation }>).flatMap(
      ([path, { post }]) => {
        const schema = post?.requestBody?.content['application/json']?.schema;
        if (!schema) return [];
        const own = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!] : schema;
        return [[path.replace('/api/v1', ''), own.additionalProperties === false]];
      },
    );
    const expected = [...Object.keys(WELL).map((path) => [path, true]), ['/waitlist', false]];
    assert.deepEqual(taking.sort(), expected.sort());
  });

  for (const [path, body] of Object.entries(WELL)) {
    it(`rejects a ${path} body with unknown fields, lists the fields and changes nothing`, async () => {
      const kept = await countKept();
      const { status, json } = await post(path, { ...body, pce: 2, __proto: 1 });
      assert.equal(status, 422);
      const msg = 'Extra inputs are not permitted';
      assert.deepEqual(json.detail, [
        { type: 'extra_forbidden', loc: ['body', 'pce'], msg },
        { type: 'extra_forbidden', loc: ['body', '__proto'], msg },
      ]);
      assert.deepEqual(await countKept(), kept);
    });

    it(`rejects a ${path} body with a missing or wrong content type and says why`, async () => {
      const missing = await post(path, body, {});
      assert.equal(missing.status, 422);
      assert.equal(missing.json.detail[0].type, 'model_attributes_type');
      assert.match(missing.json.detail[0].msg, /: the Content-Type is missing; send application\/json$/);
      const other = await post(path, body, { 'Content-Type': 'text/plain' });
      assert.match(other.json.detail[0].msg, /: the Content-Type is wrong; send application\/json$/);
    });
  }

  it('reports both names of a misspelt required field, and at most 20 errors per body', async () => {
    const { json } = await post('/what-if/account_a', { evnt_id: 1001 });
    assert.deepEqual(
      json.detail.map(({ type, loc }: Fault) => [type, loc.at(-1)]),
      [
        ['missing', 'event_id'],
        ['extra_forbidden', 'evnt_id'],
      ],
    );
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 1]));
    const told = await post('/what-if/account_a', { event_id: 1001, ...many });
    assert.equal(told.json.detail.length, 20);
  });

  it('accepts extra fields in a waitlist body and reports a likely typo in a header', async () => {
    const more = await post('/waitlist', { ...HUMAN, source: 'friend' });
    assert.deepEqual([more.status, more.headers.warning], [200, undefined]);
    const slip = await post('/waitlist', { ...HUMAN, walet: '0x' });
    assert.equal(slip.status, 200);
    assert.equal(slip.headers.warning, '299 - "unknown field walet was ignored; did you mean wallet?"');
  });

  it("returns the contract's error for a waitlist body without a content type, with the reason in a header", async () => {
    const { status, json, headers } = await post('/waitlist', HUMAN, {});
    assert.equal(status, 422);
    assert.equal(json.detail[0].msg, 'Input should be a valid dictionary or object to extract fields from');
    assert.equal(headers.warning, '299 - "the Content-Type is missing; send application/json"');
  });
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Fault {
  type: string;
  loc: (string | number)[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: { $ref?: string; additionalProperties?: boolean } }> };
}
