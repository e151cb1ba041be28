// Responses for accounts A and B are exactly as before accounts became configurable (commit 43ea299). Added fields
// are ignored, as the contract allows additions; other differences must be listed in MAY_DIFFER with a reason.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { type Answer, askEverything } from './ask.ts';
import { askAdvice } from './ask-advice.ts';

/** Where values may change, by field path. */
const MAY_DIFFER: readonly { path: RegExp; reason: string }[] = [
  {
    path: /(^|\.)markets\.signal$/,
    reason: "decision 46: the prediction's signal equals the verdict from the signals endpoint",
  },
  {
    path: /\.strategies\.buy$/,
    reason: 'a strategy no longer includes a bucket that the verdict says to sell',
  },
  {
    path: /\.(signals|rows)\.(action|kelly_fraction|suggested_bet|suggested_shares|confidence|reasons|target_shares|target_value)$/,
    reason:
      'decision 54: the bound of the blended probability decides whether to act, and the reason says so',
  },
  {
    path: /\.strategies\.sell$/,
    reason: 'decision 54: an exit is advised if even the upper bound is below the price',
  },
  { path: /(^|\.)summary\.return_(low|high)$/, reason: 'the interval is resampled by event' },
  {
    path: /\.positions\.(sizing|target_value|adjustment|adjustment_shares|reasons)$/,
    reason: 'a position is sized by the same verdict as the signals, within the published stakes',
  },
];

/** Rows of `data` that may be missing. */
const MAY_LEAVE_OUT: readonly {
  request: string;
  isRow(row: Record<string, unknown>): boolean;
  reason: string;
}[] = [
  {
    request: '/performance/ledger by anonymous',
    isRow: (row) => row.settled_ts === null,
    reason: 'paper trades in open events are current signals, which only PRO callers see',
  },
];

const recorded: Answer[] = readFileSync(new URL('./answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('responses for accounts A and B', () => {
  let answers: Map<string, Answer>;
  before(async () => {
    answers = new Map((await askEverything()).map((answer) => [answer.request, answer]));
  });

  for (const then of recorded) {
    it(`are unchanged for ${then.request}`, () => {
      const now = answers.get(then.request)!;
      assert.equal(now.status, then.status);
      const expected = leaveOut(then.request, JSON.parse(then.body));
      const body = keepRecorded(JSON.parse(now.body), expected, '');
      assert.equal(JSON.stringify(body), JSON.stringify(expected));
    });
  }
});

describe('the comparison with recorded responses', () => {
  it('ignores only added fields', () => {
    const then = { a: 1, list: [{ b: 2 }] };
    const keep = (now: unknown) => JSON.stringify(keepRecorded(now, then, ''));
    assert.equal(keep({ a: 1, list: [{ b: 2, added: 3 }], more: [] }), JSON.stringify(then));
    for (const changed of [
      { a: 2, list: [{ b: 2 }] },
      { a: 1, list: [] },
      { list: [{ b: 2 }], a: 1 },
      { a: 1 },
    ])
      assert.notEqual(keep(changed), JSON.stringify(then));
  });
});

/** Returns the current response without fields that the recording lacks. */
function keepRecorded(now: unknown, then: unknown, path: string): unknown {
  if (MAY_DIFFER.some((difference) => difference.path.test(path))) return then;
  if (Array.isArray(now) && Array.isArray(then)) {
    return now.map((item, i) => (i < then.length ? keepRecorded(item, then[i], path) : item));
  }
  if (!isRecord(now) || !isRecord(then)) return now;
  const kept = Object.entries(now).filter(([name]) => name in then);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      keepRecorded(value, then[name], path === '' ? name : `${path}.${name}`),
    ]),
  );
}

function leaveOut(request: string, body: Record<string, unknown>): unknown {
  const rule = MAY_LEAVE_OUT.find((candidate) => candidate.request === request);
  if (!rule) return body;
  const rows = body.data as Record<string, unknown>[];
  return { ...body, data: rows.filter((row) => !rule.isRow(row)) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a new service', () => {
  it('gives the recorded actions, stakes and reasons with the shipped prior', async () => {
    const then = readFileSync(new URL('./advice.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    assert.deepEqual(await askAdvice(), then);
  });
});
