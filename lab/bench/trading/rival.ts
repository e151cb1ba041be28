// A rival that is sometimes faster and takes the displayed offer, so that the executor's order rests or fills
// partially.

import type { Simulator } from '../../../simulator/simulator.ts';
import type { Random } from '../../../src/runtime/random.ts';

export const RIVAL = 'rival';

export interface Rival {
  /** Called with the body of an order that is about to arrive. */
  outrun(body: string): void;
  /** An eager rival takes every offer, so that every order rests. */
  setEager(isEager: boolean): void;
}

const OUTRUN_SHARE = 0.4;

export function createRival(simulator: Simulator, random: Random, now: () => number): Rival {
  simulator.exchange.wallets.give(RIVAL, 1e9);
  let [number, isEager] = [0, false];

  return {
    setEager: (value) => void (isEager = value),
    outrun(body) {
      if (random.uniform() >= OUTRUN_SHARE && !isEager) return;
      const { order } = JSON.parse(body) as {
        order: { tokenId: string; side: string; makerAmount: string; takerAmount: string };
      };
      const market = simulator.exchange.market(order.tokenId, now());
      if (!market || market.isClosed || order.side !== 'BUY') return;
      const pricePips = Math.round((Number(order.makerAmount) * 10_000) / Number(order.takerAmount));
      const shares = isEager ? 1e12 : Math.round((0.3 + random.uniform()) * Number(order.takerAmount));
      simulator.exchange.core.place(
        {
          order: {
            id: `rival-${number++}`,
            apiKey: RIVAL,
            maker: RIVAL,
            conditionId: market.conditionId,
            tokenId: order.tokenId,
            outcome: '',
            action: 'BUY',
            pricePips,
            originalMicro: shares,
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
