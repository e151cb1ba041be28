// The public tape: real prints where users traded, simulated ones elsewhere.

import { listCrowdTrades } from './crowd/crowd-flow.ts';
import type { MarketDirectory, TapePrint } from './types.ts';

export interface Tape {
  add(print: TapePrint): void;
  /** Prints after `fromTs`, up to `toTs`. A market with user orders has only recorded prints. */
  between(conditionId: string, fromTs: number, toTs: number, isTouched: boolean): TapePrint[];
}

const KEPT_PRINTS = 500;

export function createTape(markets: MarketDirectory): Tape {
  const kept = new Map<string, TapePrint[]>();

  function deduce(conditionId: string, fromTs: number, toTs: number): TapePrint[] {
    const market = markets.byCondition(conditionId, toTs);
    if (!market || market.isClosed) return [];
    return listCrowdTrades(market.key, market.tradesPerHour, fromTs, toTs).flatMap(
      ({ ts, takes, sizeMicro }) => {
        const quote = markets.quote(conditionId, ts);
        const prints: TapePrint[] = [];
        let leftMicro = sizeMicro;
        for (const level of takes === 'ask' ? quote.asks : quote.bids) {
          if (leftMicro <= 0) break;
          const size = Math.min(leftMicro, level.sizeMicro);
          leftMicro -= size;
          prints.push({
            ts,
            conditionId,
            yesPips: level.pricePips,
            sizeMicro: size,
            takerSide: takes === 'ask' ? 'BUY' : 'SELL',
          });
        }
        return prints;
      },
    );
  }

  return {
    add(print) {
      const prints = kept.get(print.conditionId) ?? [];
      prints.push(print);
      if (prints.length > KEPT_PRINTS) prints.shift();
      kept.set(print.conditionId, prints);
    },
    between(conditionId, fromTs, toTs, isTouched) {
      if (!isTouched) return deduce(conditionId, fromTs, toTs);
      return (kept.get(conditionId) ?? []).filter(({ ts }) => ts > fromTs && ts <= toTs);
    },
  };
}
