import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evidenceOf, quoteOf, RULES } from '../../../test/support/priced-event.ts';
import { violationsDuring } from '../../../test/support/violations.ts';
import { profileOfLetter } from '../../domain/account-profile.ts';
import type { PriceableEvent } from '../pricing/price-event.ts';
import { priceableEvent } from '../pricing/priceable-event.test-support.ts';
import { type AdvisableAccount, createAdviser, createAdvisers } from './adviser.ts';

const NOW_TS = 1_000_000;

const state = (eventId: number, endTs: number, change: Partial<PriceableEvent> = {}) =>
  priceableEvent(eventId, endTs, NOW_TS, change);

function accountOf(...events: PriceableEvent[]): AdvisableAccount {
  const quotes = Object.fromEntries(
    events.flatMap(({ event }) =>
      event.buckets.map(({ yesTokenId }) => [yesTokenId, quoteOf(yesTokenId, 0.4, 0.42)]),
    ),
  );
  return { feeds: [], quotes, jointFinals: null, events, evidence: evidenceOf(1) };
}

describe('adviser', () => {
  it('advises on open events, ordered by end time', () => {
    const account = accountOf(state(1, NOW_TS + 2e6), state(2, NOW_TS + 1e6), state(3, NOW_TS));
    const advised = createAdviser(RULES).advise(account, 1_000, NOW_TS);
    assert.deepEqual(
      advised.map(({ eventId }) => eventId),
      [2, 1],
    );
    assert.equal(advised[0]!.secondsRemaining, 1_000);
  });

  it('lists an event without a forecast but advises no action on it', () => {
    const account = accountOf(state(1, NOW_TS + 1e6, { forecast: null }), state(2, NOW_TS + 2e6));
    const [silent, spoken] = createAdviser(RULES).advise(account, 1_000, NOW_TS);
    assert.deepEqual([silent!.blindness, silent!.signals, silent!.buy], ['there is no forecast yet', [], []]);
    assert.equal(spoken!.signals.length, 2);
    assert.equal(createAdviser(RULES).price(account, NOW_TS).length, 1);
  });

  it('returns nothing for an account without data', () => {
    assert.deepEqual(createAdviser(RULES).advise(undefined, 1_000, NOW_TS), []);
  });

  it('reuses a result for one second, and recomputes for a new state or bankroll', () => {
    const adviser = createAdviser(RULES);
    const account = accountOf(state(1, NOW_TS + 1e6));
    const before = adviser.advise(account, 1_000, NOW_TS);
    assert.equal(adviser.advise(account, 1_000, NOW_TS + 999), before);
    assert.notEqual(adviser.advise(account, 1_000, NOW_TS + 1_000), before);
    assert.notEqual(adviser.advise({ ...account }, 1_000, NOW_TS), before);
    const richer = adviser.advise(account, 2_000, NOW_TS)[0]!.signals[0]!;
    assert.ok(richer.suggestedBetUsd > before[0]!.signals[0]!.suggestedBetUsd);
  });

  it('reports advice based on an input that went stale after pricing', async () => {
    const feed = { feed: 'prices' as const, updatedTs: NOW_TS, staleAfterMs: 1_000, problem: null };
    const account = { ...accountOf(state(1, NOW_TS + 2e6)), feeds: [feed] };
    const adviser = createAdviser(RULES);
    const advise = () => adviser.advise(account, 1_000, NOW_TS);
    adviser.price(account, NOW_TS);
    feed.updatedTs = NOW_TS - 2_000;
    assert.deepEqual(await violationsDuring(advise), ['stale-advice']);
    const silent = createAdviser(RULES);
    assert.deepEqual(await violationsDuring(() => silent.advise(account, 1_000, NOW_TS)), []);
  });

  it('treats one venue as fresh while another has stale prices', async () => {
    const feed = { feed: 'prices' as const, staleAfterMs: 1_000, problem: null };
    const feeds = [
      { ...feed, updatedTs: NOW_TS },
      { ...feed, venue: 'kalshi', updatedTs: null },
    ];
    const account = { ...accountOf(state(1, NOW_TS + 2e6)), feeds };
    const [advised] = createAdviser(RULES).advise(account, 1_000, NOW_TS);
    assert.ok(advised!.signals.some(({ verdict }) => verdict.kind !== 'nothing'));
    assert.deepEqual(await violationsDuring(() => createAdviser(RULES).advise(account, 1_000, NOW_TS)), []);
  });

  it('resizes when a price moves', () => {
    const adviser = createAdviser(RULES);
    const account = accountOf(state(1, NOW_TS + 1e6));
    const token = '1-yes-20';
    const dearer = { ...account, quotes: { ...account.quotes, [token]: quoteOf(token, 0.64, 0.66) } };
    const stakeOf = (of: AdvisableAccount) =>
      adviser.advise(of, 1_000, NOW_TS)[0]!.signals.find(({ tokenId }) => tokenId === token)!.kellyFraction;
    assert.ok(stakeOf(dearer) < stakeOf(account));
  });

  it("is created once per account, with that account's rules", () => {
    const adviserOf = createAdvisers();
    const [a, b] = [profileOfLetter('a'), profileOfLetter('b')];
    assert.equal(adviserOf(a), adviserOf({ ...a }));
    assert.notEqual(adviserOf(a), adviserOf(b));
    assert.deepEqual([adviserOf(a).rules.allowsSell, adviserOf(b).rules.allowsSell], [true, false]);
  });
});
