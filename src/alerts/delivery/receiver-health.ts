// Tracks failing receivers, so that a receiver that accepts nothing for hours can be disabled.

import { HOUR_MS } from '../../domain/units.ts';

export interface ReceiverHealth {
  /** Records an attempt; returns true if the receiver has failed for too long. */
  note(webhookId: string, isDelivered: boolean, nowTs: number): boolean;
  /** Whether the receiver's last attempt failed. */
  isFailing(webhookId: string): boolean;
}

/** A receiver is disabled after this many consecutive failures over this long; short outages do not count. */
export const FAILURES_IN_A_ROW = 20;
export const FAILING_FOR_MS = 6 * HOUR_MS;
/** Deleted receivers never clear their entry, so the map is bounded and evicts the oldest first. */
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
