// A store, as seen by one process, that can be slow, full, down, hanging, paused or dead, or lose its
// responses.

import type { CapturedPost } from '../../src/domain/post.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { sleep } from '../../src/runtime/clock.ts';
import { errorMessage, StoreError } from '../../src/runtime/errors.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/ports.ts';
import { FENCED_PORTS, type PortName, WRITE_METHODS } from '../../src/store/queries/all-queries.ts';
import type { Gate } from './gate.ts';
import type { Quiet } from './quiet.ts';
import { hideEpochs, nameValue } from './storm-log.ts';

export type StoreTrouble =
  | { kind: 'none' }
  /** Writes fail, reads continue. */
  | { kind: 'full' }
  | { kind: 'down' }
  | { kind: 'slow'; byMs: number }
  /** A share of writes succeeds, but the response is lost. */
  | { kind: 'forgetful'; share: number }
  /**
   * Connected but silent. No request gets a response until it recovers; a share of the abandoned writes still
   * succeeds.
   */
  | { kind: 'hanging'; untilTs: number; lateShare: number };

export interface StoreWatcher {
  /** An acknowledged write that only the leader may make. */
  onFencedWrite(epoch: number, issuedAtEpoch: number): void;
  onCaptured(posts: readonly CapturedPost[]): void;
  /** Called with posts that were doubtful before. */
  onSettled(posts: readonly CapturedPost[]): void;
  newestEpoch(): number;
  onEpoch(epoch: number): void;
}

export interface FaultyStoreOptions {
  store: Store;
  clock: Clock;
  random: Random;
  quiet: Quiet;
  gate: Gate;
  /** Clock of the process that uses the store. */
  death?: AbortSignal;
  trouble: () => StoreTrouble;
  /** The server's time and work, which outlive the requesting process. */
  serverClock: Clock;
  watcher: StoreWatcher;
  /** A replaced process waits forever. */
  isRetired: () => boolean;
  /** Logs each call with its outcome. */
  log?: (line: string) => void;
}

/** The pool's timeout for PostgreSQL. */
export const ANSWER_WITHIN_MS = 20_000;

type AnyPort = Record<string, (...args: unknown[]) => Promise<unknown>>;

export function createFaultyStore(options: FaultyStoreOptions): Store {
  const { store, quiet, gate, watcher } = options;
  let epoch: number | null = null;

  async function call(port: PortName, method: string, args: unknown[]): Promise<unknown> {
    const isWrite = (WRITE_METHODS[port] as readonly string[]).includes(method);
    await gate.pass();
    const run = async () => {
      const newest = watcher.newestEpoch();
      const result = await runLogged(`${port}.${method}`, args, () =>
        (store[port] as unknown as AnyPort)[method]!(...args),
      );
      note(port, method, isWrite, newest, result);
      return result;
    };
    await suffer(isWrite, run);
    const result = await run();
    await gate.pass();
    loseAnswer(isWrite);
    return result;
  }

  async function runLogged<T>(name: string, args: unknown[], work: () => Promise<T>): Promise<T> {
    const { log } = options;
    if (!log) return quiet.run(name, work, options.death);
    try {
      const result = await quiet.run(name, work, options.death);
      // Salts are drawn where entries are written, which may be in another thread.
      const shown = name.startsWith('seals.') ? '' : nameValue(result);
      log(`${name} ${nameValue(args)} ${shown}`);
      return result;
    } catch (error) {
      log(`${name} ${nameValue(args)} ${hideEpochs(errorMessage(error))}`);
      throw error;
    }
  }

  async function suffer(isWrite: boolean, run: () => Promise<unknown> = async () => {}): Promise<void> {
    const trouble = options.trouble();
    if (trouble.kind === 'hanging') await hang(trouble, isWrite, run);
    if (trouble.kind === 'down') throw refused('the server cannot be reached');
    if (trouble.kind === 'full' && isWrite) throw refused('the disk is full');
    if (trouble.kind === 'slow') await sleep(options.clock, trouble.byMs * options.random.uniform());
  }

  /** An abandoned request is still on the server: it may run after recovery, with no one waiting for it. */
  async function hang(
    { untilTs, lateShare }: StoreTrouble & { kind: 'hanging' },
    isWrite: boolean,
    run: () => Promise<unknown>,
  ): Promise<void> {
    const { clock, random } = options;
    const leftMs = untilTs - options.serverClock.now();
    await sleep(clock, Math.min(leftMs, ANSWER_WITHIN_MS));
    if (leftMs <= ANSWER_WITHIN_MS) return;
    if (isWrite && random.uniform() < lateShare)
      options.serverClock.after(leftMs - ANSWER_WITHIN_MS, () => void run().catch(() => {}));
    throw refused('no response in time');
  }

  function loseAnswer(isWrite: boolean): void {
    const trouble = options.trouble();
    if (isWrite && trouble.kind === 'forgetful' && options.random.uniform() < trouble.share)
      throw refused('the connection to the server was lost');
  }

  function note(port: PortName, method: string, isWrite: boolean, newest: number, result: unknown): void {
    if (isWrite && epoch !== null && FENCED_PORTS.has(port)) watcher.onFencedWrite(epoch, newest);
    if (port !== 'posts') return;
    if (method === 'recordCaptures') watcher.onCaptured(result as CapturedPost[]);
    if (method === 'settleDoubts') watcher.onSettled(result as CapturedPost[]);
  }

  /** A process paused during a fault must not queue for leadership, because nothing would advance its clock. */
  async function mayCompete(): Promise<boolean> {
    await gate.pass();
    await suffer(true);
    await gate.pass();
    return !options.isRetired();
  }

  const ports = Object.keys(WRITE_METHODS).map((name) => {
    const port = name as PortName;
    const methods = Object.keys(store[port]).map((method) => [
      method,
      // Notifications arrive in real time; every follower also looks by itself each second.
      method === 'listen' ? async () => async () => {} : (...args: unknown[]) => call(port, method, args),
    ]);
    return [port, Object.fromEntries(methods)];
  });

  return {
    ...(Object.fromEntries(ports) as unknown as Store),
    engine: store.engine,
    async lead(signal) {
      if (!(await mayCompete())) return new Promise(() => {});
      const leadership = await quiet.run('lead', () => store.lead(signal), options.death);
      epoch = leadership.epoch;
      options.log?.('leads');
      watcher.onEpoch(epoch);
      await gate.pass();
      return { ...leadership, lost: heldBack(leadership.lost, gate) };
    },
    async readEpoch() {
      await gate.pass();
      await suffer(false);
      return runLogged('readEpoch', [], () => store.readEpoch());
    },
    health: () => store.health(),
    close: () => store.close(),
  };
}

/** A paused process notices that it lost leadership only when it runs again. */
function heldBack(lost: AbortSignal, gate: Gate): AbortSignal {
  const noticed = new AbortController();
  const report = () => void gate.pass().then(() => noticed.abort(lost.reason));
  if (lost.aborted) report();
  else lost.addEventListener('abort', report, { once: true });
  return noticed.signal;
}

function refused(reason: string): StoreError {
  return new StoreError(`store: ${reason} (simulated)`, { isRetryable: true });
}
