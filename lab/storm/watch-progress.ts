// Notices when the simulated time of a storm no longer moves: a store call or a stop that never settles would otherwise
// leave it waiting forever, without a result.

export interface ProgressWatch {
  /** Resolves with the real time without progress once that is too long; never otherwise. */
  stuck: Promise<number>;
  stop(): void;
}

export function watchProgress(simulatedNow: () => number, stuckAfterMs: number): ProgressWatch {
  const { promise: stuck, resolve } = Promise.withResolvers<number>();
  let seenTs = simulatedNow();
  let movedMs = performance.now();
  const timer = setInterval(() => {
    const nowTs = simulatedNow();
    if (nowTs !== seenTs) movedMs = performance.now();
    seenTs = nowTs;
    const stoodMs = performance.now() - movedMs;
    if (stoodMs >= stuckAfterMs) resolve(stoodMs);
  }, stuckAfterMs / 10);
  return { stuck, stop: () => clearInterval(timer) };
}
