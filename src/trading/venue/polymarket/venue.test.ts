import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { systemClock } from '../../../runtime/clock.ts';
import { openPolymarketVenue } from './venue.ts';

const KEY = { apiKey: 'key-1', secret: Buffer.from('secret').toString('base64'), passphrase: 'words' };

function open(answers: readonly string[]) {
  const account = privateKeyToAccount(generatePrivateKey());
  const asked: string[] = [];
  const left = [...answers];
  const opening = openPolymarketVenue({
    url: 'http://exchange',
    geoblockUrl: null,
    identity: { account, wallet: account.address, signatureType: 0 },
    feePaidIn: 'shares',
    clock: systemClock,
    fetch: async (url) => {
      asked.push(new URL(String(url)).pathname);
      return new Response(left.shift());
    },
  });
  return { opening, asked };
}

describe('API key of the venue', () => {
  it('is derived when the answer to its creation was truncated', async () => {
    const { opening, asked } = open(['{"apiKey":"ke', JSON.stringify(KEY)]);
    await opening;
    assert.deepEqual(asked, ['/auth/api-key', '/auth/derive-api-key']);
  });

  it('is never an unreadable answer', async () => {
    await assert.rejects(open(['<html>', '<html>']).opening, /no API key: 200 without a reason/);
  });
});
