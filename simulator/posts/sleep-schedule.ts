// When an account sleeps: one period per night, with random start and length.

import { HOUR_MS } from '../../src/domain/units.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { normalChance } from '../chance.ts';
import { easternDayNumber, easternMidnightTs } from '../eastern-time.ts';

export type SleepParameters = SimulatorAccountParameters['sleep'];

function sleepOfNight(
  key: number,
  sleep: SleepParameters,
  dayNumber: number,
): { fromTs: number; untilTs: number } {
  const onset = sleep.onsetHour + sleep.onsetSdHours * normalChance(key, dayNumber, 1);
  const hours = Math.max(2, sleep.meanHours + sleep.sdHours * normalChance(key, dayNumber, 2));
  const fromTs = easternMidnightTs(dayNumber) + onset * HOUR_MS;
  return { fromTs, untilTs: fromTs + hours * HOUR_MS };
}

export function isAsleep(key: number, sleep: SleepParameters, ts: number): boolean {
  const today = easternDayNumber(ts);
  for (let day = today - 1; day <= today + 1; day++) {
    const night = sleepOfNight(key, sleep, day);
    if (ts >= night.fromTs && ts < night.untilTs) return true;
  }
  return false;
}

/** Average share of the hour spent awake, by hour of day. */
export function meanAwakeShares(sleep: SleepParameters): number[] {
  const asleep = new Array<number>(24).fill(0);
  const nights = 200;
  for (let night = 0; night < nights; night++) {
    const onset = sleep.onsetHour + sleep.onsetSdHours * normalChance(7, night, 1);
    const hours = Math.max(2, sleep.meanHours + sleep.sdHours * normalChance(7, night, 2));
    for (let quarter = 0; quarter < hours * 4; quarter++) {
      const hour = Math.floor((((onset + quarter / 4) % 24) + 24) % 24);
      asleep[hour]! += 1 / (4 * nights);
    }
  }
  return asleep.map((share) => Math.max(0, 1 - share));
}
