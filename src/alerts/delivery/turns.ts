// Schedules receivers independently, so a slow one delays only its own alerts. Concurrency is limited per key
// and in total; receivers that did not respond last time share a few separate slots, so healthy ones never
// wait for them.

import { HOUR_MS } from '../../domain/units.ts';

/** Maximum concurrent alerts, in total and to receivers that failed last time. */
const MAX_ON_THE_WAY = 250;
const MAX_DOUBTFUL = 50;
/** Maximum concurrent receivers per key. */
const MAX_OF_A_KEY = 10;

export interface Turn {
  /** null if the receiver is gone. */
  keyId: string | null;
  alerts: number;
  isDoubtful: boolean;
}

export interface Turns {
  /** Receivers with a delivery in progress. */
  list(): string[];
  /** How many more alerts can start now. */
  room(): number;
  mayBegin(turn: Pick<Turn, 'keyId' | 'isDoubtful'>): boolean;
  begin(receiverId: string, turn: Turn, work: () => Promise<void>): void;
  /** Resolves when all started deliveries have ended. */
  ended(): Promise<void>;
}

export function createTurns(onEnded: () => void): Turns {
  const inHand = new Map<string, Promise<void>>();
  const ofKey = new Map<string, number>();
  let onTheWay = 0;
  let doubtful = 0;

  function count({ keyId, alerts, isDoubtful }: Turn, by: 1 | -1): void {
    onTheWay += by * alerts;
    if (isDoubtful) doubtful += by * alerts;
    if (keyId === null) return;
    const turns = (ofKey.get(keyId) ?? 0) + by;
    if (turns > 0) ofKey.set(keyId, turns);
    else ofKey.delete(keyId);
  }

  return {
    list: () => [...inHand.keys()],
    room: () => Math.max(0, MAX_ON_THE_WAY + doubtful - onTheWay),
    mayBegin: ({ keyId, isDoubtful }) =>
      (keyId === null || (ofKey.get(keyId) ?? 0) < MAX_OF_A_KEY) && (!isDoubtful || doubtful < MAX_DOUBTFUL),
    begin(receiverId, turn, work) {
      count(turn, 1);
      const ended = work().finally(() => {
        count(turn, -1);
        inHand.delete(receiverId);
        onEnded();
      });
      inHand.set(receiverId, ended);
    },
    async ended() {
      await Promise.all(inHand.values());
    },
  };
}

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
const MAX_FAILING = 10_000;

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
      if (failures === 0 && failing.size >= MAX_FAILING) failing.delete(failing.keys().next().value!);
      failing.set(webhookId, { sinceTs, failures: failures + 1 });
      const isLost = failures + 1 >= FAILURES_IN_A_ROW && nowTs - sinceTs >= FAILING_FOR_MS;
      if (isLost) failing.delete(webhookId);
      return isLost;
    },
  };
}
