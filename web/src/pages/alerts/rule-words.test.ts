import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuleRecord } from '../../api/records.ts';
import {
  type AlertKind,
  describeQuiet,
  describeRule,
  type RuleDraft,
  toDraft,
  toRuleBody,
} from './rule-words.ts';

const PRICE: AlertKind = {
  kind: 'price_moved',
  words: 'A price moves',
  threshold: { label: 'By', unit: 'cents', minimum: 0.01, maximum: 0.5, default: 0.05, step: 0.01 },
};
const SETTLED: AlertKind = { kind: 'settled', words: 'An event settles' };
const KINDS = [PRICE, SETTLED];
const RULE: RuleRecord = {
  rule_id: 'r',
  kind: 'price_moved',
  account: null,
  event_id: null,
  threshold: 0.07,
  channels: ['c1', 'c2'],
  quiet_from: null,
  quiet_to: null,
  quiet_zone: null,
  most_per_hour: 20,
  created_ts: 0,
};
const DRAFT: RuleDraft = toDraft(RULE, KINDS);

describe('alert rule form', () => {
  it("sends the service's units, and omits empty fields", () => {
    assert.deepEqual(toRuleBody(DRAFT, 'UTC'), {
      kind: 'price_moved',
      channels: 'c1,c2',
      most_per_hour: 20,
      threshold: 0.07,
    });
    const night = {
      ...DRAFT,
      kind: SETTLED,
      account: 'account_a',
      quietFrom: '22:00',
      quietTo: '07:00',
    };
    assert.deepEqual(toRuleBody(night, 'Europe/Zurich'), {
      kind: 'settled',
      channels: 'c1,c2',
      most_per_hour: 20,
      account: 'account_a',
      quiet_from: '22:00',
      quiet_to: '07:00',
      quiet_zone: 'Europe/Zurich',
    });
  });

  it('describes a rule in words', () => {
    assert.equal(describeRule(RULE, KINDS), 'A price moves: by 7 cents');
    assert.equal(describeRule({ ...RULE, kind: 'settled', threshold: null }, KINDS), 'An event settles');
    assert.equal(describeRule({ ...RULE, kind: 'counts_apart' }, KINDS), 'counts apart');
    assert.equal(describeQuiet(RULE), 'no quiet hours');
  });
});
