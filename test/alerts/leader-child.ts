// The alerting part of a leader: the service's watcher and deliveries on a real store, fed by the parent
// process. Run as: node test/alerts/leader-child.ts DATA_DIR [DATABASE_URL]; killed with SIGKILL.

import { flushCompileCache } from 'node:module';
import { createDeliveries } from '../../src/alerts/delivery/deliveries.ts';
import { createLocalPost } from '../../src/alerts/delivery/post-guarded.ts';
import { createSendByKind, createWebhookSender } from '../../src/alerts/delivery/send-alert.ts';
import { createWatcher } from '../../src/alerts/rules/watcher.ts';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { silentLogger as logger } from '../../src/runtime/logger.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createBoard } from '../../src/state/board.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ACCOUNT, createTruthSnapshot, type Truth } from './truth.ts';

const [dataDir, databaseUrl] = process.argv.slice(2);
const store = await openStore({ dataDir: dataDir!, databaseUrl, clock, logger });
await store.lead(new AbortController().signal);
const board = createBoard();
const deliveries = createDeliveries({
  ...{ webhooks: store.webhooks, clock, random: createRandom(1), logger },
  send: createSendByKind({ webhook: createWebhookSender(createLocalPost(), clock) }),
});
const watcher = createWatcher({
  ...{ accounts: [ACCOUNT], board, store, defaultBankrollUsd: 1_000, publicUrl: '' },
  ...{ clock, wallClock: clock, logger, onPending: () => deliveries.wake() },
});
process.on('message', (truth: Truth) => board.publish(createTruthSnapshot(truth, clock.now())));
process.on('disconnect', () => process.exit());
watcher.start();
deliveries.start();
// SIGKILL prevents the usual save on exit, so saves the compile cache for the next process now.
flushCompileCache();
process.send!('ready');
