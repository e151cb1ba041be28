// Ten thousand subscriptions each receive a post once, without delaying the capture of other posts.

import assert from 'node:assert/strict';
import { createDeliveries } from '../../src/alerts/delivery/deliveries.ts';
import { createWatcher } from '../../src/alerts/rules/watcher.ts';
import { profileOfLetter } from '../../src/domain/account-profile.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createBoard } from '../../src/state/board.ts';
import { createEmptySnapshot } from '../../src/state/snapshot.ts';
import { openWriter, toPlace } from '../../src/store/transfer/place.ts';
import { describeFreshStore, type StorePlace } from '../store/engines.ts';
import { START_TS, samplePost } from '../store/samples.ts';
import { waitUntil } from '../support/boot.ts';

const KEYS = 500;
const RECEIVERS_OF_A_KEY = 20;
const RECEIVERS = KEYS * RECEIVERS_OF_A_KEY;

/** Written directly to the store, because the API would take minutes. */
async function subscribe({ options }: StorePlace): Promise<void> {
  const writer = await openWriter(toPlace(options.databaseUrl, options.dataDir));
  await writer.insert(
    'api_keys',
    ['key_id', 'digest', 'tier', 'label', 'first_characters', 'last_characters', 'created_ts'],
    Array.from({ length: KEYS }, (_, i) => [`key${i}`, `digest${i}`, 'PRO', 'l', 'tc_pro', 'abcd', START_TS]),
  );
  await writer.insert(
    'webhooks',
    ['webhook_id', 'key_id', 'url', 'secret', 'created_ts', 'kind', 'label'],
    Array.from({ length: RECEIVERS }, (_, i) => [
      ...[`hook${i}`, `key${i % KEYS}`, `https://r${i}.example/`, 'whsec_c2VjcmV0'],
      ...[START_TS, 'webhook', ''],
    ]),
  );
  await writer.insert(
    'rules',
    ['rule_id', 'key_id', 'kind', 'channel_ids', 'most_per_hour', 'created_ts', 'topic'],
    Array.from({ length: RECEIVERS }, (_, i) => [
      ...[`rule${i}`, `key${i % KEYS}`, 'post_captured', `["hook${i}"]`, 60, START_TS, 'post.created'],
    ]),
  );
  await writer.commit();
  await writer.close();
}

describeFreshStore('ten thousand subscriptions', (test) => {
  test('each receive a post once while another post is captured', async (store, place) => {
    await subscribe(place);
    const reported = new Set<string>();
    const sent: string[] = [];
    const board = createBoard();
    let captured: Promise<number> | null = null;
    /** Resolves once the first delivery has arrived and all others are pending. */
    const capture = async () => {
      await store.posts.recordCaptures([samplePost({ postId: '2' })]);
      return reported.size;
    };
    const deliveries = createDeliveries({
      webhooks: store.webhooks,
      clock: systemClock,
      random: createRandom(1),
      logger: silentLogger,
      async send({ webhookId }, { deliveryId }) {
        captured ??= capture();
        reported.add(webhookId);
        sent.push(deliveryId);
        return { isDelivered: true, response: '204' };
      },
    });
    const watcher = createWatcher({
      accounts: [profileOfLetter('a')],
      board,
      store,
      publicUrl: '',
      defaultBankrollUsd: 100,
      clock: systemClock,
      wallClock: systemClock,
      logger: silentLogger,
      onPending: deliveries.wake,
    });
    watcher.start();
    deliveries.start();
    const empty = createEmptySnapshot('a', START_TS, []);
    // Wait until the watcher has read the subscriptions before the post arrives.
    await waitUntil(async () => (await store.webhooks.listStanding(START_TS)).length === RECEIVERS);
    board.publish({ ...empty, version: 1 });
    for (let version = 2; reported.size === 0; version++) {
      const post = samplePost({ postId: String(version) });
      board.publish({ ...empty, version, totalPosts: version, recentPosts: [post] });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await waitUntil(() => reported.size === RECEIVERS);
    assert.ok((await captured!) < RECEIVERS, 'the capture waited for all deliveries');
    await watcher.stop();
    await deliveries.stop();
    assert.equal(new Set(sent).size, sent.length, 'an alert was sent twice');
  });
});
