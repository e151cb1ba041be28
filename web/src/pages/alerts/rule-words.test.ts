import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuleRecord } from '../../api/records.ts';
import { fromBase64Url } from './push.ts';
import { describeQuiet, describeRule, RULE_KINDS, type RuleDraft, toRuleBody } from './rule-words.ts';

const DRAFT: RuleDraft = {
  kind: 'price_moved',
  account: '',
  threshold: 7,
  channels: ['c1', 'c2'],
  quietFrom: '',
  quietTo: '',
  mostPerHour: 20,
};
const RULE: RuleRecord = {
  rule_id: 'r',
  kind: 'price_moved',
  account: null,
  event_id: null,
  threshold: 0.07,
  channels: [],
  quiet_from: null,
  quiet_to: null,
  quiet_zone: null,
  most_per_hour: 20,
  created_ts: 0,
};

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
      kind: 'settled' as const,
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
    assert.equal(describeRule(RULE), 'A price moves: by 7¢');
    assert.equal(
      describeRule({ ...RULE, kind: 'activity', threshold: 90 }),
      'The account wakes or goes quiet: quiet after 90 minutes',
    );
    assert.equal(describeRule({ ...RULE, kind: 'settled', threshold: null }), 'An event settles');
    assert.equal(describeQuiet(RULE), 'no quiet hours');
    assert.equal(RULE_KINDS.length, 8);
  });

  it('decodes a push key to bytes', () => {
    assert.deepEqual([...fromBase64Url('-_8B')], [251, 255, 1]);
  });
});
