// Dead-man switch: once a key has sent a heartbeat, its orders stay live only while more arrive.

export interface Heartbeats {
  /** Returns the id for the next heartbeat; null if the given id is not the latest. */
  beat(apiKey: string, id: string, nowTs: number): string | null;
  currentId(apiKey: string): string;
  nextTs(): number | null;
  /** Keys without a recent heartbeat; they must start over. */
  takeExpired(nowTs: number): string[];
}

export const HEARTBEAT_TIMEOUT_MS = 15_000;

export function createHeartbeats(makeId: (number: number) => string): Heartbeats {
  const sessions = new Map<string, { id: string; lastTs: number }>();
  let number = 0;
  return {
    beat(apiKey, id, nowTs) {
      const session = sessions.get(apiKey);
      if (session && session.id !== id) return null;
      const next = { id: makeId(number++), lastTs: nowTs };
      sessions.set(apiKey, next);
      return next.id;
    },
    currentId: (apiKey) => sessions.get(apiKey)?.id ?? '',
    nextTs() {
      let earliest: number | null = null;
      for (const { lastTs } of sessions.values())
        earliest = Math.min(earliest ?? Number.POSITIVE_INFINITY, lastTs + HEARTBEAT_TIMEOUT_MS);
      return earliest;
    },
    takeExpired(nowTs) {
      const expired = [...sessions].filter(([, { lastTs }]) => lastTs + HEARTBEAT_TIMEOUT_MS <= nowTs);
      for (const [apiKey] of expired) sessions.delete(apiKey);
      return expired.map(([apiKey]) => apiKey);
    },
  };
}
