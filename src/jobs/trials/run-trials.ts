// Registers the rules under test, takes and seals their paper bets before the outcome is known, and decides
// their trials.

import type { AccountId } from '../../domain/account.ts';
import { listActive } from '../../domain/market-event.ts';
import type { EdgeEvidence, PassedRule } from '../../domain/standing-advice.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Store, TrialRecord } from '../../store/ports.ts';
import { priceEvent } from '../../trade/pricing/price-event.ts';
import { RULES_UNDER_TEST } from '../../trade/rules/all-rules.ts';
import { hashRule, type RuleUnderTest, slotAt, toMoment } from '../../trade/rules/rule.ts';
import { judgeTrial } from '../../trade/rules/trial.ts';
import { createJob, type Job } from '../job.ts';
import { draftRegistration, draftTrialBet } from '../sealing/log-drafts.ts';
import { createFactBets } from './fact-bets.ts';
import { isTested, type RunningRule, toBetRecord } from './trial-bets.ts';

export interface TrialOptions {
  accountIds: readonly AccountId[];
  board: BoardReader;
  store: Pick<Store, 'trials' | 'posts' | 'quotes'>;
  clock: Clock;
  logger: Logger;
  rules?: readonly RuleUnderTest[];
  /** Whether the account's backfill is complete; true by default. */
  isPastIn?: (accountId: AccountId) => boolean;
}

export interface TrialJob extends Job {
  /** Rules that may advise. */
  getPassed(): readonly PassedRule[];
  /** Decides trials again; call after a settlement. */
  judge(): Promise<void>;
  /** The registered rules; empty before the first round. */
  listRunning(): readonly RunningRule[];
}

const PERIOD_MS = MINUTE_MS;

export function createTrialJob(options: TrialOptions): TrialJob {
  const { accountIds, board, store, clock, logger, isPastIn = () => true } = options;
  const rules = options.rules ?? RULES_UNDER_TEST;
  const factBets = createFactBets(store);
  let running: readonly RunningRule[] = [];
  let passed: readonly PassedRule[] = [];
  const looked = new Set<string>();
  let lookedSlot = 0;

  async function run(): Promise<void> {
    if (running.length === 0) {
      await register();
      await judge();
    }
    for (const accountId of accountIds) {
      const snapshot = board.find(accountId);
      if (!snapshot || !isPastIn(accountId)) continue;
      await lookDaily(snapshot);
      await lookAtFacts(snapshot);
    }
  }

  async function register(): Promise<void> {
    for (const rule of rules) {
      const trial = toTrial(rule, clock.now());
      await store.trials.register(trial, [draftRegistration(trial)]);
    }
    const known = new Map((await store.trials.list()).map((trial) => [trial.hash, trial]));
    running = rules.map((rule) => {
      const { hash, registeredTs } = known.get(hashRule(rule))!;
      return { rule, hash, registeredTs };
    });
    const current = new Set(running.map(({ hash }) => hash));
    for (const { hash, status } of known.values()) {
      if (status === 'running' && !current.has(hash))
        await store.trials.setStatus(hash, 'withdrawn', clock.now());
    }
  }

  async function judge(): Promise<void> {
    const nowTs = clock.now();
    const trials = new Map((await store.trials.list()).map((trial) => [trial.hash, trial]));
    const bets = (await store.trials.listBets()).filter(({ isRecomputed }) => !isRecomputed);
    const allowed: PassedRule[] = [];
    for (const { rule, hash } of running) {
      const own = bets.filter(({ ruleHash }) => ruleHash === hash);
      const { status, result } = judgeTrial(own, rule.eventsNeeded, nowTs);
      if (status !== trials.get(hash)?.status) {
        await store.trials.setStatus(hash, status, status === 'running' ? null : nowTs);
        logger.info({ rule: rule.name, status, events: result.events }, 'trial status changed');
      }
      if (status === 'passed')
        allowed.push({ name: rule.name, hash, events: result.events, gainLow: result.gainInterval!.lo });
    }
    // Unchanged results stay the same object, so that advice is not published again.
    if (JSON.stringify(allowed) !== JSON.stringify(passed)) passed = allowed;
  }

  async function lookDaily(snapshot: AccountSnapshot): Promise<void> {
    const nowTs = clock.now();
    for (const one of running) {
      const slot = slotAt(one.rule, nowTs);
      if (slot === null) continue;
      if (slot !== lookedSlot) looked.clear();
      lookedSlot = slot;
      for (const state of listActive(snapshot, nowTs)) {
        const key = `${one.hash} ${state.event.eventId}`;
        if (looked.has(key) || !isTested(state.event, one)) continue;
        const priced = priceEvent(snapshot, state, nowTs);
        // Stale inputs may recover within the hour.
        if (!priced || priced.blindness) continue;
        const bets = one.rule
          .findBets(toMoment(priced, nowTs))
          .map((bet) => toBetRecord(bet, one.hash, state.event, { slot, ts: nowTs, isRecomputed: false }));
        await store.trials.recordBets(
          bets,
          bets.map((bet) => draftTrialBet(bet, nowTs)),
        );
        looked.add(key);
      }
    }
  }

  async function lookAtFacts(snapshot: AccountSnapshot): Promise<void> {
    const nowTs = clock.now();
    const bets = await factBets.find(running, snapshot, nowTs);
    if (bets.length === 0) return;
    await store.trials.recordBets(
      bets,
      bets.map((bet) => draftTrialBet(bet, nowTs)),
    );
  }

  return {
    ...createJob({ ...options, name: 'trials', periodMs: PERIOD_MS, run }),
    getPassed: () => passed,
    judge,
    listRunning: () => running,
  };
}

/** Adds the rules that may advise; the same inputs give the same object, so that advice is not published again. */
export function withPassedRules(
  getEvidence: () => EdgeEvidence | undefined,
  getPassed: () => readonly PassedRule[],
): () => EdgeEvidence | undefined {
  let last: { evidence: EdgeEvidence; passed: readonly PassedRule[]; joined: EdgeEvidence } | null = null;
  return () => {
    const evidence = getEvidence();
    const passed = getPassed();
    if (!evidence || passed.length === 0) return evidence;
    if (last?.evidence !== evidence || last.passed !== passed)
      last = { evidence, passed, joined: { ...evidence, passedRules: passed } };
    return last.joined;
  };
}

function toTrial(rule: RuleUnderTest, registeredTs: number): TrialRecord {
  const { name: ruleName, definition, parameters, eventsNeeded } = rule;
  const fixed = { hash: hashRule(rule), ruleName, definition, parameters, eventsNeeded };
  return { ...fixed, registeredTs, status: 'running', decidedTs: null };
}
