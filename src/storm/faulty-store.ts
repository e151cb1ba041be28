// A store that can be slow, full, away, forgetful of its answers, paused or dead, as seen by one process.

import type { CapturedPost } from '../domain/post.ts';
import type { Clock } from '../runtime/clock.ts';
import { sleep } from '../runtime/clock.ts';
import { StoreError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import type { Leadership, Store } from '../store/ports.ts';
import { FENCED_PORTS, type PortName, WRITE_METHODS } from '../store/queries/all-queries.ts';
import type { Gate } from './gate.ts';
import type { Quiet } from './quiet.ts';

export type StoreTrouble =
  | { kind: 'none' }
  /** Writes fail, reads go on. */
  | { kind: 'full' }
  | { kind: 'down' }
  | { kind: 'slow'; byMs: number }
  /** A share of writes is made, but the answer is lost on the way. */
  | { kind: 'forgetful'; share: number };

export interface StoreWatcher {
  /** An acknowledged write of something that only the leader may write. */
  onFencedWrite(epoch: number, issuedAtEpoch: number): void;
  onCaptured(posts: readonly CapturedPost[]): void;
  newestEpoch(): number;
  onEpoch(epoch: number): void;
}

export interface FaultyStoreOptions {
  store: Store;
  clock: Clock;
  random: Random;
  quiet: Quiet;
  gate: Gate;
  /** Of the process that uses it. */
  death?: AbortSignal;
  trouble: () => StoreTrouble;
  watcher: StoreWatcher;
  /** A process that was replaced waits for its turn for ever. */
  isRetired: () => boolean;
}

type AnyPort = Record<string, (...args: unknown[]) => Promise<unknown>>;

export function createFaultyStore(options: FaultyStoreOptions): Store {
  const { store, quiet, gate, watcher } = options;
  let epoch: number | null = null;

  async function call(port: PortName, method: string, args: unknown[]): Promise<unknown> {
    const isWrite = (WRITE_METHODS[port] as readonly string[]).includes(method);
    await gate.pass();
    await suffer(isWrite);
    const newest = watcher.newestEpoch();
    const result = await quiet.track((store[port] as unknown as AnyPort)[method]!(...args), options.death);
    note(port, method, isWrite, newest, result);
    await gate.pass();
    loseAnswer(isWrite);
    return result;
  }

  async function suffer(isWrite: boolean): Promise<void> {
    const trouble = options.trouble();
    if (trouble.kind === 'down') throw refused('the server cannot be reached');
    if (trouble.kind === 'full' && isWrite) throw refused('the disk is full');
    if (trouble.kind === 'slow') await sleep(options.clock, trouble.byMs * options.random.uniform());
  }

  function loseAnswer(isWrite: boolean): void {
    const trouble = options.trouble();
    if (isWrite && trouble.kind === 'forgetful' && options.random.uniform() < trouble.share)
      throw refused('the connection to the server was lost');
  }

  function note(port: PortName, method: string, isWrite: boolean, newest: number, result: unknown): void {
    if (isWrite && epoch !== null && FENCED_PORTS.has(port)) watcher.onFencedWrite(epoch, newest);
    if (port !== 'posts' || method !== 'recordCaptures') return;
    watcher.onCaptured(result as CapturedPost[]);
  }

  const ports = Object.keys(WRITE_METHODS).map((name) => {
    const port = name as PortName;
    const methods = Object.keys(store[port]).map((method) => [
      method,
      method === 'listen'
        ? (store[port] as unknown as AnyPort)[method]
        : (...args: unknown[]) => call(port, method, args),
    ]);
    return [port, Object.fromEntries(methods)];
  });

  return {
    ...(Object.fromEntries(ports) as unknown as Store),
    engine: store.engine,
    async lead(signal) {
      await gate.pass();
      if (options.isRetired()) return new Promise(() => {});
      await suffer(true);
      const leadership = await quiet.track(store.lead(signal), options.death);
      epoch = leadership.epoch;
      watcher.onEpoch(epoch);
      await gate.pass();
      return heldBack(leadership, gate);
    },
    readEpoch: () => store.readEpoch(),
    health: () => store.health(),
    close: () => store.close(),
  };
}

/** A paused process does not notice that it lost; it hears of it when it runs again. */
function heldBack(leadership: Leadership, gate: Gate): Leadership {
  const lost = new AbortController();
  const tell = () => void gate.pass().then(() => lost.abort(leadership.lost.reason));
  if (leadership.lost.aborted) tell();
  else leadership.lost.addEventListener('abort', tell, { once: true });
  return { epoch: leadership.epoch, lost: lost.signal, release: leadership.release };
}

function refused(reason: string): StoreError {
  return new StoreError(`store: ${reason} (pretended)`, { isRetryable: true });
}
