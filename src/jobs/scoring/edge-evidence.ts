// Edge evidence per account: its own settled events count in full, those of other accounts by half.

import type { AccountId } from '../../domain/account.ts';
import type { EdgeEvidence } from '../../domain/edge-evidence.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ForecastScore, Store } from '../../store/ports.ts';
import { type LadderSample, learnEvidence } from '../../trade/edges/learn-evidence.ts';
import { PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import { findHalt } from '../../trade/record/predicted-observed.ts';

export interface EdgeEvidenceBook {
  get(accountId: AccountId): EdgeEvidence;
  /** Reads scores and results again; call it after a settlement. */
  learn(): Promise<void>;
}

const OTHER_ACCOUNT_WEIGHT = 0.5;
/** Older results no longer halt advice: no bets are made during a halt, so none could end it. */
const HALT_WINDOW_MS = 90 * DAY_MS;

export function createEdgeEvidence(
  accountIds: readonly AccountId[],
  store: Pick<Store, 'scores' | 'signals'>,
  clock: Clock,
): EdgeEvidenceBook {
  const evidence = new Map<AccountId, EdgeEvidence>();
  return {
    get: (accountId) => evidence.get(accountId) ?? PRIOR_EVIDENCE,
    async learn() {
      const scores = await store.scores.list({});
      const fromTs = clock.now() - HALT_WINDOW_MS;
      for (const accountId of accountIds) {
        const settled = await store.signals.list({ accountId, settledOnly: true });
        const halt = findHalt(settled.filter(({ asofTs }) => asofTs >= fromTs));
        const samples = scores.flatMap((score) => toSample(score, accountId) ?? []);
        evidence.set(accountId, { ...learnEvidence(samples, PRIOR_EVIDENCE), halt });
      }
    },
  };
}

/** Scores without prices, such as recomputed ones, teach nothing about the market. */
function toSample(
  { accountId, eventId, horizonH, buckets }: ForecastScore,
  own: AccountId,
): LadderSample | null {
  const winner = buckets.findIndex((bucket) => bucket.won);
  if (winner < 0 || buckets.every((bucket) => bucket.marketPrice === null)) return null;
  return {
    eventId,
    leadHours: horizonH,
    model: buckets.map((bucket) => bucket.probability),
    prices: buckets.map((bucket) => bucket.marketPrice),
    winner,
    eventWeight: accountId === own ? 1 : OTHER_ACCOUNT_WEIGHT,
  };
}
