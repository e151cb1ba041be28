// Checks which alerts a set of rules produces for successive account states.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNTS, createFeeds, createPost, createSnapshot, NOW_TS } from '../../../test/api/fixture.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { KeyedRule } from '../../store/ports.ts';
import type { VerdictKind } from '../../trade/types.ts';
import { composeAlerts } from './compose.ts';
import { ALERT_KIND_NAMES, type AlertKindName, findThresholdFault } from './kinds.ts';
import { advanceMark, EMPTY_MARK, type Mark } from './mark.ts';
import type { BucketAdvice } from './readings.ts';
import { createHourlyAllowance, createRuleIndex, readConditions } from './rule-index.ts';

const ACCOUNT = ACCOUNTS[0];

function rule(kind: AlertKindName | 'weather', change: Partial<KeyedRule> = {}): KeyedRule {
  return {
    ...{ ruleId: `rule-${kind}`, keyId: 'key-1', kind, accountId: 'a', eventId: null, threshold: null },
    ...{ channelIds: ['chat'], quiet: null, mostPerHour: 20, createdTs: 0, keyExpiresTs: null },
    ...change,
  };
}

interface Moment {
  snapshot: AccountSnapshot;
  nowTs?: number;
  advice?: BucketAdvice[] | null;
}

/** Applies the states one by one and returns the alerts caused by the last one. */
function tell(rules: readonly KeyedRule[], moments: readonly Moment[], sinceTs = 0) {
  const index = createRuleIndex(rules, ['a', 'b']);
  const families = index.familiesOf('a');
  const allowance = createHourlyAllowance([]);
  let mark: Mark = EMPTY_MARK;
  let owed: ReturnType<typeof composeAlerts> = { alerts: [], deliveries: [] };
  for (const { snapshot, nowTs = NOW_TS, advice = null } of moments) {
    const readings = readConditions({ snapshot, nowTs, sinceTs, advice, mark }, families);
    const next = advanceMark(mark, families, readings, nowTs);
    const draft = allowance.draft(nowTs);
    owed = composeAlerts(next.changes, {
      ...{ account: ACCOUNT, index, allowance: draft, publicUrl: 'https://t.example', nowTs, wallTs: nowTs },
    });
    draft.keep();
    mark = next.mark;
  }
  return owed;
}

const words = (owed: ReturnType<typeof tell>) => owed.alerts.map(({ what, eventId }) => [what, eventId]);
const START = createSnapshot('a');

function withEvent(change: (state: EventState) => Partial<EventState>, eventId = 1001): AccountSnapshot {
  const events = START.events.map((state) =>
    state.event.eventId === eventId ? { ...state, ...change(state) } : state,
  );
  return { ...START, events };
}

describe('alert rules', () => {
  it('report nothing while nothing changes', () => {
    const all = ALERT_KIND_NAMES.map((kind) => rule(kind));
    assert.deepEqual(tell(all, [{ snapshot: START }]).alerts, []);
    assert.deepEqual(tell(all, [{ snapshot: START }, { snapshot: START }]).alerts, []);
  });

  it('report a bucket that the count has passed, with a link to that moment', () => {
    const passed = withEvent(({ counters }) => ({ counters: { ...counters, real: 101 } }));
    const owed = tell([rule('bucket_crossed')], [{ snapshot: START }, { snapshot: passed }]);
    assert.deepEqual(words(owed), [['crossed', 1001]]);
    assert.equal(owed.alerts[0]!.link, `https://t.example/#/live/account_a/1001/${NOW_TS}`);
    assert.deepEqual(owed.alerts[0]!.data, { passed_bucket: '<100', bucket: '100-119', real_counter: 101 });
    const back = tell([rule('bucket_crossed')], [{ snapshot: passed }, { snapshot: START }]);
    assert.deepEqual(back.alerts, []);
  });

  it('report when an account goes quiet and posts again, but not while the post feed is stale', () => {
    const rules = [rule('activity', { threshold: 60 })];
    const last = START.recentPosts[0]!.createdTs;
    const live = (nowTs: number) => ({ ...START, feeds: createFeeds(nowTs) });
    const quietTs = last + 61 * MINUTE_MS;
    const awake = { snapshot: live(last), nowTs: last };
    const quiet = { snapshot: live(quietTs), nowTs: quietTs };
    assert.deepEqual(words(tell(rules, [awake, quiet])), [['quiet', null]]);
    assert.deepEqual(tell(rules, [awake, { snapshot: START, nowTs: quietTs }]).alerts, []);
    const post = { ...createPost('a', 0), postId: '9', createdTs: quietTs + 1 };
    const woken = { ...live(quietTs + 1), recentPosts: [post, ...START.recentPosts] };
    const owed = tell(rules, [awake, quiet, { snapshot: woken, nowTs: quietTs + 1 }]);
    assert.deepEqual(words(owed), [['woke', null]]);
  });

  it('report when our count and the oracle differ by the threshold', () => {
    const rules = [rule('counts_apart', { threshold: 5 })];
    const apart = withEvent(({ counters }) => ({ counters: { ...counters, real: 83 } }));
    assert.deepEqual(words(tell(rules, [{ snapshot: START }, { snapshot: apart }])), [['apart', 1001]]);
    const four = withEvent(({ counters }) => ({ counters: { ...counters, real: 82 } }));
    assert.deepEqual(tell(rules, [{ snapshot: START }, { snapshot: four }]).alerts, []);
  });

  it('report a count that reaches a number, once and not if it was there already', () => {
    const at = (real: number): Moment => ({
      snapshot: withEvent(({ counters }) => ({ counters: { ...counters, real } })),
    });
    const rules = [rule('count_reached', { eventId: 1001, threshold: 90 })];
    const owed = tell(rules, [at(80), at(91)]);
    assert.deepEqual(words(owed), [['reached', 1001]]);
    assert.deepEqual(owed.alerts[0]!.data, { real_counter: 91, reached: 90 });
    assert.deepEqual(tell(rules, [at(80), at(91), at(92)]).alerts, []);
    assert.deepEqual(tell(rules, [at(91), at(92)]).alerts, []);
  });

  it('report a feed that goes stale or recovers, but not one that has not responded since the start', () => {
    const dark = { snapshot: START, nowTs: NOW_TS + HOUR_MS };
    assert.equal(tell([rule('feed')], [{ snapshot: START }, dark]).alerts.length, 6);
    const back = { snapshot: { ...START, feeds: createFeeds(dark.nowTs) }, nowTs: dark.nowTs };
    const owed = tell([rule('feed')], [{ snapshot: START }, dark, back]);
    assert.deepEqual([...new Set(owed.alerts.map(({ what }) => what))], ['back']);
    assert.deepEqual(tell([rule('feed')], [{ snapshot: START }, dark], dark.nowTs).alerts, []);
  });

  it('report a price once its small moves add up to the threshold', () => {
    const at = (price: number): Moment => {
      const quote = START.quotes['yes-1001-2']!;
      const moved = { ...quote, bid: price - 0.01, ask: price + 0.01 };
      return { snapshot: { ...START, quotes: { ...START.quotes, 'yes-1001-2': moved } } };
    };
    const rules = [rule('price_moved', { threshold: 0.05 })];
    assert.deepEqual(tell(rules, [at(0.4), at(0.44)]).alerts, []);
    const owed = tell(rules, [at(0.4), at(0.43), at(0.45)]);
    assert.deepEqual(owed.alerts[0]!.data, { bucket: '120-139', from_price: 0.4, market_price: 0.45 });
    assert.deepEqual(tell(rules, [at(0.4), at(0.45), at(0.46)]).alerts, []);
  });

  it('report each new post, each changed count, and an oracle that has caught up', () => {
    const post = { ...createPost('a', 0), postId: 'new' };
    const posted = { ...START, recentPosts: [post, ...START.recentPosts] };
    const captured = tell([rule('post_captured')], [{ snapshot: START }, { snapshot: posted }]);
    assert.deepEqual(
      captured.alerts.map(({ what, data }) => [what, data.tweet_id]),
      [['captured', 'new']],
    );
    const counted = (oracle: number) => ({
      snapshot: withEvent(({ counters }) => ({ counters: { ...counters, real: 90, oracle } })),
    });
    const changed = tell([rule('counts_changed')], [counted(88), counted(89)]);
    assert.deepEqual(words(changed), [['changed', 1001]]);
    assert.deepEqual(words(tell([rule('oracle_caught_up')], [counted(88), counted(89)])), []);
    const level = tell([rule('oracle_caught_up')], [counted(88), counted(90)]);
    assert.deepEqual(words(level), [['caught_up', 1001]]);
  });

  it('report a window that opens, is about to close, or settles', () => {
    const state = START.events.find(({ event }) => event.eventId === 1003)!;
    const { startTs, endTs } = state.event.window;
    const rules = [rule('window', { threshold: 30 }), rule('settled')];
    const at = (nowTs: number) => ({ snapshot: { ...START, events: [state] }, nowTs });
    assert.deepEqual(words(tell(rules, [at(NOW_TS), at(startTs)])), [['opened', 1003]]);
    const closing = tell(rules, [at(NOW_TS), at(startTs), at(endTs - 30 * MINUTE_MS)]);
    assert.deepEqual(words(closing), [['closing', 1003]]);
    const settlement = { finalCount: 130, winningLabel: '120-139', revision: 1 };
    const settled = withEvent(() => ({ settlement }));
    const owed = tell(rules, [{ snapshot: START }, { snapshot: settled }]);
    assert.deepEqual(words(owed), [['settled', 1001]]);
  });

  it('report advice that starts or ends, but nothing before advice is first computed', () => {
    const buy = { eventId: 1001, bucketLabel: '120-139', action: 'BUY', modelProbability: 0.5 };
    const verdict = verdictOf('buy-yes', 'Buy 40 Yes of 120-139 at 41¢ or less: blended probability 48%');
    const advice = [{ ...buy, marketPrice: 0.4, edge: 0.1, verdict }];
    const none = { snapshot: START, advice: [] };
    const begun = tell([rule('advice')], [none, { snapshot: START, advice }]);
    assert.deepEqual(words(begun), [['begun', 1001]]);
    assert.match(begun.alerts[0]!.title, /: Buy 40 Yes of 120-139 at 41¢ or less$/);
    assert.match(begun.alerts[0]!.text, /^Blended probability 48%\. Model 50%, market 40¢\./);
    const some = { snapshot: START, advice };
    assert.deepEqual(tell([rule('advice')], [none, some, { snapshot: START }]).alerts, []);
    assert.deepEqual(words(tell([rule('advice')], [none, some, none])), [['ended', 1001]]);
  });

  it('report advice to buy No, which the action field does not show', () => {
    const sentence = 'Buy 12 No of 120-139 at 54¢ or less: blended probability 61%';
    const skipped = { eventId: 1001, bucketLabel: '120-139', action: 'SKIP', modelProbability: 0.4 };
    const buyNo = { ...skipped, marketPrice: 0.45, edge: -0.05, verdict: verdictOf('buy-no', sentence) };
    const none = { snapshot: START, advice: [] };
    const some = { snapshot: START, advice: [buyNo] };
    assert.match(
      tell([rule('advice')], [none, some]).alerts[0]!.title,
      /: Buy 12 No of 120-139 at 54¢ or less$/,
    );
    assert.match(tell([rule('advice')], [none, some, none]).alerts[0]!.title, /: Buy No of 120-139 ended$/);
  });
});

function verdictOf(kind: VerdictKind, sentence: string): BucketAdvice['verdict'] {
  return { kind, sentence, shares: kind === 'nothing' ? 0 : 12, limitPrice: kind === 'nothing' ? null : 0.4 };
}

describe('alert', () => {
  const passed = withEvent(({ counters }) => ({ counters: { ...counters, real: 101 } }));
  const moments = [{ snapshot: START }, { snapshot: passed }];

  it('is sent once per key even if several rules match, with one delivery per receiver', () => {
    const rules = [
      rule('bucket_crossed', { ruleId: 'r1', channelIds: ['chat', 'hook'] }),
      rule('bucket_crossed', { ruleId: 'r2', eventId: 1001, channelIds: ['chat'] }),
      rule('bucket_crossed', { ruleId: 'r3', keyId: 'key-2', channelIds: [] }),
      rule('bucket_crossed', { ruleId: 'r4', eventId: 1002 }),
      rule('bucket_crossed', { ruleId: 'r5', accountId: 'b' }),
    ];
    const { alerts, deliveries } = tell(rules, moments);
    assert.deepEqual(
      alerts.map(({ keyId, ruleIds }) => [keyId, ruleIds]),
      [
        ['key-1', ['r1', 'r2']],
        ['key-2', ['r3']],
      ],
    );
    assert.deepEqual(deliveries.map(({ webhookId }) => webhookId).sort(), ['chat', 'hook']);
    assert.equal(alerts[1]!.dueTs, null);
  });

  it('has the same id in every process and a different id for each key', () => {
    const ids = (keyId: string) =>
      tell([rule('bucket_crossed', { keyId })], moments).alerts.map(({ alertId }) => alertId);
    assert.deepEqual(ids('key-1'), ids('key-1'));
    assert.notDeepEqual(ids('key-1'), ids('key-2'));
  });

  it('waits for the end of quiet hours, and is listed but not sent above the hourly limit', () => {
    const quiet = { fromMinute: 11 * 60, toMinute: 13 * 60, zone: 'UTC' };
    const held = tell([rule('bucket_crossed', { quiet })], moments);
    assert.equal(held.deliveries[0]!.nextAttemptTs, NOW_TS + HOUR_MS);
    const both = {
      ...passed,
      events: passed.events.map((state) => ({ ...state, counters: { ...state.counters, real: 121 } })),
    };
    const owed = tell([rule('bucket_crossed', { mostPerHour: 1 })], [...moments, { snapshot: both }]);
    assert.equal(owed.alerts.length, 2);
    assert.deepEqual(owed.deliveries, []);
  });

  it('is created while the key also has a rule of a kind that only another release knows', () => {
    const rules = [rule('weather'), rule('bucket_crossed')];
    assert.deepEqual(words(tell(rules, moments)), [['crossed', 1001]]);
  });

  it('is not created for an expired key', () => {
    assert.deepEqual(tell([rule('bucket_crossed', { keyExpiresTs: NOW_TS })], moments).alerts, []);
  });
});

describe('threshold', () => {
  it('is rejected if the rule kind takes none, or if it is out of range or between two steps', () => {
    assert.equal(findThresholdFault('price_moved', 0.07), null);
    assert.equal(findThresholdFault('activity', undefined), null);
    assert.match(findThresholdFault('price_moved', 0.055)!, /0\.01 to 0\.5 in steps of 0\.01/);
    assert.match(findThresholdFault('activity', 5)!, /must be 15 to 1440 minutes/);
    assert.match(findThresholdFault('settled', 1)!, /only applies to activity/);
    assert.notEqual(findThresholdFault('counts_apart', Number.NaN), null);
  });
});

describe('rules of a reader of everything', () => {
  const withPosts = (...ids: string[]): AccountSnapshot => ({
    ...START,
    recentPosts: [...ids.map((postId) => ({ ...createPost('a', 0), postId })), ...START.recentPosts],
  });

  it('report each new post once and no existing posts', () => {
    const posts = (...moments: AccountSnapshot[]) =>
      tell(
        [rule('post_captured')],
        moments.map((snapshot) => ({ snapshot })),
      ).alerts.map(({ data }) => data.tweet_id);
    assert.deepEqual(posts(START), []);
    assert.deepEqual(posts(START, withPosts('new')), ['new']);
    assert.deepEqual(posts(START, withPosts('new'), withPosts('new')), []);
    assert.deepEqual(posts({ ...START, recentPosts: [] }, START), [], 'backfilled posts are not new');
  });

  it('give a change the same id every time, so that a crash neither loses nor repeats it', () => {
    const moments = [{ snapshot: START }, { snapshot: withPosts('new') }];
    const ids = () => tell([rule('post_captured')], moments).deliveries.map((one) => one.deliveryId);
    assert.deepEqual(ids(), ids());
    assert.equal(ids().length, 1);
  });

  it('report changed counts with the event', () => {
    const moved = withEvent(({ counters }) => ({ counters: { ...counters, real: 101 } }));
    const [alert] = tell([rule('counts_changed')], [{ snapshot: START }, { snapshot: moved }]).alerts;
    assert.deepEqual([alert!.eventId, alert!.data.real_counter], [1001, 101]);
  });
});
