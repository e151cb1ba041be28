// What a venue keeps of an event's past: prices, as it gave them.

export interface PastPricePoint {
  ts: number;
  /** Yes prices aligned with the event's buckets; null where the venue has no point at this time. */
  prices: (number | null)[];
}

/** How far an event's past was read. */
export interface PastReading {
  eventId: number;
  readTs: number;
  /** The past before this time was requested. */
  untilTs: number;
  /** True once the event has ended and everything the venue has of it was read. */
  isWhole: boolean;
}

export interface PastPrices extends PastReading {
  /** Oldest first. */
  points: PastPricePoint[];
}
