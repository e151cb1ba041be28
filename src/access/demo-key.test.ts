import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../runtime/clock.ts';
import type { ApiKeyRecord, KeyStore } from '../store/ports.ts';
import { createDemoKey, DEMO_LABEL, revokeLeftDemoKeys } from './demo-key.ts';
import { createKeyService } from './key-service.ts';

/** In-memory keys with only the store methods under test. */
function createKeys(): KeyStore & { rows: ApiKeyRecord[] } {
  const rows: ApiKeyRecord[] = [];
  return {
    rows,
    insert: async (record: ApiKeyRecord) => void rows.push({ ...record }),
    list: async () => rows,
    findById: async (keyId: string) => rows.find((row) => row.keyId === keyId) ?? null,
    revoke: async (keyId: string, ts: number) => {
      rows.find((row) => row.keyId === keyId)!.revokedTs = ts;
    },
  } as unknown as KeyStore & { rows: ApiKeyRecord[] };
}

describe('demo key', () => {
  it('is the same PRO key for every request', async () => {
    const keys = createKeys();
    const demo = createDemoKey(keys, systemClock);
    const handed = await Promise.all([demo.hand(), demo.hand()]);
    handed.push(await demo.hand());
    assert.equal(new Set(handed).size, 1);
    assert.match(handed[0]!, /^tc_pro_/);
    assert.deepEqual(
      keys.rows.map(({ tier, label }) => [tier, label]),
      [['PRO', DEMO_LABEL]],
    );
  });

  it('is reissued after a revocation', async () => {
    const keys = createKeys();
    const demo = createDemoKey(keys, systemClock);
    const first = await demo.hand();
    await demo.revoke();
    assert.notEqual(keys.rows[0]!.revokedTs, null);
    assert.notEqual(await demo.hand(), first);
  });

  it('is revoked at the next start if the process was killed, and other keys are not', async () => {
    const keys = createKeys();
    await createDemoKey(keys, systemClock).hand();
    await createKeyService(keys, systemClock).issue({ tier: 'PRO', label: 'mine' });
    await revokeLeftDemoKeys(keys, systemClock);
    assert.deepEqual(
      keys.rows.map(({ label, revokedTs }) => [label, revokedTs === null]),
      [
        [DEMO_LABEL, false],
        ['mine', true],
      ],
    );
  });
});
