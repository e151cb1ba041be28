import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameOrigin } from './same-origin.ts';

const OWN = '127.0.0.1:8080';

describe('same-origin check', () => {
  it('accepts requests without a browser, or from the address they are sent to', () => {
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
    ['an origin that is no address', { host: OWN, origin: 'x' }],
    ['another site, by the browser header', { host: OWN, 'sec-fetch-site': 'cross-site' }],
    ['a neighbour, by the browser header', { host: OWN, 'sec-fetch-site': 'same-site' }],
    ['a name that was rebound', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }],
    ['a name that was rebound, without an origin', { host: 'evil.example' }],
    ['nowhere', {}],
  ] as const) {
    it(`rejects ${what}`, () => assert.ok(!isSameOrigin(headers, '')));
  }
});
