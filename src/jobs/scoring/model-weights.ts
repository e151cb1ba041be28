// How much the model is believed against the market when sizing, per account, learned from its settled events.

import type { AccountId } from '../../domain/account.ts';
import type { ForecastScore, ScoreStore } from '../../store/ports.ts';
import { type BeliefSample, estimateModelWeight, PRIOR_MODEL_WEIGHT } from '../../trade/pricing/belief.ts';

export interface ModelWeights {
  get(accountId: AccountId): number;
  /** Reads the scores again; call it after a settlement. */
  learn(accountId: AccountId): Promise<void>;
}

export function createModelWeights(scores: ScoreStore): ModelWeights {
  const weights = new Map<AccountId, number>();
  return {
    get: (accountId) => weights.get(accountId) ?? PRIOR_MODEL_WEIGHT,
    async learn(accountId) {
      const samples = (await scores.list({ accountId })).map(toSample);
      weights.set(accountId, estimateModelWeight(samples));
    },
  };
}

/** Scores without prices (a track record of the past) teach nothing here and are passed over. */
function toSample({ eventId, buckets }: ForecastScore): BeliefSample {
  return {
    eventId,
    model: buckets.map((bucket) => bucket.probability),
    prices: buckets.map((bucket) => bucket.marketPrice),
    winner: buckets.findIndex((bucket) => bucket.won),
  };
}
