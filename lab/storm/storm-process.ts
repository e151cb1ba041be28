// One simulated ingest process: the real service on a clock, a store and a network that can fail.

import type { InProcessSimulator } from '../../simulator/in-process.ts';
import type { PostWebhook } from '../../src/alerts/delivery/post-guarded.ts';
import { createIngestSupervisor } from '../../src/app/ingest-supervisor.ts';
import { prepareLeaderWork } from '../../src/app/leader-work.ts';
import type { OpenSimulator } from '../../src/app/open-simulator.ts';
import { openSources } from '../../src/app/open-sources.ts';
import type { Config } from '../../src/config/config.ts';
import type { ForecastRunner } from '../../src/jobs/forecasting/forecast-runner.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { SocketLike } from '../../src/sources/socket-session.ts';
import { type Board, createBoard } from '../../src/state/board.ts';
import type { Store } from '../../src/store/ports.ts';
import { createAdvisers } from '../../src/trade/advice/adviser.ts';
import { createFaultyStore, type StoreTrouble, type StoreWatcher } from './faulty-store.ts';
import { createGate, type Gate } from './gate.ts';
import { createProcessClock, type ProcessClock } from './process-clock.ts';
import type { Quiet } from './quiet.ts';
import type { StormLog } from './storm-log.ts';

export interface StormProcessOptions {
  number: number;
  config: Config;
  openSimulator: OpenSimulator;
  network: InProcessSimulator;
  baseClock: Clock;
  store: Store;
  random: Random;
  quiet: Quiet;
  watcher: StoreWatcher;
  trouble: () => StoreTrouble;
  createRunner: () => ForecastRunner;
  log?: StormLog;
}

export interface StormProcess {
  readonly number: number;
  readonly board: Board;
  readonly clock: ProcessClock;
  readonly store: Store;
  /** Whether account a's posts are pushed, even while the timeline is down. */
  readonly isPushed: boolean;
  start(): void;
  isLeading(): boolean;
  pause(): void;
  resume(): void;
  /** The process will not become a candidate again. */
  retire(): void;
  /** kill -9: nothing else runs, nothing is cleaned up. */
  kill(): void;
  /** Stops cleanly. */
  stop(): Promise<void>;
}

export function createStormProcess(options: StormProcessOptions): StormProcess {
  const { config, openSimulator, network, quiet, random } = options;
  const clock = createProcessClock(options.baseClock);
  const gate = createGate();
  const death = new AbortController();
  const board = createBoard();
  let isRetired = false;
  const log = (line: string) => options.log?.write(`${options.number}: ${line}`);
  const store = createFaultyStore({
    ...options,
    log,
    clock,
    serverClock: options.baseClock,
    gate,
    death: death.signal,
    isRetired: () => isRetired,
  });
  const sourceOptions = {
    simulator: openSimulator,
    clock,
    random: random.fork('sources'),
    network: {
      paceClock: clock,
      async fetch(url: string, init: RequestInit) {
        const response = await fetchThrough(network, gate, quiet, death.signal, url, init);
        log(`${url} ${response.status}`);
        return response;
      },
      createSocket: (url: string) => openSocket(network, gate, quiet, death.signal, url),
    },
  };
  const build = { version: 'storm', commit: 'storm' };
  const prepare = () =>
    prepareLeaderWork({
      ...{ config, clock, store, board, build, wallClock: clock, logger: silentLogger },
      adviserOf: createAdvisers(),
      random: random.fork('ingest'),
      sources: openSources({ ...sourceOptions, config }),
      timeScale: openSimulator.speed,
      createRunner: options.createRunner,
      postWebhook: postThrough(gate, loseAlerts),
    });
  const supervisor = createIngestSupervisor({ store, clock, logger: silentLogger, prepare });

  return {
    number: options.number,
    board,
    clock,
    store,
    isPushed: config.xPush,
    start() {
      void supervisor.start();
    },
    isLeading: () => gate.isOpen() && supervisor.isLeading(),
    pause() {
      gate.shut();
      clock.pause();
    },
    resume() {
      gate.open();
      clock.resume();
    },
    retire() {
      isRetired = true;
    },
    kill() {
      gate.wallUp();
      clock.die();
      death.abort();
    },
    stop: () => supervisor.stop(),
  };
}

const loseAlerts: PostWebhook = async () => ({ status: null, problem: 'there is no network' });

function postThrough(gate: Gate, post: PostWebhook): PostWebhook {
  return async (alert) => {
    await gate.pass();
    return post(alert);
  };
}

async function fetchThrough(
  network: InProcessSimulator,
  gate: Gate,
  quiet: Quiet,
  death: AbortSignal,
  url: string,
  init: RequestInit,
): Promise<Response> {
  quiet.stir();
  await gate.pass();
  // Linked manually instead of with AbortSignal.any, which may be garbage-collected while only the
  // simulator's end of a stream uses it.
  const ending = new AbortController();
  const end = () => ending.abort();
  init.signal?.addEventListener('abort', end, { once: true });
  death.addEventListener('abort', end, { once: true });
  if (init.signal?.aborted || death.aborted) end();
  try {
    return await network.fetch(url, { ...init, signal: ending.signal });
  } finally {
    if (!isStream(url)) death.removeEventListener('abort', end);
    quiet.stir();
    await gate.pass();
  }
}

/** The body continues after fetch has returned. */
function isStream(url: string): boolean {
  return new URL(url).pathname.endsWith('/stream');
}

/** Messages to a paused process wait in its buffers. */
function openSocket(
  network: InProcessSimulator,
  gate: Gate,
  quiet: Quiet,
  death: AbortSignal,
  url: string,
): SocketLike {
  const socket = network.createSocket(url);
  death.addEventListener('abort', () => socket.close(), { once: true });
  return {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    addEventListener: (type, listener) =>
      socket.addEventListener(type, (event) => {
        quiet.stir();
        if (gate.isOpen()) listener(event);
        else void gate.pass().then(() => listener(event));
      }),
  };
}
