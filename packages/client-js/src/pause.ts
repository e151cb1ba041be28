// Pauses between attempts.

/** Half of the pause is random, so that clients disconnected together do not reconnect together. */
export function choosePauseMs(longestMs: number): number {
  return longestMs * (0.5 + Math.random() / 2);
}

/** Resolves early, without an error, when the signal aborts. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}
