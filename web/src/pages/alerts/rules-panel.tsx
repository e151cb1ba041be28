// The alert rules of the key, and a form for another.

import { type FormEvent, useId, useState } from 'react';
import type { ChannelRecord, RuleRecord } from '../../api/records.ts';
import { useLabel, useLive } from '../../live/live-context.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { plural } from '../../words/format.ts';
import { browserZone } from '../live/use-hourly.ts';
import { Buttons } from './channels-panel.tsx';
import { postJson } from './push.ts';
import {
  describeQuiet,
  describeRule,
  RULE_KINDS,
  RULE_WORDS,
  type RuleDraft,
  toRuleBody,
} from './rule-words.ts';
import type { AlertsState } from './use-alerts.ts';

export function RulesPanel({ alerts }: { alerts: AlertsState }) {
  const { data, error } = alerts.rules;
  const rules = data?.data ?? [];
  return (
    <Panel title="Rules" className="rules">
      {data?.data.length === 0 ? <Empty>No rules yet. Add one below.</Empty> : null}
      {!data ? <Empty>{error ? 'Couldn’t load your rules.' : 'Loading …'}</Empty> : null}
      <ul className="alerts-list">
        {rules.map((rule) => (
          <Rule key={rule.rule_id} rule={rule} alerts={alerts} />
        ))}
      </ul>
      <RuleForm alerts={alerts} channels={alerts.channels.data?.data ?? null} />
    </Panel>
  );
}

function Rule({ rule, alerts }: { rule: RuleRecord; alerts: AlertsState }) {
  const label = useLabel(rule.account ?? '');
  const words = describeRule(rule);
  return (
    <li data-rule={rule.rule_id}>
      <p>
        <strong>{words}</strong>{' '}
        <span className="fine">
          {rule.account ? label : 'every account'}, {plural(rule.channels.length, 'channel')},{' '}
          {describeQuiet(rule)}, at most {rule.most_per_hour} an hour
        </span>
      </p>
      <Buttons what={words} path={`/rules/${rule.rule_id}`} alerts={alerts} />
    </li>
  );
}

const FIRST: RuleDraft = {
  kind: 'advice',
  account: '',
  threshold: 0,
  channels: [],
  quietFrom: '',
  quietTo: '',
  mostPerHour: 20,
};

function RuleForm({ alerts, channels }: { alerts: AlertsState; channels: readonly ChannelRecord[] | null }) {
  const id = useId();
  const { config } = useLive();
  const [draft, setDraft] = useState(FIRST);
  const put = (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part });
  const { threshold } = RULE_WORDS[draft.kind];
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const body = toRuleBody(draft, browserZone());
    await alerts.change(() => postJson('/rules', body), 'Rule added.');
  }
  return (
    <form className="alerts-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor={`${id}-kind`}>Alert me when</label>
      <select
        id={`${id}-kind`}
        value={draft.kind}
        onChange={({ target }) => {
          const kind = target.value as RuleDraft['kind'];
          put({ kind, threshold: RULE_WORDS[kind].threshold?.usual ?? 0 });
        }}
      >
        {RULE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {RULE_WORDS[kind].words}
          </option>
        ))}
      </select>
      {threshold ? (
        <>
          <label htmlFor={`${id}-threshold`}>
            {threshold.label} ({threshold.unit})
          </label>
          <input
            id={`${id}-threshold`}
            type="number"
            className="num"
            min={threshold.min}
            max={threshold.max}
            step={1}
            required
            value={draft.threshold}
            onChange={({ target }) => put({ threshold: target.valueAsNumber })}
          />
        </>
      ) : null}
      <label htmlFor={`${id}-account`}>Account</label>
      <select
        id={`${id}-account`}
        value={draft.account}
        onChange={({ target }) => put({ account: target.value })}
      >
        <option value="">Every account</option>
        {(config?.accounts ?? []).map(({ segment, label }) => (
          <option key={segment} value={segment}>
            {label}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-from`}>Quiet from</label>
      <input
        id={`${id}-from`}
        type="time"
        value={draft.quietFrom}
        onChange={({ target }) => put({ quietFrom: target.value })}
      />
      <label htmlFor={`${id}-to`}>until</label>
      <input
        id={`${id}-to`}
        type="time"
        value={draft.quietTo}
        onChange={({ target }) => put({ quietTo: target.value })}
      />
      <label htmlFor={`${id}-most`}>Limit per hour</label>
      <input
        id={`${id}-most`}
        type="number"
        className="num"
        min={1}
        max={60}
        required
        value={draft.mostPerHour}
        onChange={({ target }) => put({ mostPerHour: target.valueAsNumber })}
      />
      <ChannelChoice
        channels={channels}
        chosen={draft.channels}
        onChange={(next) => put({ channels: next })}
      />
      <button type="submit" className="button button-main">
        Add rule
      </button>
    </form>
  );
}

interface ChoiceProps {
  /** null until they are known. */
  channels: readonly ChannelRecord[] | null;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function ChannelChoice({ channels, chosen, onChange }: ChoiceProps) {
  if (channels === null) return null;
  if (channels.length === 0)
    return <p className="fine">Without a channel, alerts are only listed on this page.</p>;
  return (
    <fieldset className="alerts-channels">
      <legend>Send to</legend>
      {channels.map(({ channel_id, label, kind }) => (
        <label key={channel_id}>
          <input
            type="checkbox"
            checked={chosen.includes(channel_id)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...chosen, channel_id] : chosen.filter((known) => known !== channel_id),
              )
            }
          />
          {label || kind}
        </label>
      ))}
    </fieldset>
  );
}
