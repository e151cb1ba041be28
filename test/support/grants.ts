// Counts how many concurrent requests an allowance grants.

import { setTimeout as wait } from 'node:timers/promises';

export interface Grants {
  granted: number;
  refused: number;
}

const AGAIN_MS = 50;

/** Retries a 503 as instructed, because it says nothing about the allowance. */
export async function countGrants(
  requests: number,
  ask: (index: number) => Promise<number>,
): Promise<Grants> {
  const statuses = await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      let status = await ask(index);
      while (status === 503) {
        await wait(AGAIN_MS);
        status = await ask(index);
      }
      return status;
    }),
  );
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
  return { granted: count(200), refused: count(429) };
}
