// Simulator process for a service without live sources. Started by the service, never manually.

import { setPriority } from 'node:os';
import { loadSimulator, type OpenSimulator, startOwnSimulator } from '../app/open-simulator.ts';
import type { FromSimulator, ToSimulator } from '../app/simulator-process.ts';
import { systemClock } from '../runtime/clock.ts';
import { errorMessage, installLastWords } from '../runtime/errors.ts';
import { openLogger } from '../runtime/open-logger.ts';

installLastWords();

// Loaded before the service requests it, so that both start in parallel.
void loadSimulator();

const SIMULATOR_NICENESS = 10;

let starting: Promise<OpenSimulator> | null = null;

function say(message: FromSimulator): void {
  if (process.connected) process.send!(message);
}

function describe({ urls, clock, speed }: OpenSimulator): FromSimulator {
  const facts = { speed, timestamp: clock.now() };
  return { kind: 'ready', url: urls.base, isWallTime: clock === systemClock, facts };
}

/** The first view waits for the open events, so they are drawn before the service requests them. */
async function drawPast({ simulator, urls }: OpenSimulator): Promise<void> {
  const request = new Request(`${urls.gamma}/events/keyset?closed=false&limit=100`);
  // A simulated fault may refuse it.
  await simulator!.fetch(request).catch(() => {});
  // Where cores are few, the service's own responses come first.
  setPriority(SIMULATOR_NICENESS);
}

process.on('message', (message: ToSimulator) => {
  if (message.kind === 'begin') {
    starting = startOwnSimulator(message.config, openLogger(message.config));
    starting
      .then((simulator) => {
        say(describe(simulator));
        return drawPast(simulator);
      })
      .catch((error: unknown) => say({ kind: 'failed', problem: errorMessage(error) }));
    return;
  }
  const closing = starting?.then((simulator) => simulator.close()) ?? Promise.resolve();
  void closing.finally(() => process.exit(0));
});

// The service is gone. Exit, so that its next start finds no second process writing the simulator's file.
process.on('disconnect', () => process.exit(0));
// A terminal signals the whole process group, but the service decides when this process stops.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
