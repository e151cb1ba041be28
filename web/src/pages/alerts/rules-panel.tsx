// The key's alert rules, and a form to add one.

import { type FormEvent, useId, useState } from 'react';
import type { ChannelRecord, RuleRecord } from '../../api/records.ts';
import { useLabel, useLive } from '../../live/live-context.tsx';
import { Button, MainButton, SmallButton } from '../../ui/button.tsx';
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
  const id = useId();
  const { config } = useLive();
  const [draft, setDraft] = useState<RuleDraft>(
    edited ? toDraft(edited, kinds) : { ...FIRST, kind: findKind(kinds, 'advice') },
  );
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
      <label htmlFor={`${id}-kind`}>Alert me when</label>
      <select
        id={`${id}-kind`}
        value={draft.kind.kind}
        onChange={({ target }) => {
          const kind = findKind(kinds, target.value as RuleRecord['kind']);
          put({ kind, steps: toSteps(kind, null) });
        }}
      >
        {kinds.map(({ kind, words }) => (
          <option key={kind} value={kind}>
            {words}
          </option>
        ))}
      </select>
      <ThresholdField id={`${id}-threshold`} draft={draft} put={put} />
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
      <QuietFields id={id} draft={draft} put={put} />
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

interface FieldProps {
  id: string;
  draft: RuleDraft;
  put: (part: Partial<RuleDraft>) => void;
}

function ThresholdField({ id, draft, put }: FieldProps) {
  const { threshold } = draft.kind;
  if (!threshold) return null;
  return (
    <>
      <label htmlFor={id}>
        {threshold.label} ({threshold.unit})
      </label>
      <input
        id={id}
        type="number"
        className="num"
        min={toSteps(draft.kind, threshold.minimum)}
        max={toSteps(draft.kind, threshold.maximum)}
        required
        value={draft.steps}
        onChange={({ target }) => put({ steps: target.valueAsNumber })}
      />
    </>
  );
}

function QuietFields({ id, draft, put }: FieldProps) {
  return (
    <>
      <label htmlFor={`${id}-from`}>Quiet from</label>
      <input
        id={`${id}-from`}
        type="time"
        value={draft.quietFrom}
        onChange={({ target }) => put({ quietFrom: target.value })}
      />
      <label htmlFor={`${id}-to`}>Quiet until</label>
      <input
        id={`${id}-to`}
        type="time"
        value={draft.quietTo}
        onChange={({ target }) => put({ quietTo: target.value })}
      />
    </>
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
