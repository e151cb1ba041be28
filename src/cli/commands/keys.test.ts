import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestKey, isWellFormedKey } from '../../access/key-service.ts';
import { memoryKeys } from '../../access/memory-keys.test-support.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import { runKeysCommand } from './keys.ts';

function createDesk() {
  const { records, keys } = memoryKeys();
  const printed: string[] = [];
  const reported: string[] = [];
  const run = (...args: string[]) =>
    runKeysCommand(args, {
      keys,
      clock: createManualClock(1_000),
      print: (line) => void printed.push(line),
      report: (line) => void reported.push(line),
    });
  return { records, printed, reported, run };
}

describe('keys command', () => {
  it('prints only the key to stdout, stores only its digest, and reports the id', async () => {
    const { records, printed, reported, run } = createDesk();
    await run('issue', '--tier', 'pro', '--label', 'desk');
    assert.equal(printed.length, 1);
    assert.ok(isWellFormedKey(printed[0]!));
    assert.equal(records[0]!.digest, digestKey(printed[0]!));
    assert.ok(!JSON.stringify(records).includes(printed[0]!));
    assert.ok(reported[0]!.includes(records[0]!.keyId));
    assert.equal(records[0]!.lastCharacters, printed[0]!.slice(-4));
  });

  it('revokes by key or by id, and refuses to revoke a key twice', async () => {
    const { records, printed, run } = createDesk();
    await run('issue', '--tier', 'FREE', '--label', 'one');
    await run('issue', '--tier', 'FREE', '--label', 'two');
    await run('revoke', printed[0]!);
    await run('revoke', records[1]!.keyId);
    assert.ok(records.every(({ revokedTs }) => revokedTs === 1_000));
    await assert.rejects(run('revoke', printed[0]!), UsageError);
    await assert.rejects(run('revoke', 'key_none'), UsageError);
  });

  it('rotates a key: the new key keeps tier and label, and the old one is revoked', async () => {
    const { records, printed, run } = createDesk();
    await run('issue', '--tier', 'INTERNAL', '--label', 'ops');
    await run('rotate', printed[0]!);
    assert.equal(records.length, 2);
    assert.equal(records[1]!.tier, 'INTERNAL');
    assert.equal(records[1]!.label, 'ops');
    assert.equal(records[0]!.revokedTs, 1_000);
    assert.notEqual(printed[1], printed[0]);
  });

  it('lists keys without their digests', async () => {
    const { printed, records, run } = createDesk();
    await run('issue', '--tier', 'PRO', '--label', 'desk');
    await run('list', '--json');
    assert.ok(!printed[1]!.includes(records[0]!.digest));
    assert.equal(JSON.parse(printed[1]!)[0].label, 'desk');
  });

  it('reports an invalid argument', async () => {
    const { run } = createDesk();
    await assert.rejects(run('issue', '--tier', 'GOLD', '--label', 'x'), /--tier is GOLD/);
    await assert.rejects(run('issue', '--tier', 'PRO'), /--label is missing/);
    await assert.rejects(
      run('issue', '--tier', 'PRO', '--label', 'x', '--expires-in-days', 'soon'),
      /--expires/,
    );
    await assert.rejects(run('steal'), UsageError);
    await assert.rejects(run(), UsageError);
  });
});
