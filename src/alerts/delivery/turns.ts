// Schedules receivers independently, so a slow one delays only its own alerts. Concurrency is limited per key
// and in total; receivers that did not respond last time share a few separate slots, so healthy ones never
// wait for them.

/** Maximum concurrent alerts, in total and to receivers that failed last time. */
const MOST_ON_THE_WAY = 250;
const MOST_DOUBTFUL = 50;
/** Maximum concurrent receivers per key. */
const MOST_OF_A_KEY = 10;

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
    room: () => Math.max(0, MOST_ON_THE_WAY + doubtful - onTheWay),
    mayBegin: ({ keyId, isDoubtful }) =>
      (keyId === null || (ofKey.get(keyId) ?? 0) < MOST_OF_A_KEY) &&
      (!isDoubtful || doubtful < MOST_DOUBTFUL),
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
