// Tracks whether writes succeed, from regular writes or, if there are none, from a small probe.

import { errorMessage, StoreError } from '../runtime/errors.ts';

/** A probe syncs the disk, and health may be requested far more often than this. */
const PROBE_PERIOD_MS = 1_000;

export interface StoreHealth {
  isWritable: boolean;
  problem: string | null;
}

export interface WriteHealth {
  /** Records the outcome of a write and returns it unchanged. */
  watch<T>(write: Promise<T>): Promise<T>;
  check(): Promise<StoreHealth>;
}

/** `probe` makes the smallest possible durable write. */
export function createWriteHealth(probe: () => Promise<unknown>): WriteHealth {
  let problem: string | null = null;
  let learntAtMs = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | null = null;

  function learn(found: string | null): void {
    problem = found;
    learntAtMs = performance.now();
  }

  async function watch<T>(write: Promise<T>): Promise<T> {
    try {
      const value = await write;
      learn(null);
      return value;
    } catch (error) {
      // A rejected row is the caller's fault, not the store's.
      if (error instanceof StoreError && error.isRetryable) learn(errorMessage(error));
      throw error;
    }
  }

  async function runProbe(): Promise<void> {
    await watch(probe()).catch((error: unknown) => {
      learn(errorMessage(error));
    });
    probing = null;
  }

  return {
    watch,
    async check() {
      if (performance.now() - learntAtMs > PROBE_PERIOD_MS) await (probing ??= runProbe());
      return { isWritable: problem === null, problem };
    },
  };
}
