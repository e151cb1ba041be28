import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inTurn, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import { createWalletSource } from './client.ts';
import { parsePositions } from './parse.ts';

const WALLET = `0x${'ab'.repeat(20)}`;

function position(asset: string, fields: object = {}): object {
  return {
    proxyWallet: WALLET,
    asset,
    conditionId: '0xc1',
    size: 42,
    avgPrice: 0.3,
    initialValue: 12.6,
    currentValue: 16.8,
    curPrice: 0.4,
    outcome: 'No',
    outcomeIndex: 1,
    eventSlug: 'some-event',
    redeemable: false,
    ...fields,
  };
}

describe('positions of a wallet', () => {
  it('keep their side, and do without an event id', () => {
    assert.deepEqual(parsePositions([position('7')], WALLET), [
      {
        wallet: WALLET,
        tokenId: '7',
        conditionId: '0xc1',
        eventId: null,
        eventSlug: 'some-event',
        side: 'No',
        shares: 42,
        avgPrice: 0.3,
        costUsd: 12.6,
        currentPrice: 0.4,
        currentValueUsd: 16.8,
        isRedeemable: false,
      },
    ]);
    assert.equal(parsePositions([position('7', { eventId: '90', outcome: 'Yes' })], WALLET)[0]!.eventId, 90);
  });

  it('leave out empty holdings, other kinds of outcome and what cannot be read', () => {
    const values = [
      position('1', { size: 0 }),
      position('2', { outcome: 'Up' }),
      position('3', { size: 'x' }),
      null,
    ];
    assert.deepEqual(parsePositions(values, WALLET), []);
  });

  it('are paged to the end with a threshold of nothing, each token once', async () => {
    const full = Array.from({ length: 500 }, (_, index) => position(String(index)));
    const { http, asked } = scriptHttp({ '/positions': inTurn(full, [position('499'), position('500')]) });
    const found = await createWalletSource(http).fetchPositions(WALLET, never());
    assert.equal(found.length, 501);
    assert.equal(asked[1]!.url.search, `?user=${WALLET}&sizeThreshold=0&limit=500&offset=500`);
  });

  it('never throw while being read', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => void parsePositions(values, WALLET)));
  });
});
