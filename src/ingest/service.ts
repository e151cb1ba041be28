// Something that runs until it is told to stop.

export interface Service {
  start(): void;
  /** Waits for work in hand. */
  stop(): Promise<void>;
}

/** Begins when `ready` has come about, unless the signal came first. */
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
