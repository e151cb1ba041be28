import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normaliseAddress, resolveClientAddress, resolveClientProtocol } from './client-address.ts';
import { digestKey, generateKey, isWellFormedKey } from './key-service.ts';

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
