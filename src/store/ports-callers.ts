// Port for the shared allowances of callers.

/** A shared allowance: replicas take requests in advance, so that together they respect the hourly limit. */
export interface AllowanceStore {
  /**
   * Takes up to `wanted` requests from the caller's `limit` per rolling windowMs, counted in slots of slotMs.
   * Returns how many were granted and when the next one will fit.
   */
  take(
    caller: string,
    wanted: number,
    limit: number,
    window: { windowMs: number; slotMs: number; nowTs: number },
  ): Promise<{ granted: number; used: number; nextFreeTs: number }>;
  /** Returns unused requests that were taken at takenTs. */
  giveBack(
    caller: string,
    unused: number,
    window: { windowMs: number; slotMs: number; takenTs: number },
  ): Promise<void>;
  prune(beforeTs: number): Promise<number>;
}
