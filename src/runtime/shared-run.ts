// Work that many callers want at once: calls during a run share one further run, because the current one may have
// missed what they want to have seen.

export function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function begin(): Promise<T> {
    running = run().finally(() => {
      running = null;
    });
    return running;
  }

  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
