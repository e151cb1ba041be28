// The interface alone on a fixed board: the whole request path, no ingestion. Limits are raised, because a
// generator sends more in a second than a caller may in an hour; they are still counted.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyDesk } from '../../../src/access/key-desk.ts';
import { DEFAULT_LIMITS } from '../../../src/access/limiter.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { WalletPosition } from '../../../src/domain/position.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { createRandom } from '../../../src/runtime/random.ts';
import { createApi } from '../../../src/server/server.ts';
import { DEFAULT_USAGE } from '../../../src/server/usage/usage-recorder.ts';
import { applyObservation } from '../../../src/state/apply-observation.ts';
import { createBoard } from '../../../src/state/board.ts';
import type { AccountSnapshot, CryptoSnapshot } from '../../../src/state/snapshot.ts';
import { openStore } from '../../../src/store/open-store.ts';

export interface OursHello {
  port: number;
  keys: Record<'FREE' | 'PRO' | 'INTERNAL', string>;
}

export type OursQuestion = { kind: 'publish' } | { kind: 'upstream-calls' };

const UPSTREAM_MS = 25;
const MANY = 1_000_000_000;

const { snapshots, crypto } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  snapshots: AccountSnapshot[];
  crypto: CryptoSnapshot | null;
};
const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-bench-'));
const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
const board = createBoard();
for (const snapshot of snapshots) board.publish(snapshot);
if (crypto) board.publishCrypto(crypto);
const desk = createKeyDesk(store.keys, systemClock);
let upstreamCalls = 0;

const api = createApi({
  accounts: loadConfig([], {}).accounts,
  board,
  store,
  walletSource: {
    async fetchPositions(wallet) {
      upstreamCalls += 1;
      await new Promise((resolve) => setTimeout(resolve, UPSTREAM_MS));
      return listPositions(wallet);
    },
  },
  clock: systemClock,
  random: createRandom(1),
  logger: silentLogger,
  settings: {
    trustedProxyHops: 0,
    publishText: true,
    blankTextOnDeletion: false,
    defaultBankrollUsd: 1000,
    priceUsd: 0.01,
    limits: { ...DEFAULT_LIMITS, freePerHour: MANY, proPerHour: MANY },
    bodyLimitBytes: 65_536,
    usage: DEFAULT_USAGE,
    webRoot: null,
  },
  build: { version: '1.0.0', commit: 'bench' },
  payments: null,
});

/** Yes and No of three buckets of every event. */
function listPositions(wallet: string): WalletPosition[] {
  return snapshots.flatMap(({ events }) =>
    events.flatMap(({ event }) =>
      event.buckets.slice(2, 5).map((bucket, i) => ({
        wallet,
        tokenId: i % 2 === 0 ? bucket.yesTokenId : bucket.noTokenId,
        conditionId: bucket.conditionId,
        eventId: event.eventId,
        eventSlug: event.slug,
        side: i % 2 === 0 ? ('Yes' as const) : ('No' as const),
        shares: 100,
        avgPrice: 0.2,
        costUsd: 20,
        currentPrice: 0.3,
        currentValueUsd: 30,
        isRedeemable: false,
      })),
    ),
  );
}

/** One more oracle reading: a counter of every event of account A changes. */
function publish(): { version: number; atNs: string } {
  const current = board.find('a')!;
  const readings = current.events.map(({ event, counters }) => ({
    eventId: event.eventId,
    count: (counters.oracle ?? 0) + 1,
  }));
  const observedTs = systemClock.now();
  const next = applyObservation(
    current,
    { kind: 'counts-read', feed: 'oracle', readings, observedTs },
    observedTs,
  );
  const atNs = process.hrtime.bigint().toString();
  board.publish(next);
  return { version: next.version, atNs };
}

function answer(question: OursQuestion): object {
  return question.kind === 'publish' ? publish() : { calls: upstreamCalls };
}

process.on('message', (question: OursQuestion) => {
  process.send!(answer(question));
});
process.once('SIGTERM', async () => {
  await api.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.disconnect();
});

const keys = {} as OursHello['keys'];
for (const tier of ['FREE', 'PRO', 'INTERNAL'] as const) {
  keys[tier] = (await desk.issue({ tier, label: 'bench' })).key;
}
const { port } = await api.listen({ host: '127.0.0.1', port: 0 });
process.send!({ port, keys } satisfies OursHello);
