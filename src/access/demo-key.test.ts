import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../runtime/clock.ts';
import { createDemoKey, DEMO_LABEL, revokeLeftDemoKeys } from './demo-key.ts';
import { createKeyService } from './key-service.ts';
import { memoryKeys } from './memory-keys.test-support.ts';

describe('demo key', () => {
  it('is the same PRO key for every request', async () => {
    const { keys, records } = memoryKeys();
    const demo = createDemoKey(keys, systemClock);
    const handed = await Promise.all([demo.hand(), demo.hand()]);
    handed.push(await demo.hand());
    assert.equal(new Set(handed).size, 1);
    assert.match(handed[0]!, /^tc_pro_/);
    assert.deepEqual(
      records.map(({ tier, label }) => [tier, label]),
      [['PRO', DEMO_LABEL]],
    );
  });

  it('is reissued after a revocation', async () => {
    const { keys, records } = memoryKeys();
    const demo = createDemoKey(keys, systemClock);
    const first = await demo.hand();
    await demo.revoke();
    assert.notEqual(records[0]!.revokedTs, null);
    assert.notEqual(await demo.hand(), first);
  });

  it('is revoked at the next start if the process was killed, and other keys are not', async () => {
    const { keys, records } = memoryKeys();
    await createDemoKey(keys, systemClock).hand();
    await createKeyService(keys, systemClock).issue({ tier: 'PRO', label: 'mine' });
    await revokeLeftDemoKeys(keys, systemClock);
    assert.deepEqual(
      records.map(({ label, revokedTs }) => [label, revokedTs === null]),
      [
        [DEMO_LABEL, false],
        ['mine', true],
      ],
    );
  });
});
