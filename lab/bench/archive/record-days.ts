// Records simulated time into a store: runs the ingesting service and the API in this process on a manual
// clock, and reads responses in the last millisecond of every hour, when nothing is in progress.

import type { InProcessSimulator } from '../../../simulator/in-process.ts';
import { PRICE_SOCKET_PATH } from '../../../simulator/urls.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import { createInlineRunner } from '../../../src/jobs/forecasting/forecast-runner.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createStage } from '../../storm/stage.ts';
import { createStormProcess } from '../../storm/storm-process.ts';
import { type ServedStore, serveStore } from '../core/serve-store.ts';

/** Every poll runs once per step. */
const STEP_MS = HOUR_MS;
/**
 * At this speed a one-second timeout exceeds a step; streamed prices arrive at varying times in each step.
 */
const SPEED = 3_607;
/** Crypto prices are not exported, so their stream never opens. */
const CLOSED_SOCKET = { send() {}, close() {}, addEventListener() {} };

export type Ask = <T>(path: string) => Promise<T>;

export interface RecordingOptions {
  dataDir: string;
  hours: number;
  seed: number;
  onHour(ask: Ask, nowTs: number): Promise<void>;
  onEnd(ask: Ask): Promise<void>;
}

export async function recordDays({ dataDir, hours, seed, onHour, onEnd }: RecordingOptions): Promise<void> {
  const stage = createStage(seed, { speed: SPEED });
  const { clock, quiet, network } = stage;
  const store = await openStore({ dataDir, clock, logger: silentLogger });
  const recorder = createStormProcess({
    ...stage,
    ...{ number: 1, store, watcher: stage.ledger.watcher, baseClock: clock },
    network: { ...network, createSocket: withoutCrypto(network) },
    trouble: () => ({ kind: 'none' }),
    createRunner: createInlineRunner,
  });
  const served = await serveStore(store, clock, recorder.board);
  const ask = createAsk(served);
  recorder.start();
  await quiet.settle();
  await stage.live(HOUR_MS - 1, STEP_MS);
  for (let hour = 1; hour <= hours; hour++) {
    await stage.live(HOUR_MS, STEP_MS);
    await onHour(ask, clock.now());
  }
  await onEnd(ask);
  await served.close();
  await recorder.stop();
  await store.close();
}

function createAsk({ port, key }: ServedStore): Ask {
  return async (path) => {
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    const response = await fetch(url, { headers: { 'X-API-Key': key } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return response.json();
  };
}

function withoutCrypto({ createSocket }: InProcessSimulator): InProcessSimulator['createSocket'] {
  return (url, headers) => (url.includes(PRICE_SOCKET_PATH) ? CLOSED_SOCKET : createSocket(url, headers));
}
