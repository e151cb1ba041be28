// What can be said of an account's activity from its last posts alone.

import { HOUR_MS } from '../domain/units.ts';
import type { Timeline } from '../forecast/timeline.ts';
import type { AccountActivity } from '../forecast/types.ts';

/** Silence of this long is as likely sleep as not. */
const HALF_ASLEEP_H = 4;

export function estimatePlainActivity({ all, counted }: Timeline, asofTs: number): AccountActivity {
  const upTo = all.countUpTo(asofTs);
  const silentH = upTo === 0 ? HALF_ASLEEP_H : (asofTs - all.at(upTo - 1)) / HOUR_MS;
  return {
    asofTs,
    sleepProbability: silentH ** 2 / (silentH ** 2 + HALF_ASLEEP_H ** 2),
    velocityCounted1h: counted.countUpTo(asofTs) - counted.countUpTo(asofTs - HOUR_MS),
    velocityAll1h: upTo - all.countUpTo(asofTs - HOUR_MS),
  };
}
