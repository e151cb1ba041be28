// Where alerts go: ntfy, Telegram, Discord, a webhook.

import { type FormEvent, type ReactNode, useState } from 'react';
import type { ChannelCreatedRecord, ChannelRecord } from '../../api/records.ts';
import { Button, SmallButton } from '../../ui/button.tsx';
import { InputRow, SelectRow } from '../../ui/controls.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { postJson } from './post-json.ts';
import { type AlertsState, remove } from './use-alerts.ts';

const NAMES: Record<ChannelRecord['kind'], string> = {
  ntfy: 'ntfy',
  telegram: 'Telegram',
  discord: 'Discord',
  webhook: 'Webhook',
};
const STATES: Record<ChannelRecord['state'], string> = {
  ready: 'ready',
  linking: 'waiting for your message to the bot',
  disabled: 'disabled: not responding',
};

export function ChannelsPanel({ alerts }: { alerts: AlertsState }) {
  const [created, setCreated] = useState<ChannelCreatedRecord | null>(null);
  const { data, error } = alerts.channels;
  const channels = data?.data ?? [];
  return (
    <Panel title="Channels" className="channels">
      {data?.data.length === 0 ? <Empty>No channels yet.</Empty> : null}
      {!data ? <Empty>{error ? 'Couldn’t load your channels.' : 'Loading…'}</Empty> : null}
      <ul className="alerts-list">
        {channels.map((channel) => (
          <li key={channel.channel_id} data-channel={channel.channel_id}>
            <p>
              <strong>{channel.label || NAMES[channel.kind]}</strong>{' '}
              <span className="fine">
                {NAMES[channel.kind]}, {channel.target}, {STATES[channel.state]}
              </span>
            </p>
            <Buttons
              what={channel.label || NAMES[channel.kind]}
              path={`/channels/${channel.channel_id}`}
              alerts={alerts}
            />
          </li>
        ))}
      </ul>
      {created ? <Once created={created} /> : null}
      <div className="button-row">
        <Button onClick={async () => setCreated(await create(alerts, { kind: 'telegram' }))}>
          Link Telegram
        </Button>
      </div>
      <AddressForm
        onAdd={async (body) => {
          const made = await create(alerts, body);
          setCreated(made);
          return made !== null;
        }}
      />
    </Panel>
  );
}

function create(alerts: AlertsState, body: object): Promise<ChannelCreatedRecord | null> {
  return alerts.change(() => postJson<ChannelCreatedRecord>('/channels', body), 'Channel added.');
}

/** Shows a new channel's link code or signing secret, which the service returns only once. */
function Once({ created }: { created: ChannelCreatedRecord }) {
  if (created.link_url)
    return (
      <p className="alerts-once">
        To link it,{' '}
        <a href={created.link_url} rel="noreferrer" target="_blank">
          open the bot’s chat
        </a>{' '}
        or send the bot <code>/start {created.link_code}</code>
      </p>
    );
  if (!created.secret) return null;
  return (
    <p className="alerts-once">
      Signing secret, shown only once: <code>{created.secret}</code>
    </p>
  );
}

interface ButtonsProps {
  what: string;
  path: string;
  alerts: AlertsState;
  /** Creates the channel again; absent if removal cannot be undone. */
  undo?: () => Promise<unknown>;
  children?: ReactNode;
}

export function Buttons({ what, path, alerts, undo, children }: ButtonsProps) {
  return (
    <span className="button-row">
      {children}
      <SmallButton
        aria-label={`Test ${what}`}
        onClick={() => void alerts.change(() => postJson(`${path}/test`, {}), 'Test alert sent.')}
      >
        Test
      </SmallButton>
      <SmallButton
        aria-label={`Remove ${what}`}
        onClick={() => void alerts.change(() => remove(path), 'Removed.', undo)}
      >
        Remove
      </SmallButton>
    </span>
  );
}

const KINDS = [
  { value: 'ntfy', label: 'ntfy topic (phone or desktop)' },
  { value: 'discord', label: 'Discord webhook' },
  { value: 'webhook', label: 'Webhook' },
];

/** Keeps a rejected address in the form so that it can be corrected. */
function AddressForm({ onAdd }: { onAdd: (body: object) => Promise<boolean> }) {
  const [kind, setKind] = useState('ntfy');
  const [url, setUrl] = useState('');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await onAdd({ kind, url: url.trim() })) setUrl('');
  }
  return (
    <form className="alerts-form" onSubmit={(event) => void submit(event)}>
      <SelectRow label="Kind" options={KINDS} value={kind} onChange={setKind} />
      <InputRow
        label="Address"
        type="url"
        required
        placeholder={kind === 'ntfy' ? 'https://ntfy.sh/a-long-secret-name' : 'https://…'}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Button type="submit">Add</Button>
    </form>
  );
}
