// When the settlement oracle reads the platform: every few minutes, sometimes not for hours, and occasionally
// it misses a post until days later. Measured lag: median 143 s, p90 265 s.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { chance, normalChance } from '../chance.ts';
import type { FaultSwitch } from '../faults/fault-switch.ts';
import { covers } from '../faults/fault-switch.ts';

const PERIOD_MS = 264 * SECOND_MS;
const JITTER_MS = 34 * SECOND_MS;
const SKIP_SHARE = 0.012;
const OVERLOOK_SHARE = 0.01;
/** Delay until the oracle can read a visible post. */
const READ_DELAY_MS = 3 * SECOND_MS;

export interface SyncSchedule {
  /**
   * The first sync that can import something visible at `visibleTs`; `postKey` decides whether it is missed.
   */
  importTs(visibleTs: number, postKey: number): number;
  /** The latest sync at or before this time. */
  lastSyncTs(ts: number): number;
  /** End of the stall that covers this time; null if the oracle is running. */
  stallEnd(ts: number): number | null;
}

interface Stall {
  fromTs: number;
  untilTs: number;
}

export function createSyncSchedule(key: number, anchorTs: number, faults: FaultSwitch): SyncSchedule {
  function syncTs(index: number): number {
    return Math.round(index * PERIOD_MS + chance(key, index, 1) * JITTER_MS);
  }

  function stallEnd(ts: number): number | null {
    for (const stall of [longStall(key, anchorTs, ts), shortStall(key, anchorTs, ts)]) {
      if (ts >= stall.fromTs && ts < stall.untilTs) return stall.untilTs;
    }
    for (const activation of faults.list()) {
      if (activation.name !== 'oracle-stall' || !covers(activation, ts)) continue;
      const untilTs = Math.min(activation.fromTs + activation.value, activation.untilTs ?? Infinity);
      if (ts < untilTs) return untilTs;
    }
    return null;
  }

  /** Index of the first sync at or after this time that is not skipped. */
  function nextSync(ts: number): number {
    let index = Math.floor((ts - JITTER_MS) / PERIOD_MS);
    for (;;) {
      const at = syncTs(index);
      const endTs = at < ts ? null : stallEnd(at);
      if (endTs !== null) index = Math.max(index + 1, Math.floor((endTs - JITTER_MS) / PERIOD_MS));
      else if (at < ts || chance(key, index, 2) < SKIP_SHARE) index += 1;
      else return index;
    }
  }

  return {
    stallEnd,
    importTs(visibleTs, postKey) {
      const isOverlooked = chance(key, postKey, 3) < OVERLOOK_SHARE;
      const backfillMs = isOverlooked ? DAY_MS * Math.exp(0.7 + 0.8 * normalChance(key, postKey, 4)) : 0;
      return syncTs(nextSync(visibleTs + READ_DELAY_MS + backfillMs));
    },
    lastSyncTs(ts) {
      let index = Math.floor(ts / PERIOD_MS);
      for (let tries = 0; tries < 2000; tries++, index--) {
        const at = syncTs(index);
        if (at <= ts && stallEnd(at) === null && chance(key, index, 2) >= SKIP_SHARE) return at;
      }
      return syncTs(index);
    },
  };
}

/** One stall of 20 to 70 hours every 75 days. */
function longStall(key: number, anchorTs: number, ts: number): Stall {
  return stallOfBlock(key, anchorTs, ts, {
    blockDays: 75,
    firstDay: 8,
    lastDay: 55,
    minHours: 20,
    maxHours: 70,
  });
}

/** One stall of 2 to 8 hours every 12 days. */
function shortStall(key: number, anchorTs: number, ts: number): Stall {
  return stallOfBlock(key ^ 0x51, anchorTs, ts, {
    blockDays: 12,
    firstDay: 2,
    lastDay: 5,
    minHours: 2,
    maxHours: 8,
  });
}

interface StallHabit {
  blockDays: number;
  firstDay: number;
  lastDay: number;
  minHours: number;
  maxHours: number;
}

function stallOfBlock(key: number, anchorTs: number, ts: number, habit: StallHabit): Stall {
  const block = Math.floor((ts - anchorTs) / (habit.blockDays * DAY_MS));
  const day = habit.firstDay + (habit.lastDay - habit.firstDay) * chance(key, block, 5);
  const hours = habit.minHours + (habit.maxHours - habit.minHours) * chance(key, block, 6);
  const fromTs = anchorTs + (block * habit.blockDays + day) * DAY_MS;
  return { fromTs, untilTs: fromTs + hours * HOUR_MS + MINUTE_MS };
}
