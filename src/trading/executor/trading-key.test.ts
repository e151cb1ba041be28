import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../runtime/errors.ts';
import { readTradingKey } from './trading-key.ts';

const KEY = '11'.repeat(32);
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';

describe('trading key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, `0x${KEY}\n`);
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is read from a private file, or from the environment', () => {
    chmodSync(file, 0o600);
    assert.equal(readTradingKey({ file, value: undefined }).address, ADDRESS);
    assert.equal(readTradingKey({ file: undefined, value: KEY }).address, ADDRESS);
  });

  it('is rejected from a file that others can read or write', () => {
    for (const mode of [0o640, 0o604, 0o620, 0o644]) {
      chmodSync(file, mode);
      assert.throws(() => readTradingKey({ file, value: undefined }), /can be read by others: chmod 600/);
    }
  });

  it('does not appear in the error message if malformed', () => {
    for (const value of [`${KEY}ff`, `${KEY.slice(1)}g`, `${KEY} ${KEY}`]) {
      assert.throws(
        () => readTradingKey({ file: undefined, value }),
        (error: unknown) => error instanceof UsageError && !error.message.includes('1111'),
      );
    }
  });
});
