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

  /** Opens an older second stream, which stays open and so rules out an idle timeout as the cause. */
  async function assertEnds(stream: StreamListener, older: StreamListener): Promise<void> {
    await pass();
    await waitUntil(() => stream.isEnded());
    assert.equal(older.isEnded(), false);
    older.cut();
  }

  async function pass(): Promise<void> {
    for (let passed = 0; passed < WITHIN_MS; passed += 250) await harness.clock.advanceAsync(250);
  }

  it('ends within two seconds of the revocation, while other streams continue', async () => {
    const { key, record } = await keyService.issue({ tier: 'PRO', label: 'leaver' });
    const [other, anonymous, revoked] = [await join(harness.keys.PRO), await join(), await join(key)];
    await keyService.revoke(record.keyId);
    await assertEnds(revoked, other);
    assert.equal(anonymous.isEnded(), false);
    anonymous.cut();
  });

  it('ends when the key expires, even while the store is down', async () => {
    const { key } = await keyService.issue({
      tier: 'PRO',
      label: 'trial',
      expiresTs: harness.clock.now() + 1_500,
    });
    const [older, stream] = [await join(), await join(key)];
    await assertEnds(stream, older);
  });

  it('ends when the key is rotated, and the new key can open a new stream', async () => {
    const { key } = await keyService.issue({ tier: 'PRO', label: 'mover' });
    const [older, stream] = [await join(), await join(key)];
    const { key: newKey } = await keyService.rotate(key);
    await assertEnds(stream, older);
    const again = await join(newKey);
    assert.equal(again.response.statusCode, 200);
    again.cut();
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
