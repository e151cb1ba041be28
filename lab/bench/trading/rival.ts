// A rival that is sometimes faster and takes the displayed offer, so that the executor's order rests or fills
// partially.

import type { Random } from '../../../src/runtime/random.ts';
import { type Arena, RIVAL } from './arena.ts';

export interface Rival {
  /** Called with the body of an order that is about to arrive. */
  outrun(body: string): void;
  /** An eager rival takes every offer, so that every order rests. */
  setEager(isEager: boolean): void;
}

const OUTRUN_SHARE = 0.4;

export function createRival(arena: Arena, random: Random, now: () => number): Rival {
  let [number, isEager] = [0, false];

  return {
    setEager: (value) => void (isEager = value),
    outrun(body) {
      if (random.uniform() >= OUTRUN_SHARE && !isEager) return;
      const { tokenId, isBuy, pricePips, sizeMicro } = arena.readOrder(body);
      const market = arena.market(tokenId);
      if (!market || market.isClosed || !isBuy) return;
      const originalMicro = isEager ? 1e12 : Math.round((0.3 + random.uniform()) * sizeMicro);
      arena.core.place(
        {
          order: {
            id: `rival-${number++}`,
            apiKey: RIVAL,
            maker: RIVAL,
            conditionId: market.conditionId,
            tokenId,
            outcome: '',
            action: 'BUY',
            pricePips,
            originalMicro,
            type: 'FAK',
            expiresTs: null,
            createdTs: now(),
          },
          isPostOnly: false,
        },
        now(),
      );
    },
  };
}
