// Bets of the fact rules: the book some seconds after the post that took our count past a bucket.

import { computeMarketPrice } from '../../domain/book.ts';
import type { MarketBucket } from '../../domain/market-event.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { Store, TrialBetRecord } from '../../store/ports.ts';
import { toMoment } from '../../trade/rules/rule.ts';
import { listCountedTs, listPassedTs } from '../../trade/speed-worth.ts';
import type { PricedBucket } from '../../trade/types.ts';
import { isTested, type RunningRule, toBetRecord } from './trial-bets.ts';

/** Later looks would rest on books from a time when the service may have been down. */
const MAX_LATE_MS = 9 * MINUTE_MS;
/** A bucket can be passed only once, so one bet per rule and bucket. */
const ONLY_SLOT = 0;

export function createFactBets(store: Pick<Store, 'posts' | 'quotes'>) {
  const done = new Set<string>();

  async function readBucket(
    bucket: MarketBucket,
    modelProbability: number,
    ts: number,
  ): Promise<PricedBucket> {
    const [yes, no] = await Promise.all(
      [bucket.yesTokenId, bucket.noTokenId].map((tokenId) => store.quotes.standingAt(tokenId, ts)),
    );
    const marketPrice = computeMarketPrice(yes, null);
    return { ...bucket, modelProbability, marketPrice, yesQuote: yes ?? null, noQuote: no ?? null };
  }

  async function findInEvent(rules: readonly RunningRule[], state: EventState, nowTs: number) {
    const { event, counters } = state;
    const { startTs, endTs } = event.window;
    const isPassed = ({ hi }: MarketBucket) => hi !== null && hi < (counters.real ?? 0);
    const waiting = rules.flatMap((one) =>
      event.buckets
        .map((bucket, i) => ({ one, bucket, i, key: `${one.hash} ${event.eventId} ${bucket.label}` }))
        .filter(({ bucket, key }) => isPassed(bucket) && !done.has(key)),
    );
    if (waiting.length === 0) return [];
    const countedTs = listCountedTs(await store.posts.listTimes(event.accountId, startTs), event.window);
    const passedTs = listPassedTs(event.buckets, countedTs);
    const bets: TrialBetRecord[] = [];
    for (const { one, bucket, i, key } of waiting) {
      const { schedule } = one.rule;
      if (!('passed' in schedule) || passedTs[i] == null) continue;
      const ts = passedTs[i] + schedule.passed.delayMs;
      if (ts > nowTs) continue;
      done.add(key);
      if (nowTs - ts > MAX_LATE_MS) continue;
      const priced = await readBucket(bucket, state.forecast?.bucketProbabilities[i] ?? 0, ts);
      const moment = toMoment({ startTs, endTs, buckets: [priced] }, ts, [passedTs[i]]);
      for (const bet of one.rule.findBets(moment))
        bets.push(toBetRecord(bet, one.hash, event, { slot: ONLY_SLOT, ts, isRecomputed: false }));
    }
    return bets;
  }

  return {
    async find(
      running: readonly RunningRule[],
      { events }: Pick<AccountSnapshot, 'events'>,
      nowTs: number,
    ): Promise<TrialBetRecord[]> {
      const byFact = running.filter(({ rule }) => 'passed' in rule.schedule);
      const bets: TrialBetRecord[] = [];
      for (const state of events) {
        const isOpen = nowTs >= state.event.window.startTs && nowTs < state.event.window.endTs + MAX_LATE_MS;
        const rules = byFact.filter((one) => isTested(state.event, one));
        if (isOpen && rules.length > 0) bets.push(...(await findInEvent(rules, state, nowTs)));
      }
      return bets;
    },
  };
}
