// Entry point of the past's thread: reads the venue's past, recomputes forecasts and learns from them. It reads the
// store on its own connection and writes through the leader's writer.

import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { SECOND_MS } from '../domain/units.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRandom, randomSeed } from '../runtime/random.ts';
import { borrowStore } from '../store/open-store.ts';
import { openPastHere } from './open-past.ts';
import { openSources } from './open-sources.ts';
import type { FromPast, PastThreadData, ToPast } from './past-messages.ts';

const RESTING_EVERY_MS = 2 * SECOND_MS;

const port = parentPort!;
const { plan, config, simulator, clock: given, store: lent } = workerData as PastThreadData;
const tell = (message: FromPast) => port.postMessage(message);

// On Linux the priority applies to this thread; elsewhere it would apply to the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const logTo =
  (level: 'debug' | 'info' | 'warn' | 'error', bindings: object) => (details: object, message: string) =>
    tell({ kind: 'log', level, details: { ...bindings, ...details }, message });

function createLogger(bindings: object): Logger {
  return {
    ...{ debug: logTo('debug', bindings), info: logTo('info', bindings) },
    ...{ warn: logTo('warn', bindings), error: logTo('error', bindings) },
    child: (more) => createLogger({ ...bindings, ...more }),
  };
}

const logger = createLogger({});
const clock = given.speed === 1 ? systemClock : createSimulatorClock(given.nowTs, given.speed);
// Without its writer the thread ends, and the service starts another one.
const store = await borrowStore(lent, logger, () => process.exit(1));
const sources = openSources({ config, simulator, clock, random: createRandom(randomSeed()) });
const past = openPastHere(
  {
    ...{ ...plan, store, clock, logger },
    onEvidence: (accountId, evidence) => tell({ kind: 'evidence', accountId, evidence }),
  },
  { sources },
);

async function stop(): Promise<void> {
  await past.stop();
  await store.close();
  process.exit(0);
}

port.on('message', (message: ToPast) => {
  if (message.kind === 'complete') past.noteHistoryComplete(message.accountId);
  else if (message.kind === 'settled') past.noteSettled();
  else void stop();
});
past.start();
setInterval(() => past.isResting() && tell({ kind: 'resting' }), RESTING_EVERY_MS);
