// The crowd's prices for a count event, before spread and tick.

import { DAY_MS, HOUR_MS } from '../../src/domain/units.ts';
import { hashNumbers, smoothNoise } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { LabelledRange } from '../ladders.ts';
import type { PostLedger } from '../posts/post-ledger.ts';
import { crowdShares } from './crowd.ts';
import { addOverround } from './quotes.ts';
import { remember } from './remember.ts';

export const MENTION_WORDS = ['Harbor', 'Lantern', 'Compass', 'Meter', 'Garden', 'Bridge'];

const CACHED_PRICES = 4000;

export function createCountShares(
  seedKey: number,
  ledgerOf: (slot: CountSlot) => PostLedger,
  ranges: (slot: CountSlot) => readonly LabelledRange[],
): (slot: CountSlot, ts: number) => number[] {
  const shareCache = new Map<string, number[]>();

  function shares(slot: CountSlot, ts: number): number[] {
    const cacheKey = `${slot.eventId}:${ts}`;
    const known = shareCache.get(cacheKey);
    if (known) return known;
    const ledger = ledgerOf(slot);
    const computed =
      slot.variant === 'mention'
        ? MENTION_WORDS.map(
            (_, i) => 0.5 + 0.35 * Math.tanh(smoothNoise(hashNumbers(seedKey, slot.eventId, i), ts / DAY_MS)),
          )
        : addOverround(
            crowdShares({ ledger, seedKey }, slot, ranges(slot), ts),
            (slot.window.endTs - ts) / HOUR_MS,
          );
    remember(shareCache, cacheKey, computed, CACHED_PRICES);
    return computed;
  }

  return shares;
}
