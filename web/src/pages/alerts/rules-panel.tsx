// The key's alert rules, and a form to add one.

import { type FormEvent, useState } from 'react';
import type { ChannelRecord, RuleRecord } from '../../api/records.ts';
import { useLabel, useLive } from '../../live/live-context.tsx';
import { Button, MainButton, SmallButton } from '../../ui/button.tsx';
import { InputRow, SelectRow } from '../../ui/controls.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { plural } from '../../words/format.ts';
import { getBrowserZone } from '../../words/zone.ts';
import { Buttons } from './channels-panel.tsx';
import { postJson } from './post-json.ts';
import {
  type AlertKind,
  describeQuiet,
  describeRule,
  findKind,
  type RuleDraft,
  toDraft,
  toRuleBody,
  toSteps,
} from './rule-words.ts';
import type { AlertsState } from './use-alerts.ts';

export function RulesPanel({ alerts }: { alerts: AlertsState }) {
  const { data, error } = alerts.rules;
  const [edited, setEdited] = useState<RuleRecord | null>(null);
  const kinds = useLive().config?.alert_kinds;
  const rules = data?.data ?? [];
  return (
    <Panel title="Rules" className="rules">
      {data?.data.length === 0 ? <Empty>No rules yet. Add one below.</Empty> : null}
      {!data ? <Empty>{error ? 'Couldn’t load your rules.' : 'Loading…'}</Empty> : null}
      <ul className="alerts-list">
        {rules.map((rule) => (
          <Rule
            key={rule.rule_id}
            rule={rule}
            kinds={kinds ?? []}
            alerts={alerts}
            onEdit={() => setEdited(rule)}
          />
        ))}
      </ul>
      {kinds ? (
        <RuleForm
          key={edited?.rule_id ?? 'new'}
          kinds={kinds}
          alerts={alerts}
          edited={edited}
          onEnd={() => setEdited(null)}
          channels={alerts.channels.data?.data ?? null}
        />
      ) : null}
    </Panel>
  );
}

interface RuleProps {
  rule: RuleRecord;
  kinds: readonly AlertKind[];
  alerts: AlertsState;
  onEdit: () => void;
}

function Rule({ rule, kinds, alerts, onEdit }: RuleProps) {
  const label = useLabel(rule.account ?? '');
  const words = describeRule(rule, kinds);
  const undo = () =>
    postJson('/rules', toRuleBody(toDraft(rule, kinds), rule.quiet_zone ?? getBrowserZone(), rule.event_id));
  return (
    <li data-rule={rule.rule_id}>
      <p>
        <strong>{words}</strong>{' '}
        <span className="fine">
          {rule.account ? label : 'every account'},{' '}
          {rule.channels.length === 0 ? 'no channel' : plural(rule.channels.length, 'channel')},{' '}
          {describeQuiet(rule)}, at most {rule.most_per_hour} an hour
        </span>
      </p>
      <Buttons what={words} path={`/rules/${rule.rule_id}`} alerts={alerts} undo={undo}>
        <SmallButton aria-label={`Edit ${words}`} onClick={onEdit}>
          Edit
        </SmallButton>
      </Buttons>
    </li>
  );
}

const FIRST: Omit<RuleDraft, 'kind'> = {
  account: '',
  steps: 0,
  channels: [],
  quietFrom: '',
  quietTo: '',
  mostPerHour: 20,
};

interface FormProps {
  kinds: readonly AlertKind[];
  alerts: AlertsState;
  /** null for a new rule. */
  edited: RuleRecord | null;
  onEnd: () => void;
  channels: readonly ChannelRecord[] | null;
}

function RuleForm({ kinds, alerts, edited, onEnd, channels }: FormProps) {
  const { config } = useLive();
  const accounts = (config?.accounts ?? []).map(({ segment, label }) => ({ value: segment, label }));
  const [draft, setDraft] = useState<RuleDraft>(
    edited ? toDraft(edited, kinds) : { ...FIRST, kind: findKind(kinds, 'advice') },
  );
  const { threshold } = draft.kind;
  const put = (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part });
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const body = toRuleBody(draft, edited?.quiet_zone ?? getBrowserZone(), edited?.event_id ?? null);
    if (!edited) return void (await alerts.change(() => postJson('/rules', body), 'Rule added.'));
    const path = `/rules/${edited.rule_id}`;
    if (await alerts.change(() => postJson(path, body), 'Rule changed.')) onEnd();
  }
  return (
    <form className="alerts-form" onSubmit={(event) => void submit(event)}>
      <SelectRow
        label="Alert me when"
        options={kinds.map(({ kind, words }) => ({ value: kind, label: words }))}
        value={draft.kind.kind}
        onChange={(name) => {
          const kind = findKind(kinds, name as RuleRecord['kind']);
          put({ kind, steps: toSteps(kind, null) });
        }}
      />
      {threshold ? (
        <InputRow
          label={`${threshold.label} (${threshold.unit})`}
          type="number"
          className="num"
          min={toSteps(draft.kind, threshold.minimum)}
          max={toSteps(draft.kind, threshold.maximum)}
          required
          value={draft.steps}
          onChange={({ target }) => put({ steps: target.valueAsNumber })}
        />
      ) : null}
      <SelectRow
        label="Account"
        options={[{ value: '', label: 'Every account' }, ...accounts]}
        value={draft.account}
        onChange={(account) => put({ account })}
      />
      <InputRow
        label="Quiet from"
        type="time"
        value={draft.quietFrom}
        onChange={({ target }) => put({ quietFrom: target.value })}
      />
      <InputRow
        label="Quiet until"
        type="time"
        value={draft.quietTo}
        onChange={({ target }) => put({ quietTo: target.value })}
      />
      <InputRow
        label="Limit per hour"
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
      <div className="button-row">
        <MainButton
          type="submit"
          onClick={(event) => {
            // The second click of a double click would add the rule again.
            if (event.detail > 1) event.preventDefault();
          }}
        >
          {edited ? 'Save rule' : 'Add rule'}
        </MainButton>
        {edited ? <Button onClick={onEnd}>Cancel</Button> : null}
      </div>
    </form>
  );
}

interface ChoiceProps {
  /** null until loaded. */
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
