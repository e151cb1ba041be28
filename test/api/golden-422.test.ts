// Compares the real server with every golden response that applies to this API. Rows for other declarations and
// rows overruled by decisions are listed by name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from './harness.ts';

type Row = [string, number, { detail?: unknown } | string, ...unknown[]];

const ROWS = readFileSync(new URL('./fastapi-422.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

const PATHS: Record<string, string> = {
  '/tweets': '/meta/account_a/tweets',
  '/signals': '/signals/account_a',
  '/rebal': '/portfolio/account_a/rebalancing',
  '/byend': '/usage/by-endpoint',
  '/history_enum': '/performance/history',
};

/** This API, not the framework, rejects an end before the start. */
const OVERRULED = new Set(['GET /byend?start=5&end=1']);

const WALLET = `0x${'a'.repeat(40)}`;
const AGENT = { type: 'agent', case: 'x', name: 'bob', wallet: WALLET };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Post {
  headers?: Record<string, string>;
  body: string | Buffer;
}

const json = (value: unknown): Post => ({ headers: JSON_TYPE, body: JSON.stringify(value) });

/** Bodies for rows that only name or truncate them, in row order. */
const NAMED: Record<string, Post[]> = {
  'text/plain': [{ headers: { 'content-type': 'text/plain' }, body: JSON.stringify(AGENT) }],
  'no ctype': [{ body: JSON.stringify(AGENT) }],
  form: [{ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'type=agent' }],
  'vnd+json': [{ headers: { 'content-type': 'application/vnd.api+json' }, body: JSON.stringify(AGENT) }],
  'bad utf8': [{ headers: JSON_TYPE, body: Buffer.from([0xff, 0xfe, 0x7b, 0x7d]) }],
  'bad utf8 in str': [
    {
      headers: JSON_TYPE,
      body: Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    },
  ],
  '500 emoji': [json({ ...AGENT, case: '😀'.repeat(500) })],
  '501 emoji': [json({ ...AGENT, case: '😀'.repeat(501) })],
  "{'type': 'agent', 'case': 'x', 'name': 'bob', 'wallet': '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'": [
    json(AGENT),
    json({ ...AGENT, extra: 1 }),
  ],
  "{'type': 'human', 'case': 'xxxx": [json({ type: 'human', case: 'x'.repeat(501), email: 'a@b.co' })],
  "{'type': 'agent', 'case': 'x', 'name': 'bbbb": [json({ ...AGENT, name: 'b'.repeat(51) })],
  "{'type': 'agent', 'case': 'x', 'name': 'bob', 'wallet': '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": [
    json({ ...AGENT, wallet: `${WALLET}a` }),
  ],
  "{'type': 'agent', 'case': 'x', 'name': 'bob', 'wallet': '0xgggg": [
    json({ ...AGENT, wallet: `0x${'g'.repeat(42)}` }),
  ],
  "{'type': 'agent', 'case': None, 'name'": [json({ ...AGENT, case: null })],
  "{'type': 'agent', 'case': ['x'], 'name'": [json({ ...AGENT, case: ['x'] })],
  "{'type': 'agent', 'case': 'x', 'name': 'bob\\n'": [json({ ...AGENT, name: 'bob\n' })],
  "{'type': 'agent', 'case': 'x', 'name': 'b!b!": [json({ ...AGENT, name: 'b!'.repeat(30) })],
};

function readPost(label: string): Post {
  const names = Object.keys(NAMED).filter((name) =>
    name.startsWith('{') ? label.startsWith(name) : label === name,
  );
  // Take the longest matching name, because some rows share a prefix.
  const name = names.sort((left, right) => right.length - left.length)[0];
  if (name !== undefined) {
    const posts = NAMED[name]!;
    return posts.length > 1 ? posts.shift()! : posts[0]!;
  }
  if (label.startsWith("'") || label.startsWith('"')) return { headers: JSON_TYPE, body: unquote(label) };
  return json(JSON.parse(label.replaceAll("'", '"').replaceAll('None', 'null').replaceAll('True', 'true')));
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replaceAll('\\"', '"');
}

function withoutInput(body: unknown): unknown {
  const { detail } = body as { detail: unknown };
  if (!Array.isArray(detail)) return { detail };
  return { detail: detail.map(({ input: _, ...item }) => item) };
}

interface GoldenCall {
  name: string;
  path: string;
  post?: Post;
  status: number;
  body: unknown;
}

function readRow([request, status, body]: Row): GoldenCall[] {
  const get = /^GET (\/\w+)(\?.*)?$/s.exec(request);
  const path = get && PATHS[get[1]!];
  const row = { status, body };
  if (path && !OVERRULED.has(request))
    return [{ ...row, name: request, path: path + encodeURI(get[2] ?? '').replaceAll('%25', '%') }];
  const label = /^POST \/waitlist (.*)$/s.exec(request)?.[1];
  if (label === undefined || status === 500) return [];
  return [{ ...row, name: `POST /waitlist ${label.slice(0, 60)}`, path: '/waitlist', post: readPost(label) }];
}

const CALLS = ROWS.flatMap(readRow);

for (const usesPlainReader of [true, false])
  describe(`the server, ${usesPlainReader ? 'plain' : 'Node'} reader`, () => {
    let harness: Harness;
    before(async () => {
      harness = await startHarness({ settings: { usesPlainReader } });
    });
    after(() => harness.close());

    for (const { name, path, post, status, body } of CALLS)
      it(`responds to ${name} with ${status}`, async () => {
        const key = harness.keys.INTERNAL;
        const reply = await harness.call(path, { key, ...(post && { method: 'POST', ...post }) });
        assert.equal(reply.status, status, reply.text);
        if (status !== 200) assert.deepEqual(reply.json, withoutInput(body));
      });

    it('is tested with every row that applies to this API', () => {
      assert.equal(CALLS.length, 145);
    });

    it('rejects NaN in a body as json_invalid, where the framework itself fails', async () => {
      const reply = await harness.call('/waitlist', {
        method: 'POST',
        key: harness.keys.INTERNAL,
        headers: JSON_TYPE,
        body: '{"a":NaN}',
      });
      assert.equal(reply.status, 422);
      assert.deepEqual(reply.json.detail, [
        {
          type: 'json_invalid',
          loc: ['body', 5],
          msg: 'JSON decode error',
          ctx: { error: 'Expecting value' },
        },
      ]);
    });

    it('rejects a usage query with an end before its start', async () => {
      const reply = await harness.call('/usage/by-endpoint?start=5&end=1', { key: harness.keys.INTERNAL });
      assert.equal(reply.status, 422);
      assert.deepEqual(reply.json.detail[0].loc, ['query', 'end']);
      assert.equal(reply.json.detail[0].type, 'value_error');
    });

    it('handles unknown paths, wrong methods, HEAD, OPTIONS and trailing slashes as decided', async () => {
      assert.deepEqual((await harness.call('/nothing')).json, { detail: 'Not Found' });
      const wrong = await harness.call('/meta/account_a', { method: 'POST' });
      assert.equal(wrong.status, 405);
      assert.equal(wrong.headers.allow, 'GET');
      assert.deepEqual(wrong.json, { detail: 'Method Not Allowed' });
      assert.equal((await harness.call('/meta/account_a', { method: 'HEAD' })).status, 405);
      assert.equal((await harness.call('/meta/account_a', { method: 'OPTIONS' })).status, 405);
      assert.equal((await harness.call('/meta/account_a/')).status, 404);
    });
  });
