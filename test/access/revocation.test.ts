// Revoking, rotating or expiring a key ends everything started with it, not just its next call.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKeyService, type KeyService } from '../../src/access/key-service.ts';
import type { Store } from '../../src/store/ports.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { listen, type StreamListener } from '../stream/sse.ts';
import { waitUntil } from '../support/boot.ts';

/** Maximum time a replica may take to notice. */
const WITHIN_MS = 2_000;

describe('a stream opened with a key that becomes invalid', () => {
  let harness: Harness;
  let keyService: KeyService;
  before(async () => {
    harness = await startHarness();
    keyService = createKeyService(harness.store.keys, harness.clock);
  });
  after(() => harness.close());

  async function join(key?: string): Promise<StreamListener> {
    const stream = await listen(
      `http://127.0.0.1:${harness.port}/api/v1/stream/account_a`,
      key ? { key } : {},
    );
    await stream.hear(1);
    return stream;
  }

  const WAYS: Record<string, (keyId: string, key: string) => Promise<unknown>> = {
    'is revoked': (keyId) => keyService.revoke(keyId),
    'is rotated': (_, key) => keyService.rotate(key),
    // Even while the store cannot be asked.
    expires: async () => {},
  };
  for (const [way, end] of Object.entries(WAYS))
    it(`ends within two seconds when the key ${way}, while other streams continue`, async () => {
      const expiry = way === 'expires' ? { expiresTs: harness.clock.now() + 1_500 } : {};
      const { key, record } = await keyService.issue({ tier: 'PRO', label: 'leaver', ...expiry });
      // The older streams rule out an idle timeout as the cause.
      const others = [await join(harness.keys.PRO), await join()];
      const stream = await join(key);
      await end(record.keyId, key);
      for (let passed = 0; passed < WITHIN_MS; passed += 250) await harness.clock.advanceAsync(250);
      await waitUntil(() => stream.isEnded());
      for (const other of others) {
        assert.equal(other.isEnded(), false);
        other.cut();
      }
    });
});

describe('a replica that lost its store connection', () => {
  it('applies a revocation once it reconnects, even after an hour', async () => {
    let isAway = false;
    const harness = await startHarness({ wrapStore: (store) => cutOffKeys(store, () => isAway) });
    try {
      const { key, keyId } = await harness.issue('PRO');
      const status = async () => (await harness.call('/signals/account_a', { key })).status;
      assert.equal(await status(), 200);
      isAway = true;
      await harness.revoke(keyId);
      for (let minutes = 0; minutes < 61; minutes++) await harness.clock.advanceAsync(60_000);
      assert.equal(await status(), 200);
      isAway = false;
      for (let passed = 0; passed < WITHIN_MS; passed += 250) await harness.clock.advanceAsync(250);
      await waitUntil(async () => (await status()) === 401);
    } finally {
      await harness.close();
    }
  });
});

function cutOffKeys(store: Store, isAway: () => boolean): Store {
  const keys = new Proxy(store.keys, {
    get(target, name: keyof Store['keys']) {
      return isAway() ? () => Promise.reject(new Error('the store is unavailable')) : target[name];
    },
  });
  return { ...store, keys };
}
