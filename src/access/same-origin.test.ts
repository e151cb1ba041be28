import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameOrigin } from './client-address.ts';

const OWN = '127.0.0.1:8080';

describe('same-origin check', () => {
  it("accepts requests from outside a browser or from the service's own page", () => {
    assert.ok(isSameOrigin({ host: OWN }, ''));
    assert.ok(isSameOrigin({ host: OWN, origin: `http://${OWN}`, 'sec-fetch-site': 'same-origin' }, ''));
    assert.ok(isSameOrigin({ host: 'localhost:8080', origin: 'http://localhost:8080' }, ''));
    assert.ok(isSameOrigin({ host: '[::1]:8080', origin: 'http://[::1]:8080' }, ''));
    assert.ok(isSameOrigin({ host: '192.0.2.7:80', origin: 'http://192.0.2.7' }, ''));
  });

  it('accepts the public address if the operator configured one', () => {
    const headers = { host: 'demo.example.org', origin: 'https://demo.example.org' };
    assert.ok(isSameOrigin(headers, 'https://demo.example.org'));
    assert.ok(!isSameOrigin(headers, ''));
    assert.ok(isSameOrigin({ host: '10.0.0.2:8080', origin: headers.origin }, 'https://demo.example.org'));
  });

  for (const [what, headers] of [
    ['another origin', { host: OWN, origin: 'https://evil.example' }],
    ['the same machine on another port', { host: OWN, origin: 'http://127.0.0.1:9' }],
    ['a page without an origin', { host: OWN, origin: 'null' }],
    ['an origin that is not a URL', { host: OWN, origin: 'x' }],
    ['a cross-site Sec-Fetch-Site header', { host: OWN, 'sec-fetch-site': 'cross-site' }],
    ['a same-site Sec-Fetch-Site header', { host: OWN, 'sec-fetch-site': 'same-site' }],
    ['a DNS-rebound host name', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
    ['a DNS-rebound host name without an origin', { host: 'evil.example' }],
    ['a request without headers', {}],
  ] as const) {
    it(`rejects ${what}`, () => assert.ok(!isSameOrigin(headers, '')));
  }
});
