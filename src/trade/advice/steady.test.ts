import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf, evidenceOf, pricedAt, quoteOf, RULES } from '../../../test/support/priced-event.ts';
import type { StandingAdvice } from '../../domain/standing-advice.ts';
import type { PricedEvent } from '../types.ts';
import { type BucketDecision, decideAccount } from './decide-account.ts';

const LABEL = '240-259';

interface Change {
  ask?: number;
  p?: number;
  standing?: StandingAdvice;
  event?: Partial<PricedEvent>;
}

/** A two-bucket ladder; the bucket under test has an ask of 31 cents and is worth 36. */
function look({ ask = 0.31, p = 0.36, standing, event }: Change, nowTs: number): BucketDecision {
  const yesQuote = quoteOf('yes-240', ask - 0.02, ask);
  const ladder = eventOf(
    [pricedAt(240, p, 0.3, { yesQuote, noQuote: null }), pricedAt(260, 1 - p, 0.7, { noQuote: null })],
    { ...event, ...(standing && { standing: { [LABEL]: standing } }) },
  );
  return decideAccount([ladder], RULES, nowTs).events[0]!.buckets[0]!;
}

const first = look({}, 100);

describe('steady advice', () => {
  it('has no reason for a change on the first evaluation', () => {
    assert.equal(first.decision.kind, 'buy-yes');
    assert.deepEqual([first.standing.sinceTs, first.standing.changedBecause], [100, null]);
  });

  it('is the same object while nothing moves', () => {
    const again = look({ standing: first.standing }, 200);
    assert.equal(again.standing, first.standing);
    assert.equal(again.decision.kellyFraction, first.decision.kellyFraction);
  });

  it('does not change while the price moves less than a tick and the blend less than half a point', () => {
    const dearer = look({ ask: 0.319, p: 0.356, standing: first.standing }, 200);
    assert.equal(dearer.decision.kind, 'buy-yes');
    assert.equal(dearer.standing.sinceTs, 100);
  });

  it('changes after a larger price move, and reports the move', () => {
    const { decision, standing } = look({ ask: 0.37, standing: first.standing }, 200);
    assert.equal(decision.kind, 'nothing');
    assert.equal(standing.sinceTs, 200);
    assert.match(standing.changedBecause!, /Yes bid 29¢ → 35¢/);
  });

  it('changes after a larger blend move, and reports the move', () => {
    const { decision, standing } = look({ p: 0.3, standing: first.standing }, 200);
    assert.equal(decision.kind, 'nothing');
    assert.match(standing.changedBecause!, /blended probability 36% → 30%/);
  });

  it('keeps advising a purchase until its bound is half a point below its cost', () => {
    const cost = look({}, 0).decision.price!.netPrice;
    const close = look({ p: cost - 0.001, standing: first.standing, event: { modelSd: 0 } }, 200);
    assert.equal(close.decision.kind, 'buy-yes');
    assert.equal(close.standing.sinceTs, 100);
    const far = look({ p: cost - 0.006, standing: first.standing, event: { modelSd: 0 } }, 200);
    assert.equal(far.decision.kind, 'nothing');
  });

  it('does not start advising a purchase after a negligible move', () => {
    const nothing = look({ p: 0.317, event: { modelSd: 0 } }, 100);
    assert.equal(nothing.decision.kind, 'nothing');
    const barely = look({ p: 0.3215, standing: nothing.standing, event: { modelSd: 0 } }, 200);
    assert.equal(barely.decision.kind, 'nothing');
    assert.equal(barely.standing, nothing.standing);
    const enough = look({ p: 0.3225, standing: nothing.standing, event: { modelSd: 0 } }, 300);
    assert.equal(enough.decision.kind, 'buy-yes');
  });

  it('stops immediately for a stale feed, and reports when it recovers', () => {
    const blind = look({ standing: first.standing, event: { blindness: 'prices are stale' } }, 200);
    assert.equal(blind.decision.kind, 'nothing');
    assert.deepEqual([blind.standing.sinceTs, blind.standing.changedBecause], [200, 'prices are stale']);
    const back = look({ standing: blind.standing }, 300);
    assert.deepEqual([back.decision.kind, back.standing.sinceTs], ['buy-yes', 300]);
  });

  it('stops immediately when model advice halts', () => {
    const evidence = { ...evidenceOf(1), halt: 'model advice halted: 0 of 20 bets won' };
    const halted = look({ standing: first.standing, event: { evidence } }, 200);
    assert.equal(halted.decision.kind, 'nothing');
    assert.match(halted.decision.abstainReason!, /halted/);
  });

  it('does not change a stake because another event moved', () => {
    const other = eventOf([pricedAt(240, 0.5, 0.3), pricedAt(260, 0.5, 0.7)], { eventId: 2 });
    const ladder = eventOf(
      [
        pricedAt(240, 0.36, 0.3, { yesQuote: quoteOf('yes-240', 0.29, 0.31), noQuote: null }),
        pricedAt(260, 0.64, 0.7, { noQuote: null }),
      ],
      { standing: { [LABEL]: first.standing } },
    );
    const [decided] = decideAccount([ladder, other], RULES, 200).events;
    assert.equal(decided!.buckets[0]!.decision.kellyFraction, first.decision.kellyFraction);
  });
});
