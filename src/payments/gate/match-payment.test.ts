import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resolvePaymentSettings } from '../payment-gate.ts';
import { matchPayment } from './match-payment.ts';
import type { SentPayment } from './parse-payment.ts';
import { createPaymentTerms } from './payment-terms.ts';

const NOW_TS = Date.UTC(2026, 10, 15);
const PAY_TO = '0x00000000000000000000000000000000000000Aa';
const ROUTE = {
  method: 'GET',
  pattern: '/a',
  priceUsd: 0.01,
  url: 'http://localhost/a',
  description: 'a',
} as const;
const terms = createPaymentTerms(
  resolvePaymentSettings({
    network: 'eip155:84532',
    payTo: PAY_TO,
    facilitatorUrl: 'http://localhost/',
    maxTimeoutSeconds: 300,
  }),
);
const OFFER = terms.v2(ROUTE);

function paymentFor(accepted: unknown): SentPayment {
  return {
    version: 2,
    network: OFFER.network,
    scheme: 'exact',
    signature: `0x${'11'.repeat(65)}`,
    accepted,
    authorization: {
      from: '0x00000000000000000000000000000000000000bb',
      to: PAY_TO,
      value: OFFER.amount,
      validAfter: '0',
      validBefore: String(NOW_TS / 1000 + 300),
      nonce: `0x${'22'.repeat(32)}`,
    },
  };
}

const isMatch = (accepted: unknown) => matchPayment(terms, paymentFor(accepted), ROUTE, NOW_TS).ok;

describe('offer echoed in a payment', () => {
  it('matches even if addresses differ in letter case or `extra` has more fields', () => {
    assert.ok(isMatch(OFFER));
    assert.ok(isMatch({ ...OFFER, asset: OFFER.asset.toLowerCase(), payTo: PAY_TO.toUpperCase() }));
    assert.ok(isMatch({ ...OFFER, extra: { ...OFFER.extra, more: [1] } }));
  });

  it('is rejected if any field is changed, missing or added', () => {
    for (const name of [
      'scheme',
      'network',
      'amount',
      'asset',
      'payTo',
      'maxTimeoutSeconds',
      'extra',
    ] as const) {
      const { [name]: _, ...rest } = OFFER;
      assert.equal(isMatch(rest), false, `without ${name}`);
      assert.equal(isMatch({ ...OFFER, [name]: 'other' }), false, `another ${name}`);
    }
    assert.equal(isMatch({ ...OFFER, extra: { ...OFFER.extra, version: '0' } }), false);
    assert.equal(isMatch({ ...OFFER, discount: 1 }), false);
    assert.equal(isMatch({ ...OFFER, maxTimeoutSeconds: '300' }), false);
  });

  it('never makes the check throw', () => {
    const deep = JSON.parse(`${'['.repeat(7_000)}${']'.repeat(7_000)}`);
    const names = fc.constantFrom('asset', 'payTo', 'amount', 'extra', 'name', 'toString', '__proto__');
    const odd = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: null }), fc.constant(deep));
    fc.assert(
      fc.property(names, odd, (name, value) => {
        assert.equal(typeof isMatch({ ...OFFER, [name]: value }), 'boolean');
        assert.equal(isMatch(value), false);
      }),
    );
  });
});
