import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePayment } from './parse-payment.ts';

const AUTHORIZATION = {
  from: `0x${'aB'.repeat(20)}`,
  to: `0x${'12'.repeat(20)}`,
  value: '10000',
  validAfter: '0',
  validBefore: '1800000000',
  nonce: `0x${'0f'.repeat(32)}`,
};
const PAYLOAD = { signature: `0x${'11'.repeat(65)}`, authorization: AUTHORIZATION };
const V1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: PAYLOAD };
const V2 = { x402Version: 2, accepted: { scheme: 'exact', network: 'eip155:8453' }, payload: PAYLOAD };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('parsePayment', () => {
  it('parses both protocol versions', () => {
    for (const [sent, network] of [
      [V1, 'base'],
      [V2, 'eip155:8453'],
    ] as const) {
      const parsed = parsePayment(encode(sent));
      assert.ok(parsed.ok);
      assert.equal(parsed.payment.network, network);
      assert.deepEqual(parsed.payment.authorization, AUTHORIZATION);
      assert.equal(parsed.payment.signature, PAYLOAD.signature);
    }
  });

  it('reports which field is invalid', () => {
    const wrong: [string, unknown][] = [
      ['from', '0x12'],
      ['to', 7],
      ['value', '1e4'],
      ['value', '-1'],
      ['value', '0x10'],
      ['value', '01'],
      ['value', 10000],
      ['value', String(2n ** 256n)],
      ['validBefore', 'soon'],
      ['validAfter', null],
      ['nonce', '0x00'],
    ];
    for (const [field, value] of wrong) {
      const payload = { ...PAYLOAD, authorization: { ...AUTHORIZATION, [field]: value } };
      const parsed = parsePayment(encode({ ...V1, payload }));
      assert.ok(!parsed.ok && parsed.reason.includes(field), `${field}=${value}`);
    }
  });

  it('rejects values that only resemble a payment', () => {
    const strange = ['', '=', 'null', '[]', '{}', 'YQ', '%', 'a'.repeat(20_000), encode(null), encode('x')];
    for (const header of strange) assert.equal(parsePayment(header).ok, false, header.slice(0, 20));
    assert.equal(parsePayment(encode({ ...V2, accepted: undefined })).ok, false);
    assert.equal(parsePayment(encode({ ...V1, payload: { ...PAYLOAD, signature: '0x' } })).ok, false);
    assert.equal(parsePayment(encode({ ...V1, x402Version: '1' })).ok, false);
  });

  it('accepts smart-wallet signatures up to the largest size that real wallets produce', () => {
    const signed = (bytes: number) => ({ ...PAYLOAD, signature: `0x${'11'.repeat(bytes)}` });
    assert.equal(parsePayment(encode({ ...V1, payload: signed(1_024) })).ok, true);
    assert.equal(parsePayment(encode({ ...V1, payload: signed(1_025) })).ok, false);
  });
});
