import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pricedAt, eventOf as pricedEvent, quoteOf, RULES } from '../../../test/support/priced-event.ts';
import type { AdviceHappening, Happening } from '../../domain/happening.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import { buildAccountSignals } from '../advice/signals.test-support.ts';
import { composeActivity, describeRemembered, judgeAdvice, type KnownActivity } from './compose.ts';
import { findSidePrice, type NoticedAccount, notice, startWatch, type Watch } from './notice.ts';

const EVENT = {
  ...{ eventId: 1, accountId: 'a', title: 'posts this week', window: { startTs: 0, endTs: 1e9 } },
  buckets: [200, 220].map((lo) => ({
    ...{ label: `${lo}-${lo + 19}`, lo, hi: lo + 19, yesTokenId: `yes-${lo}`, noTokenId: `no-${lo}` },
    ...{ isOpen: true, listedPrice: null },
  })),
} as unknown as MarketEvent;

/** The model says 60% for the first bucket; the market has the given price. */
function look(price: number, counts: { real: number; oracle: number } = { real: 10, oracle: 10 }) {
  const quotes = [
    quoteOf('yes-200', price - 0.01, price + 0.01),
    quoteOf('no-200', 0.99 - price, 1.01 - price),
  ];
  const account: NoticedAccount = {
    ...{ accountId: 'a', events: [{ event: EVENT, counters: { ...counts, ui: null } }] },
    quotes: Object.fromEntries(quotes.map((quote) => [quote.tokenId, quote])),
  };
  const buckets = [pricedAt(200, 0.6, price), pricedAt(220, 0.4, 0.4)];
  return { account, advice: buildAccountSignals([pricedEvent(buckets, { modelSd: 0 })], 10_000, RULES, 5) };
}

function follow(watch: Watch, price: number, nowTs: number, counts?: { real: number; oracle: number }) {
  const { account, advice } = look(price, counts);
  return { ...notice(watch, account, advice, nowTs), account };
}

const kindsOf = (changed: readonly Happening[]) =>
  changed.map(
    ({ kind, bucketLabel, endedTs }) => `${kind} ${bucketLabel}${endedTs === null ? '' : ' ended'}`,
  );

describe('what is noticed', () => {
  it('is advice when it begins and when it ends, once each, with the price and the reason', () => {
    const begun = follow(startWatch([]), 0.4, 10);
    const given = begun.changed.find((one) => one.bucketLabel === '200-219') as AdviceHappening;
    assert.deepEqual(
      [given.kind, given.content.verdict, given.content.limitPrice, given.fromTs],
      ['advice', 'buy-yes', 0.41, 5],
    );
    assert.deepEqual(follow(begun.watch, 0.4, 20).changed, []);
    const over = follow(begun.watch, 0.6, 1_000);
    const ended = over.changed.find((one) => one.kind === 'advice' && one.bucketLabel === '200-219')!;
    assert.deepEqual([ended.endedTs, (ended as AdviceHappening).content.endPrice], [1_000, 0.6]);
    assert.ok((ended as AdviceHappening).content.endedBecause);
    assert.deepEqual(kindsOf(follow(over.watch, 0.6, 2_000).changed), []);
  });

  it('continues after a restart from what was stored', () => {
    const begun = follow(startWatch([]), 0.4, 10);
    const lasting = [...begun.watch.lasting.values()];
    assert.deepEqual(follow(startWatch(lasting), 0.4, 20).changed, []);
    const gone = notice(startWatch(lasting), { accountId: 'a', events: [], quotes: {} }, [], 30);
    assert.ok(gone.changed.length > 0 && gone.changed.every(({ endedTs }) => endedTs === 30));
  });

  it('is a price jump within minutes, extended while it continues; a slow drift is none', () => {
    let watch = follow(startWatch([]), 0.6, 0).watch;
    const jump = follow(watch, 0.66, MINUTE_MS);
    assert.deepEqual(
      jump.changed.filter(({ kind }) => kind === 'price').map(({ content }) => content),
      [{ fromPrice: 0.6, toPrice: 0.66 }],
    );
    const further = follow(jump.watch, 0.72, 2 * MINUTE_MS).changed.find(({ kind }) => kind === 'price')!;
    assert.deepEqual([further.content, further.fromTs], [{ fromPrice: 0.6, toPrice: 0.72 }, 0]);
    for (let i = 0; i < 10; i++) {
      const next = follow(watch, 0.6 + 0.005 * i, (6 * i + 1) * MINUTE_MS);
      assert.deepEqual(
        next.changed.filter(({ kind }) => kind === 'price'),
        [],
        `${i}`,
      );
      watch = next.watch;
    }
  });

  it('is a count that differs from the oracle by three, until they are within one', () => {
    let watch = startWatch([]);
    const seen = [2, 3, 5, 2, 1].map((behind, i) => {
      const next = follow(watch, 0.6, i, { real: 20, oracle: 20 - behind });
      watch = next.watch;
      return next.changed.filter(({ kind }) => kind === 'counts');
    });
    assert.deepEqual(seen.map(kindsOf), [[], ['counts '], ['counts '], [], ['counts  ended']]);
    assert.deepEqual(seen[4]![0]!.content, { real: 20, oracle: 15 });
  });
});

const ADVICE: AdviceHappening = {
  ...{ accountId: 'a', eventId: 1, kind: 'advice', bucketLabel: '40-49', fromTs: 1_000, endedTs: 4_000 },
  content: {
    ...{ verdict: 'buy-yes', edgeKind: 'fact', limitPrice: 0.57, winProbability: 0.9, sentence: '' },
    ...{ endedBecause: 'Yes ask 57¢ → 87¢', endPrice: 0.86 },
  },
};
const NO = { ...ADVICE, bucketLabel: '30-39', content: { ...ADVICE.content, verdict: 'buy-no' as const } };

describe('remembered advice', () => {
  it('has its price now, and won or lost once the event has settled', () => {
    const cases = [
      [ADVICE, 0.87, undefined, 'Yes 40-49 at 57¢ or less, now 87¢', 'open', 0.3],
      [ADVICE, null, undefined, 'Yes 40-49 at 57¢ or less, now 86¢', 'open', 0.29],
      [{ ...ADVICE, endedTs: null }, 0.6, undefined, 'Yes 40-49 at 57¢ or less, now 60¢', 'active', 0.03],
      [ADVICE, 0.2, '40-49', 'Yes 40-49 at 57¢ or less, won', 'won', 0.43],
      [ADVICE, 0.2, null, 'Yes 40-49 at 57¢ or less, lost', 'lost', -0.57],
      [NO, 0.2, '40-49', 'No 30-39 at 57¢ or less, won', 'won', 0.43],
    ] as const;
    for (const [advice, price, winner, words, state, gain] of cases) {
      const outcome = judgeAdvice(advice, price, winner);
      assert.deepEqual(
        [describeRemembered(advice, outcome), outcome.state, outcome.gainPerShare],
        [words, state, gain],
      );
    }
  });

  it('takes the price of the side it is about', () => {
    const { account } = look(0.3);
    const of = (verdict: 'buy-yes' | 'buy-no') =>
      findSidePrice(account, { ...ADVICE, bucketLabel: '200-219', content: { ...ADVICE.content, verdict } });
    assert.deepEqual([of('buy-yes'), of('buy-no')], [0.3, 0.7]);
  });
});

describe('the activity list', () => {
  const known: KnownActivity = {
    accountId: 'a',
    happenings: [
      ADVICE,
      ...['40-49', '30-39'].map((bucketLabel, i) => ({
        ...{
          accountId: 'a',
          eventId: 1,
          kind: 'price' as const,
          bucketLabel,
          fromTs: 1_000,
          endedTs: 3_000 + i,
        },
        content: i === 0 ? { fromPrice: 0.57, toPrice: 0.86 } : { fromPrice: 0.35, toPrice: 0.02 },
      })),
      {
        ...{ accountId: 'a', eventId: 1, kind: 'counts', bucketLabel: '', fromTs: 2_000, endedTs: null },
        content: { real: 45, oracle: 42 },
      },
    ],
    settlements: [
      { accountId: 'a', eventId: 1, finalCount: 45, winningLabel: '40-49', revision: 1, settledTs: 5_000 },
    ],
    outcomeOf: (advice) => judgeAdvice(advice, null, '40-49'),
  };

  it('has everything that happened, newest first, in words; related price jumps are one item', () => {
    assert.deepEqual(
      composeActivity(known, 0).map(({ ts, kind, text }) => `${ts} ${kind}: ${text}`),
      [
        '5000 settlement: Settled at 45: 40-49 won',
        '4000 advice_ended: Advice on Yes 40-49 ended: Yes ask 57¢ → 87¢',
        '3001 price_jump: 30-39 fell from 35¢ to 2¢, 40-49 rose from 57¢ to 86¢',
        '2000 counts_differ: Counts differ: ours 45, oracle 42',
        '1000 advice: Advised Yes 40-49 at 57¢ or less, won',
      ],
    );
  });

  it('starts after the given time', () => {
    assert.deepEqual(
      composeActivity(known, 4_000).map(({ kind }) => kind),
      ['settlement'],
    );
  });
});
