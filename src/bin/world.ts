// The pretend world as a process of its own: prints its addresses as one line of JSON and stays until stopped.

import { parseArgs } from 'node:util';
import { DAY_MS } from '../domain/units.ts';
import { systemClock } from '../runtime/clock.ts';
import { errorMessage, UsageError } from '../runtime/errors.ts';
import { describeFaults, parseFault } from '../world/faults/fault-registry.ts';
import { startWorldServer } from '../world/server.ts';
import { DEFAULT_WORLD_SEED, HISTORY_DAYS } from '../world/state-file.ts';
import { createWorld } from '../world/world.ts';
import { createWorldClock } from '../world/world-clock.ts';

const USAGE = `Usage: world [--seed N] [--speed N] [--port P] [--anchor TS] [--start TS] [--crowd noisy|informed]
             [--platform-delay none|measured] [--fault NAME[=VALUE]]...   (--fault help lists them)`;

try {
  await main();
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(DEFAULT_WORLD_SEED) },
      speed: { type: 'string', default: '1' },
      port: { type: 'string', default: '0' },
      anchor: { type: 'string' },
      start: { type: 'string' },
      crowd: { type: 'string', default: 'noisy' },
      'platform-delay': { type: 'string', default: 'none' },
      fault: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.fault.includes('help')) return console.log(describeFaults());
  const startTs = values.start === undefined ? systemClock.now() : readTime('--start', values.start);
  const clock = createWorldClock(startTs, readNumber('--speed', values.speed));
  const world = createWorld({
    seed: readNumber('--seed', values.seed),
    anchorTs:
      values.anchor === undefined
        ? Math.floor(startTs / DAY_MS - HISTORY_DAYS) * DAY_MS
        : readTime('--anchor', values.anchor),
    clock,
    crowd: values.crowd === 'informed' ? 'informed' : 'noisy',
    platformDelay: values['platform-delay'] === 'measured' ? 'measured' : 'none',
    faults: values.fault.map(parseFault),
  });
  world.now();
  const server = await startWorldServer(world, { port: readNumber('--port', values.port) });
  const { seed, anchorTs, demoWallet, accounts } = world;
  console.log(
    JSON.stringify({ seed, anchorTs, speed: clock.speed, urls: server.urls, demoWallet, accounts }),
  );
  const stop = () => void server.close();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new UsageError(`${name}: "${text}" is not a number`);
  return value;
}

/** UTC milliseconds, or an ISO time. */
function readTime(name: string, text: string): number {
  const ts = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(ts)) throw new UsageError(`${name}: "${text}" is not a time`);
  return ts;
}
