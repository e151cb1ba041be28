// A component that runs until stopped.

export interface Service {
  start(): void;
  /** Waits for work in progress. */
  stop(): Promise<void>;
}

/** Starts when `ready` resolves, unless the signal aborts first. */
export function startWhen(ready: Promise<void>, signal: AbortSignal, service: Service): Service {
  return {
    start() {
      void ready.then(() => {
        if (!signal.aborted) service.start();
      });
    },
    stop: () => service.stop(),
  };
}
