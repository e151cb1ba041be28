import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeTempFolder } from '../../../test/support/temp-store.ts';
import { readPrivateFile } from '../../runtime/private-files.ts';
import { parseEvent, quotesOfBook } from './parse.ts';

type Level = { price: number; shares: number };

const read = (yesBids: Level[], noBids: Level[]) =>
  quotesOfBook({ ticker: 'T', yesBids, noBids }, null, 0).map(({ bid, ask, bidShares }) => [
    bid,
    ask,
    bidShares,
  ]);

describe('Kalshi prices', () => {
  it('are unknown on both sides where they cross or a size is negative', () => {
    const unknown = [
      [null, null, null],
      [null, null, null],
    ];
    const sound = [
      [0.4, 0.45, 5],
      [0.55, 0.6, 7],
    ];
    assert.deepEqual(read([{ price: 0.4, shares: 5 }], [{ price: 0.55, shares: 7 }]), sound);
    assert.deepEqual(read([{ price: 0.5, shares: 5 }], [{ price: 0.55, shares: 7 }]), unknown);
    assert.deepEqual(read([{ price: 0.4, shares: -5 }], [{ price: 0.55, shares: 7 }]), unknown);
  });

  it('are not read from an event with a negative fee', () => {
    const wire = { isExclusive: true, feeMultiplierOverride: -1, markets: [] };
    const context = { listed: { feeMultiplier: 1 }, feeChanges: [], nowTs: 0 };
    const parsed = parseEvent(
      wire as unknown as Parameters<typeof parseEvent>[0],
      context as unknown as Parameters<typeof parseEvent>[1],
    );
    assert.deepEqual(parsed, { reason: 'its fee is negative' });
  });
});

describe('a private key file', () => {
  it('is refused if others can read it', () => {
    const file = join(makeTempFolder('key'), 'key.pem');
    writeFileSync(file, 'secret', { mode: 0o600 });
    assert.equal(readPrivateFile(file), 'secret');
    chmodSync(file, 0o644);
    assert.throws(() => readPrivateFile(file), /can be read by others: chmod 600/);
  });
});
