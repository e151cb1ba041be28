import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../domain/units.ts';
import { normaliseAddress, resolveClientAddress, resolveClientProtocol } from './client-address.ts';
import { digestKey, generateKey, isWellFormedKey } from './key-format.ts';
import { createLocalLimiter } from './local-limiter.ts';
import { createRollingWindow } from './rolling-window.ts';

describe('keys', () => {
  it('consist of a tier prefix, 30 random characters and a 6-character checksum', () => {
    for (const [tier, prefix] of [
      ['FREE', 'tc_free_'],
      ['PRO', 'tc_pro_'],
      ['INTERNAL', 'tc_int_'],
    ] as const) {
      const key = generateKey(tier);
      assert.match(key, new RegExp(`^${prefix}[0-9A-Za-z]{36}$`));
      assert.ok(isWellFormedKey(key));
    }
    assert.notEqual(generateKey('PRO'), generateKey('PRO'));
    assert.match(digestKey('x'), /^[0-9a-f]{64}$/);
  });

  it('fail the checksum when any one character changes', () => {
    const key = generateKey('PRO');
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      assert.ok(!isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1)), `at ${i}`);
    }
    assert.ok(!isWellFormedKey(''));
    assert.ok(!isWellFormedKey(`${key}\n`));
  });
});

describe('rolling window', () => {
  /** Gaps between requests in milliseconds: bursts, steady traffic and long pauses. */
  const gaps = fc.array(
    fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 60_000 }),
      fc.integer({ min: HOUR_MS - 10_000, max: HOUR_MS + 10_000 }),
    ),
    { minLength: 1, maxLength: 400 },
  );

  for (const limit of [5, 100, 2_000]) {
    it(`never allows more than ${limit} requests in any rolling hour`, () => {
      fc.assert(
        fc.property(gaps, fc.integer({ min: 0, max: HOUR_MS }), (steps, offset) => {
          const window = createRollingWindow({ name: 'x', limit, windowMs: HOUR_MS });
          const granted: number[] = [];
          let ts = 1_700_000_000_000 + offset;
          for (const gap of steps) {
            ts += gap;
            const burst = limit > 1000 ? 60 : 3;
            for (let i = 0; i < burst; i++) if (window.take(ts)) granted.push(ts);
          }
          for (let i = limit; i < granted.length; i++) {
            assert.ok(granted[i]! - granted[i - limit]! >= HOUR_MS);
          }
        }),
        { numRuns: 60, seed: 7 },
      );
    });
  }

  it('is exact at a limit of 100: a slot frees up exactly one hour after the first request', () => {
    const window = createRollingWindow({ name: 'x', limit: 100, windowMs: HOUR_MS });
    for (let i = 0; i < 100; i++) assert.ok(window.take(i * 1000));
    assert.ok(!window.take(HOUR_MS - 1));
    assert.equal(window.resetTs, HOUR_MS);
    assert.ok(window.take(HOUR_MS));
    assert.ok(!window.take(HOUR_MS + 999));
    assert.ok(window.take(HOUR_MS + 1000));
  });

  it('refuses at most 1% of requests from a steady caller at a limit of 10,000', () => {
    const window = createRollingWindow({ name: 'x', limit: 10_000, windowMs: HOUR_MS });
    const periodMs = HOUR_MS / 10_000;
    let refused = 0;
    for (let i = 0; i < 40_000; i++) if (!window.take(Math.ceil(i * periodMs))) refused += 1;
    assert.ok(refused <= 400, `${refused} refused`);
  });

  it('grants no extra requests when the clock moves back', () => {
    const window = createRollingWindow({ name: 'x', limit: 2, windowMs: HOUR_MS });
    assert.ok(window.take(10 * HOUR_MS));
    assert.ok(window.take(HOUR_MS));
    assert.ok(!window.take(HOUR_MS));
    assert.ok(window.take(11 * HOUR_MS));
  });
});

describe('local limiter', () => {
  const settings = { freePerHour: 2, proPerHour: 2_000, waitlistPerHour: 1, maxAddresses: 3 };

  it('makes new callers share an allowance instead of evicting known callers', () => {
    const limiter = createLocalLimiter(settings);
    const take = (address: string, ts: number) => limiter.forAddress(address, 'other', ts).take(ts);
    for (const address of ['a', 'b', 'c']) assert.ok(take(address, 0) && take(address, 0));
    assert.ok(take('d', 1));
    assert.ok(limiter.describe().overflowing);
    for (const address of ['a', 'b', 'c']) assert.ok(!take(address, 2));
    assert.ok(take('e', HOUR_MS + 60_000));
    assert.ok(!limiter.describe().overflowing);
  });

  it('has no limit for INTERNAL', () => {
    assert.equal(createLocalLimiter(settings).forKey('k', 'INTERNAL'), null);
  });
});

describe('client address', () => {
  it('groups IPv6 by /64 and unwraps mapped IPv4', () => {
    assert.equal(normaliseAddress('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(normaliseAddress('2001:0DB8:0:0:ffff::'), '2001:db8:0:0::/64');
    assert.equal(normaliseAddress('::1'), '0:0:0:0::/64');
    assert.equal(normaliseAddress('::ffff:10.1.2.3'), '10.1.2.3');
    assert.equal(normaliseAddress('[2001:db8:1::5]:443'), '2001:db8:1:0::/64');
    assert.equal(normaliseAddress('10.1.2.3:99'), '10.1.2.3');
    assert.equal(normaliseAddress('nonsense'), null);
    assert.equal(normaliseAddress('1:2:3:4:5:6:7:8'), '1:2:3:4::/64');
    assert.equal(normaliseAddress('fe80::1%eth0'), 'fe80:0:0:0::/64');
  });

  it('treats every IPv6 spelling of an IPv4 address as the same caller', () => {
    for (const spelling of [
      '::ffff:10.1.2.3',
      '::FFFF:10.1.2.3',
      '::ffff:0a01:0203',
      '0:0:0:0:0:ffff:a01:203',
      '[::ffff:a01:203]:443',
      '64:ff9b::10.1.2.3',
      '64:ff9b::a01:203',
    ]) {
      assert.equal(normaliseAddress(spelling), '10.1.2.3', spelling);
    }
  });

  it('uses the entry written by the outermost trusted proxy', () => {
    assert.equal(resolveClientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2', 0), '10.0.0.1');
    assert.equal(resolveClientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2', 1), '2.2.2.2');
    assert.equal(resolveClientAddress('10.0.0.1', '1.1.1.1, 2.2.2.2', 2), '1.1.1.1');
    assert.equal(resolveClientAddress('10.0.0.1', '1.1.1.1', 2), '1.1.1.1');
    assert.equal(resolveClientAddress('10.0.0.1', 'junk', 1), '10.0.0.1');
    assert.equal(resolveClientAddress('10.0.0.1', undefined, 1), '10.0.0.1');
  });

  it('trusts the forwarded protocol only behind a trusted proxy', () => {
    assert.equal(resolveClientProtocol('https', 0), 'http');
    assert.equal(resolveClientProtocol('https', 1), 'https');
    assert.equal(resolveClientProtocol('HTTPS', 2), 'https');
    assert.equal(resolveClientProtocol('https, http', 1), 'http');
    assert.equal(resolveClientProtocol('https, http', 2), 'https');
    assert.equal(resolveClientProtocol('gopher', 1), 'http');
    assert.equal(resolveClientProtocol(undefined, 1), 'http');
  });
});
