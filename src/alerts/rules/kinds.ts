// Every kind of alert, one row each: its words, its threshold, its reader, and the title, text and data of the
// alerts it raises. Types, validation, API document, clients, dashboard form and the table in docs/alerts.md
// are derived from these rows. Wire names appear only in `data` and in the names of kinds and alerts.

import { describeDeletions } from '../../domain/counting-rule.ts';
import type { MarketEvent } from '../../domain/market-event.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/units.ts';
import { centsSign, percent } from '../../trade/advice/reasons.ts';
import {
  type AdviceAction,
  type BucketAdvice,
  type Reader,
  readActivity,
  readAdvice,
  readApart,
  readBuckets,
  readCounts,
  readFeeds,
  readOracleLevel,
  readPosts,
  readPrices,
  readReached,
  readSettlements,
  readWindows,
} from './readings.ts';

export interface Threshold {
  /** Label of the form field. */
  label: string;
  /** What one step is called. */
  unit: string;
  minimum: number;
  maximum: number;
  default: number;
  /** Thresholds must be a multiple of this, so that rules can share evaluations. */
  step: number;
}

interface AlertWords<Facts> {
  /** When the alert is raised, for the documentation. */
  when: string;
  title(facts: Facts): string;
  text(facts: Facts, nowTs: number): string;
  data(facts: Facts): Readonly<Record<string, unknown>>;
}

export interface AlertKind<Alerts = Record<string, unknown>> {
  /** Completes "Alert me when". */
  words: string;
  threshold?: Threshold;
  needsAdvice?: true;
  read: Reader<Alerts>;
  alerts: { [What in keyof NoInfer<Alerts> & string]: AlertWords<NoInfer<Alerts>[What]> };
}

/** Checks that every alert of the reader has its words. */
function defineKind<Alerts>(kind: AlertKind<Alerts>): AlertKind {
  return kind as unknown as AlertKind;
}

export const ALERT_KINDS = {
  advice: defineKind({
    words: 'Advice starts or ends',
    needsAdvice: true,
    read: readAdvice,
    alerts: {
      begun: {
        when: 'advice to buy Yes, buy No or sell began; the title is the order',
        title: ({ advice }) => splitSentence(advice.verdict.sentence).order,
        text: ({ advice }) =>
          `${splitSentence(advice.verdict.sentence).reason} Model ${percent(advice.modelProbability)}, market ${centsSign(advice.marketPrice)}.`,
        data: ({ action, advice }) => ({
          ...presentAdvice(advice.bucketLabel, action, advice),
          shares: advice.verdict.shares,
          limit_price: advice.verdict.limitPrice,
          sentence: advice.verdict.sentence,
        }),
      },
      ended: {
        when: 'it ended',
        title: ({ action, bucketLabel }) => `${ORDERS[action]} ${bucketLabel} ended`,
        text: () => 'The advice has ended.',
        data: ({ action, bucketLabel, advice }) => presentAdvice(bucketLabel, action, advice),
      },
    },
  }),
  bucket_crossed: defineKind({
    words: 'The count enters another bucket',
    read: readBuckets,
    alerts: {
      crossed: {
        when: 'our count passed a bucket',
        title: ({ passed }) => `count passed ${passed}`,
        text: ({ real, bucket }) => `Own count ${real}, now in ${bucket}.`,
        data: ({ passed, bucket, real }) => ({ passed_bucket: passed, bucket, real_counter: real }),
      },
    },
  }),
  activity: defineKind({
    words: 'The account wakes or goes quiet',
    threshold: { label: 'Quiet after', unit: 'minutes', minimum: 15, maximum: 1_440, default: 120, step: 1 },
    read: readActivity,
    alerts: {
      quiet: {
        when: 'no post for this long, unless posts are stale',
        title: ({ minutes }) => `quiet for ${writeMinutes(minutes)}`,
        text: ({ lastPostTs }, nowTs) => `Last post ${writeAge(nowTs - lastPostTs)} ago.`,
        data: ({ minutes, lastPostTs }) => ({ silent_minutes: minutes, last_post_ts: lastPostTs }),
      },
      woke: {
        when: 'the next post',
        title: () => 'posting again',
        text: ({ minutes }) => `First post after ${writeMinutes(minutes)} or more of silence.`,
        data: ({ minutes, postId, createdTs }) => ({
          ...{ silent_minutes: minutes, tweet_id: postId, created_ts: createdTs },
        }),
      },
    },
  }),
  counts_apart: defineKind({
    words: 'Our count and the oracle differ',
    threshold: { label: 'By', unit: 'posts', minimum: 1, maximum: 100, default: 3, step: 1 },
    read: readApart,
    alerts: {
      apart: {
        when: 'our count and the oracle differ by this much',
        title: ({ real, oracle }) => `our count and the oracle differ by ${Math.abs(real - oracle)}`,
        text: ({ real, oracle }) => `Own count ${real}, oracle ${oracle}.`,
        data: ({ real, oracle }) => ({
          ...{ real_counter: real, market_oracle_counter: oracle, apart: real - oracle },
        }),
      },
    },
  }),
  count_reached: defineKind({
    words: 'The count reaches a number',
    threshold: { label: 'Count', unit: 'posts', minimum: 1, maximum: 100_000, default: 100, step: 1 },
    read: readReached,
    alerts: {
      reached: {
        when: 'our count reached this number',
        title: ({ posts }) => `count reached ${posts}`,
        text: ({ real }) => `Own count ${real}.`,
        data: ({ real, posts }) => ({ real_counter: real, reached: posts }),
      },
    },
  }),
  feed: defineKind({
    words: 'A feed becomes stale or recovers',
    read: readFeeds,
    alerts: {
      dark: {
        when: 'a feed became stale',
        title: ({ feed }) => `${nameFeedPlainly(feed)} stale`,
        text: ({ updatedTs }, nowTs) =>
          updatedTs === null
            ? 'It has not responded yet.'
            : `Last update ${writeAge(nowTs - updatedTs)} ago.`,
        data: ({ feed, updatedTs }) => ({ feed, updated_ts: updatedTs }),
      },
      back: {
        when: 'it recovered',
        title: ({ feed }) => `${nameFeedPlainly(feed)} back`,
        text: () => 'The feed has recovered.',
        data: ({ feed, updatedTs }) => ({ feed, updated_ts: updatedTs }),
      },
    },
  }),
  price_moved: defineKind({
    words: 'A price moves',
    threshold: { label: 'By', unit: 'cents', minimum: 0.01, maximum: 0.5, default: 0.05, step: 0.01 },
    read: readPrices,
    alerts: {
      moved: {
        when: 'the price moved this far from the price at the last alert, or from the first price seen',
        title: ({ bucket, marketPrice }) => `${bucket} at ${writeCents(marketPrice)}`,
        text: ({ fromPrice, marketPrice }) => `From ${writeCents(fromPrice)} to ${writeCents(marketPrice)}.`,
        data: ({ bucket, fromPrice, marketPrice }) => ({
          ...{ bucket, from_price: fromPrice, market_price: marketPrice },
        }),
      },
    },
  }),
  window: defineKind({
    words: 'A window opens or is about to close',
    threshold: { label: 'Before the end', unit: 'minutes', minimum: 5, maximum: 1_440, default: 60, step: 1 },
    read: readWindows,
    alerts: {
      opened: {
        when: 'the window opened',
        title: () => 'window opened',
        text: ({ endTs }, nowTs) => `Posts count for the next ${writeAge(endTs - nowTs)}.`,
        data: presentWindow,
      },
      closing: {
        when: 'it ends in this time',
        title: () => 'window closing',
        text: ({ endTs, real }, nowTs) => `${writeAge(endTs - nowTs)} left, own count ${real ?? 'unknown'}.`,
        data: presentWindow,
      },
    },
  }),
  settled: defineKind({
    words: 'An event settles',
    read: readSettlements,
    alerts: {
      settled: {
        when: 'the event settled, or its settlement was revised',
        title: ({ finalCount }) => `settled at ${finalCount}`,
        text: ({ winningLabel }) => `Winner: ${winningLabel ?? 'not known yet'}.`,
        data: ({ finalCount, winningLabel, revision }) => ({
          ...{ final_count: finalCount, winning_bucket: winningLabel, revision },
        }),
      },
    },
  }),
  post_captured: defineKind({
    words: 'A post is captured',
    read: readPosts,
    alerts: {
      captured: {
        when: 'a post was captured',
        title: () => 'new post',
        text: ({ isCounted }) => (isCounted ? 'It counts.' : 'It does not count.'),
        data: ({ postId, createdTs, isCounted, isReply, isQuote, isRetweet }) => ({
          ...{ tweet_id: postId, created_ts: createdTs, is_counted: isCounted },
          ...{ is_reply: isReply, is_quote: isQuote, is_retweet: isRetweet },
        }),
      },
    },
  }),
  counts_changed: defineKind({
    words: 'A count changes',
    read: readCounts,
    alerts: {
      changed: {
        when: "our count, the oracle or the market's counter changed",
        title: ({ state: { counters } }) => `own count ${counters.real ?? 'unknown'}`,
        text: ({ state: { counters } }) =>
          `Oracle ${counters.oracle ?? 'unknown'}, market's counter ${counters.ui ?? 'unknown'}.`,
        data: ({ state, bounds }) => ({
          real_counter: state.counters.real,
          ...(bounds && { real_counter_low: bounds.low, real_counter_high: bounds.high }),
          market_oracle_counter: state.counters.oracle,
          market_ui_counter: state.counters.ui,
        }),
      },
    },
  }),
  oracle_caught_up: defineKind({
    words: 'The oracle catches up with our count',
    read: readOracleLevel,
    alerts: {
      caught_up: {
        when: 'the oracle reached our count',
        title: () => 'oracle caught up',
        text: ({ oracle }) => `Oracle ${oracle}.`,
        data: ({ oracle }) => ({ market_oracle_counter: oracle }),
      },
    },
  }),
} as const;

function presentAdvice(bucket: string, action: string, advice: BucketAdvice | undefined) {
  if (!advice) return { bucket, action };
  const { modelProbability, marketPrice, edge } = advice;
  return { bucket, action, model_prob: modelProbability, market_price: marketPrice, edge };
}

function presentWindow(facts: { title: string; startTs: number; endTs: number; real: number | null }) {
  const { title, startTs, endTs, real } = facts;
  return { event_title: title, start_ts: startTs, end_ts: endTs, real_counter: real };
}

export type AlertKindName = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKindName[];

/** null for a kind that another release has stored. */
export function findKind(name: string): AlertKind | null {
  return Object.hasOwn(ALERT_KINDS, name) ? ALERT_KINDS[name as AlertKindName] : null;
}

/** Why the threshold is invalid for this kind; null if it is valid. */
export function findThresholdFault(name: AlertKindName, threshold: number | undefined): string | null {
  if (threshold === undefined) return null;
  const range = ALERT_KINDS[name].threshold;
  if (!range) {
    const names = ALERT_KIND_NAMES.filter((each) => ALERT_KINDS[each].threshold);
    return `only applies to ${names.join(', ')}`;
  }
  const { minimum, maximum, step } = range;
  const steps = threshold / step;
  const isStep = Math.abs(steps - Math.round(steps)) < 1e-6;
  return threshold >= minimum && threshold <= maximum && isStep
    ? null
    : `for ${name} must be ${describeRange(range)}`;
}

/** "15 to 1440 minutes", or "0.01 to 0.5 in steps of 0.01". */
export function describeRange({ minimum, maximum, unit, step }: Threshold): string {
  return `${minimum} to ${maximum} ${step === 1 ? unit : `in steps of ${step}`}`;
}

// Wording that several alert kinds share. Pure.

export const ORDERS: Record<AdviceAction, string> = {
  BUY: 'Buy Yes of',
  BUY_NO: 'Buy No of',
  SELL: 'Sell',
};

/** Splits "Buy 12 No of 100-119 at 54¢ or less: blended probability 61%" into order and reason. */
function splitSentence(sentence: string): { order: string; reason: string } {
  const [order, ...rest] = sentence.split(': ');
  const reason = rest.join(': ');
  return {
    order: order!,
    reason: reason === '' ? '' : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
  };
}

const FEEDS: Record<string, string> = { own: 'posts', ui: "market's counter" };

/** Prefixes an additional venue's feed with the venue: `kalshi prices`. */
function nameFeedPlainly(feed: string): string {
  const [last, venue] = feed.split('_').reverse();
  const name = FEEDS[last!] ?? last!;
  return venue === undefined ? name : `${venue} ${name}`;
}

/** Adds an additional venue and its counting rule, to distinguish it from the first venue's event. */
export function nameEvent({ title, terms }: MarketEvent): string {
  if (!terms) return title;
  const venue = terms.venue.charAt(0).toUpperCase() + terms.venue.slice(1);
  return `${title} (${venue}, ${describeDeletions(terms.countingRule)})`;
}

function writeAge(ms: number): string {
  return writeMinutes(ms / MINUTE_MS);
}

function writeMinutes(value: number): string {
  const minutes = Math.max(0, Math.round(value));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round((minutes * MINUTE_MS) / HOUR_MS);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function writeCents(price: number): string {
  return `${Math.round(price * 1000) / 10} ¢`;
}
