// Edge evidence per account: the account's own settled events count in full, other accounts' events count
// half. Both forward and recomputed forecasts teach it, if they have prices.

import type { AccountId } from '../../domain/account.ts';
import type { EdgeEvidence, ReadingProgress, RuleEvidence } from '../../domain/standing-advice.ts';
import { DAY_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { takeBackgroundTurn } from '../../runtime/turns.ts';
import type { Store } from '../../store/ports.ts';
import { type LadderSample, learnInSteps } from '../../trade/edges/learn-evidence.ts';
import { choosePrior, PRIOR_EVIDENCE } from '../../trade/edges/prior-evidence.ts';
import { findHalt } from '../../trade/record/predicted-observed.ts';
import { judgeRule } from '../../trade/rules/judge.ts';
import {
  createScoredEvents,
  type PastBet,
  type ScoredPast,
  type ScoredStore,
  shareRuns,
} from './scored-events.ts';

export interface EdgeEvidenceBook {
  /** undefined until evidence is first learned. */
  get(accountId: AccountId): EdgeEvidence | undefined;
  /** Rereads forecasts and results; call after a settlement. */
  learn(): Promise<void>;
}

const OTHER_ACCOUNT_WEIGHT = 0.5;
/** Older results no longer halt advice; otherwise a halt would never end, because it stops all betting. */
const HALT_WINDOW_MS = 90 * DAY_MS;

export type EvidenceStore = ScoredStore & Pick<Store, 'signals' | 'settlements'>;

export function createEdgeEvidence(
  accountIds: readonly AccountId[],
  store: EvidenceStore,
  clock: Clock,
  /** Accounts that past events are still read for: half of them may show what all of them do not. */
  reading: ReadonlySet<AccountId> = new Set(),
): EdgeEvidenceBook {
  const scored = createScoredEvents(store);
  const unread = { ...PRIOR_EVIDENCE, reading: { compared: 0, of: 0 } };
  const evidence = new Map<AccountId, EdgeEvidence>([...reading].map((accountId) => [accountId, unread]));
  /** What each account's evidence was learned from. */
  const learntFrom = new Map<AccountId, ScoredPast>();

  async function measure({ events }: ScoredPast): Promise<ReadingProgress> {
    const settled = new Set<number>();
    for (const accountId of accountIds)
      for (const { eventId } of await store.settlements.list(accountId, 0)) settled.add(eventId);
    return { compared: events.filter(({ eventId }) => settled.has(eventId)).length, of: settled.size };
  }

  async function readHalt(accountId: AccountId): Promise<string | null> {
    const settled = await store.signals.list({ accountId, settledOnly: true });
    const fromTs = clock.now() - HALT_WINDOW_MS;
    return findHalt(settled.filter(({ asofTs }) => asofTs >= fromTs));
  }

  async function learnNow(): Promise<void> {
    const past = await scored.read();
    const progress = reading.size > 0 ? await measure(past) : null;
    for (const own of accountIds) {
      const halt = await readHalt(own);
      if (progress && reading.has(own)) evidence.set(own, { ...PRIOR_EVIDENCE, halt, reading: progress });
      else if (learntFrom.get(own) !== past) evidence.set(own, { ...(await learnFrom(past, own)), halt });
      // The same evidence stays the same object, so that advice is not published again.
      else if (evidence.get(own)!.halt !== halt) evidence.set(own, { ...evidence.get(own)!, halt });
    }
  }

  async function learnFrom(past: ScoredPast, own: AccountId): Promise<EdgeEvidence> {
    const prior = choosePrior(past.events.map(({ endTs }) => endTs));
    const weightOf = ({ group }: LadderSample) => (group === own ? 1 : OTHER_ACCOUNT_WEIGHT);
    const steps = learnInSteps(past.samples, prior, weightOf);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await takeBackgroundTurn();
    learntFrom.set(own, past);
    return { ...step.value, rules: judgeRules(past.bets.filter(({ accountId }) => accountId === own)) };
  }

  return { get: (accountId) => evidence.get(accountId), learn: shareRuns(learnNow) };
}

/** Only events of the same account and venue permit a rule to advise. */
function judgeRules(bets: readonly PastBet[]): RuleEvidence[] {
  const groups = Map.groupBy(bets, ({ rule, venue }) => JSON.stringify([rule, venue]));
  return [...groups.values()].map((own) => {
    const { rule, venue } = own[0]!;
    return { rule, venue, ...judgeRule(own) };
  });
}
