// Something that runs until it is told to stop.

export interface Service {
  start(): void;
  /** Waits for work in hand. */
  stop(): Promise<void>;
}
