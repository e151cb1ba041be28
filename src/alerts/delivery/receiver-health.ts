// Which receivers keep failing: one that took nothing for hours, however often it was tried, is not worth trying on.

import { HOUR_MS } from '../../domain/units.ts';

export interface ReceiverHealth {
  /** Notes the outcome of an attempt; true when the receiver has failed for too long. */
  note(webhookId: string, isDelivered: boolean, nowTs: number): boolean;
  /** Whether it took nothing when it was last tried. */
  isFailing(webhookId: string): boolean;
}

/** In a row, and over at least this time: a receiver that is being repaired is not given up. */
export const FAILURES_IN_A_ROW = 20;
export const FAILING_FOR_MS = 6 * HOUR_MS;
/** Receivers come and go, and those that are gone succeed no more: the longest known are forgotten first. */
const MOST_FAILING = 10_000;

export function createReceiverHealth(): ReceiverHealth {
  const failing = new Map<string, { sinceTs: number; failures: number }>();
  return {
    isFailing: (webhookId) => failing.has(webhookId),
    note(webhookId, isDelivered, nowTs) {
      if (isDelivered) {
        failing.delete(webhookId);
        return false;
      }
      const { sinceTs, failures } = failing.get(webhookId) ?? { sinceTs: nowTs, failures: 0 };
      if (failures === 0 && failing.size >= MOST_FAILING) failing.delete(failing.keys().next().value!);
      failing.set(webhookId, { sinceTs, failures: failures + 1 });
      const isLost = failures + 1 >= FAILURES_IN_A_ROW && nowTs - sinceTs >= FAILING_FOR_MS;
      if (isLost) failing.delete(webhookId);
      return isLost;
    },
  };
}
