// When a count event settles, on which count, and which bucket pays.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { chance } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { LabelledRange } from '../ladders.ts';
import type { OracleBook } from '../oracle/oracle-book.ts';

interface Settled {
  count: number;
  settledTs: number;
}

export interface CountSettlementOptions {
  seedKey: number;
  oracleOf(slot: CountSlot): OracleBook;
  ranges(slot: CountSlot): readonly LabelledRange[];
}

export function createCountSettlement(options: CountSettlementOptions) {
  const { seedKey } = options;
  const finalCache = new Map<number, Settled>();

  function settle(slot: CountSlot, nowTs: number): Settled | null {
    const known = finalCache.get(slot.eventId);
    if (known) return known.settledTs <= nowTs ? known : null;
    const oracle = options.oracleOf(slot);
    if (slot.variant === 'archived') {
      // Withdrawn and "resolved" two days into its window; a client that trusts this gets a wrong result.
      const settledTs = slot.window.startTs + 2 * DAY_MS;
      return settledTs <= nowTs ? { count: 0, settledTs } : null;
    }
    let settledTs = slot.window.endTs + Math.round((2 + 4 * chance(seedKey, slot.eventId, 81)) * HOUR_MS);
    const stallEndTs = oracle.schedule.stallEnd(settledTs - HOUR_MS);
    if (stallEndTs !== null) settledTs = stallEndTs + 2 * HOUR_MS;
    if (settledTs > nowTs) return null;
    const settled = { count: oracle.countIn(slot.window.startTs, slot.window.endTs, settledTs), settledTs };
    finalCache.set(slot.eventId, settled);
    return settled;
  }

  /** When the oracle's count reached each number, ascending: entry n is the import time of post n + 1. */
  function importTimes(slot: CountSlot, ts: number): number[] {
    const oracle = options.oracleOf(slot);
    const posts = oracle.postsIn(slot.window.startTs, slot.window.endTs, ts);
    return posts.map((post) => oracle.importedTsOf(post)!).sort((left, right) => left - right);
  }

  function isWinner(slot: CountSlot, index: number, settled: Settled): boolean {
    return slot.variant === 'mention'
      ? chance(seedKey, slot.eventId, index) < 0.5
      : index === paidIndex(slot, settled);
  }

  /** The bucket that contains the count. */
  function paidIndex(slot: CountSlot, settled: Settled): number {
    return options
      .ranges(slot)
      .findIndex(({ lo, hi }) => settled.count >= lo && (hi === null || settled.count <= hi));
  }

  return { settle, importTimes, isWinner, paidIndex };
}
