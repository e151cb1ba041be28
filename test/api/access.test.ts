// Access by tier. Alternative spellings of a path must not be served.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKeyService, generateKey } from '../../src/access/key-service.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import type { Store, Tier } from '../../src/store/ports.ts';
import { sendRaw } from '../hostile/raw-http.ts';
import { WALLET } from './fixture.ts';
import { type Harness, startHarness } from './harness.ts';

const PUBLIC = ['/meta/account_a', '/meta/account_b', '/meta/crypto', '/health', '/performance/overview'];
const MORE_PUBLIC = ['/performance/history', '/performance/calibration', '/performance/seals'];
const OPTIONAL = [
  '/meta/account_a/tweets',
  '/meta/account_b/tweets',
  '/prediction/account_a',
  '/prediction/account_b',
];
const PRO = [
  '/signals/account_a',
  '/signals/account_b',
  `/portfolio/account_a?wallet=${WALLET}`,
  `/portfolio/account_a/rebalancing?wallet=${WALLET}&bankroll=1000`,
  `/portfolio/account_b?wallet=${WALLET}`,
  '/channels',
  '/rules',
  '/notices',
];
const INTERNAL = ['/usage/summary', '/usage/by-endpoint?start=0&end=1', '/usage/errors', '/usage/stats'];

type Caller = Tier | 'anonymous' | 'unknown' | 'malformed' | 'empty';

/** Expected status by caller. */
const EXPECTED: [string[], Record<Caller, number>][] = [
  [
    [...PUBLIC, ...MORE_PUBLIC],
    { anonymous: 200, empty: 200, unknown: 200, malformed: 200, FREE: 200, PRO: 200, INTERNAL: 200 },
  ],
  [
    OPTIONAL,
    { anonymous: 200, empty: 200, unknown: 401, malformed: 401, FREE: 200, PRO: 200, INTERNAL: 200 },
  ],
  [PRO, { anonymous: 401, empty: 401, unknown: 401, malformed: 401, FREE: 401, PRO: 200, INTERNAL: 200 }],
  [
    INTERNAL,
    { anonymous: 401, empty: 401, unknown: 401, malformed: 401, FREE: 401, PRO: 401, INTERNAL: 200 },
  ],
];

describe('the API', () => {
  let harness: Harness;
  before(async () => {
    const limits = { freePerHour: 1000, proPerHour: 10_000, waitlistPerHour: 10, maxAddresses: 1000 };
    harness = await startHarness({ settings: { limits } });
  });
  after(() => harness.close());

  const send = (request: string) => sendRaw(harness.port, { pieces: [request] }, 60_000, 1);

  function keyOf(caller: Caller): string | undefined {
    if (caller === 'anonymous') return undefined;
    if (caller === 'empty') return '';
    // A key with a valid checksum that was never issued.
    if (caller === 'unknown') return generateKey('PRO');
    if (caller === 'malformed') return 'tc_pro_nonsense';
    return harness.keys[caller];
  }

  for (const [paths, expected] of EXPECTED) {
    for (const path of paths) {
      it(`serves ${path.split('?')[0]} only to the allowed tiers`, async () => {
        for (const [caller, status] of Object.entries(expected)) {
          const reply = await harness.call(path, { key: keyOf(caller as Caller) });
          assert.equal(reply.status, status, `${caller}: ${reply.text}`);
          if (status === 401) {
            assert.equal(typeof reply.json.detail, 'string');
            assert.match(reply.headers['www-authenticate']!, /^APIKey/);
          }
        }
      });
    }
  }

  it('issues no demo key on live sources', async () => {
    assert.equal((await harness.call('//demo-key', { method: 'POST' })).status, 404);
    assert.equal((await harness.call('//config.json')).json.demo_key, undefined);
  });

  it('checks the key before the parameters', async () => {
    assert.equal((await harness.call('/meta/account_a/tweets?limit=0', { key: 'bad' })).status, 401);
    assert.equal((await harness.call('/signals/account_a?bankroll=0')).status, 401);
    assert.equal((await harness.call('/portfolio/account_a')).status, 401);
  });

  it('reads a key only from X-API-Key', async () => {
    const headers = { Authorization: `Bearer ${harness.keys.PRO}` };
    assert.equal((await harness.call('/signals/account_a', { headers })).status, 401);
    assert.equal((await harness.call(`/signals/account_a?api_key=${harness.keys.PRO}`)).status, 401);
  });

  it('rejects a key once it has expired', async () => {
    const keyService = createKeyService(harness.store.keys, harness.clock);
    const expiresTs = harness.clock.now() + DAY_MS;
    const { key } = await keyService.issue({ tier: 'PRO', label: 'short', expiresTs });
    assert.equal((await harness.call('/signals/account_b', { key })).status, 200);
    harness.clock.step(DAY_MS);
    assert.equal((await harness.call('/signals/account_b', { key })).status, 401);
    harness.clock.step(-DAY_MS);
  });

  it('offers rebalancing for account A only', async () => {
    const path = `/portfolio/account_b/rebalancing?wallet=${WALLET}&bankroll=10`;
    assert.equal((await harness.call(path, { key: harness.keys.PRO })).status, 404);
  });

  it('serves no alternative spelling of a path', async () => {
    const targets = [
      '/api/v1/signals/Account_a',
      '/API/v1/signals/account_a',
      '//api/v1/signals/account_a',
      '/api/v1//signals/account_a',
      '/api/v1/signals/account_a/',
      '/api/v1/signals/%61ccount_a',
      '/api/v1/signals/./account_a',
      '/api/v1/x/../signals/account_a',
      '/api/v1/signals/account_a;x=1',
      '/api/v1/signals/account_a%00',
      '/api/v1/signals/account_a#x',
      'http://elsewhere.invalid/api/v1/signals/account_a',
      `http://127.0.0.1:${harness.port}/api/v1/meta/account_a`,
      '*',
    ];
    for (const target of targets) {
      const [status] = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.ok(status === 400 || status === 404, `${target}: ${status}`);
    }
  });

  it('returns 405 for HEAD everywhere, with Allow and no body', async () => {
    for (const path of [
      '/meta/account_a',
      '/signals/account_a',
      '/health',
      '/waitlist',
      '//',
      '//docs',
      '//openapi.json',
    ]) {
      const reply = await harness.call(path, { method: 'HEAD', key: harness.keys.PRO });
      assert.equal(reply.status, 405, path);
      assert.equal(reply.headers.allow, path === '/waitlist' ? 'POST' : 'GET');
      assert.equal(reply.bytes, 0);
    }
  });

  it('responds to preflight requests but rejects other OPTIONS requests', async () => {
    const preflight = await harness.call('/signals/account_a', {
      method: 'OPTIONS',
      headers: { Origin: 'https://page.invalid', 'Access-Control-Request-Method': 'GET' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], '*');
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET');
    assert.match(preflight.headers['access-control-allow-headers']!, /X-API-Key/);
    assert.equal((await harness.call('/signals/account_a', { method: 'OPTIONS' })).status, 405);
    assert.equal((await harness.call('/nothing', { method: 'OPTIONS' })).status, 404);
  });

  it('returns 406 if the caller does not accept JSON', async () => {
    const refused = await harness.call('/meta/account_a', { headers: { Accept: 'text/html' } });
    assert.equal(refused.status, 406);
    assert.equal(typeof refused.json.detail, 'string');
    for (const accept of ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json;q=0.5']) {
      assert.equal((await harness.call('/meta/account_a', { headers: { Accept: accept } })).status, 200);
    }
  });

  it('returns JSON for 431, 413 and malformed HTTP', async () => {
    const flood = `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Flood: ${'x'.repeat(20_000)}\r\n\r\n`;
    assert.deepEqual(await send(flood), [431]);
    assert.deepEqual(await send('NONSENSE\r\n\r\n'), [400]);
    const large = await harness.call('/waitlist', {
      method: 'POST',
      body: 'x'.repeat(70_000),
      from: '127.0.0.9',
    });
    assert.equal(large.status, 413);
    assert.equal(typeof large.json.detail, 'string');
  });

  it('sends security headers with every response', async () => {
    for (const path of ['/meta/account_a', '/nothing', '//', '//docs', '//openapi.json']) {
      const { headers } = await harness.call(path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.ok(!headers['content-security-policy']!.includes('unsafe-inline'), path);
      assert.ok(headers['x-request-id'], path);
    }
  });
});

describe('logs', () => {
  it('contain the request id and the route, but never a key, a payment or a query', async () => {
    const lines: string[] = [];
    const note = (details: object, message: string) =>
      void lines.push(JSON.stringify({ ...details, message }));
    const logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    const wrapStore = (store: Store): Store => ({
      ...store,
      scores: { ...store.scores, list: () => Promise.reject(new Error('broken')) },
    });
    const harness = await startHarness({ logger, wrapStore });
    const key = harness.keys.PRO;
    const headers = { x402: 'secret-payment', 'X-PAYMENT': 'secret-payment' };
    await harness.call('/performance/overview?account=account_a', { key, headers });
    await harness.call(`/portfolio/account_a?wallet=${key}`, { key, headers });
    await harness.call('/signals/account_a', { key: `${key}x`, headers });
    await harness.close();
    assert.ok(lines.length >= 3);
    assert.ok(
      lines.some((line) => line.includes('requestId') && line.includes('/api/v1/performance/overview')),
    );
    for (const line of lines) {
      assert.ok(!line.includes(key), line);
      assert.ok(!line.includes('secret-payment'), line);
      assert.ok(!line.includes('?'), line);
    }
  });
});
