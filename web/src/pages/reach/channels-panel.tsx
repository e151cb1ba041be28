// Where notices go: this browser, Telegram, Discord, a webhook.

import { type FormEvent, useId, useState } from 'react';
import type { ChannelCreatedRecord, ChannelRecord } from '../../api/records.ts';
import { Empty, Panel } from '../../ui/panel.tsx';
import { canPush, postJson, subscribeToPush } from './push.ts';
import { type ReachState, remove } from './use-reach.ts';

const NAMES: Record<ChannelRecord['kind'], string> = {
  push: 'Browser',
  telegram: 'Telegram',
  discord: 'Discord',
  webhook: 'Webhook',
};
const STATES: Record<ChannelRecord['state'], string> = {
  ready: 'ready',
  linking: 'waiting for your message to the bot',
  disabled: 'given up: it did not answer',
};

export function ChannelsPanel({ reach }: { reach: ReachState }) {
  const [created, setCreated] = useState<ChannelCreatedRecord | null>(null);
  const { data, error } = reach.channels;
  const channels = data?.data ?? [];
  return (
    <Panel title="Where to" className="channels">
      {data?.data.length === 0 ? <Empty>No channel yet.</Empty> : null}
      {!data ? <Empty>{error ? 'Your channels are not known now.' : 'Loading …'}</Empty> : null}
      <ul className="reach-list">
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
              reach={reach}
            />
          </li>
        ))}
      </ul>
      {created ? <Once created={created} /> : null}
      <div className="button-row">
        {canPush() ? (
          <button
            type="button"
            className="button button-main"
            onClick={() =>
              void reach.change(() => subscribeToPush('This browser'), 'This browser is a channel.')
            }
          >
            Notify this browser
          </button>
        ) : (
          <p className="fine">This browser cannot receive notices.</p>
        )}
        <button
          type="button"
          className="button"
          onClick={async () => setCreated(await create(reach, { kind: 'telegram' }))}
        >
          Link Telegram
        </button>
      </div>
      <AddressForm
        onAdd={async (body) => {
          const made = await create(reach, body);
          setCreated(made);
          return made !== null;
        }}
      />
    </Panel>
  );
}

function create(reach: ReachState, body: object): Promise<ChannelCreatedRecord | null> {
  return reach.change(() => postJson<ChannelCreatedRecord>('/channels', body), 'The channel is there.');
}

/** What is shown this once and never again. */
function Once({ created }: { created: ChannelCreatedRecord }) {
  if (created.link_url)
    return (
      <p className="reach-once">
        Send the bot one message to link it:{' '}
        <a href={created.link_url} rel="noreferrer" target="_blank">
          open the chat
        </a>{' '}
        or write <code>/start {created.link_code}</code>
      </p>
    );
  if (!created.secret) return null;
  return (
    <p className="reach-once">
      Signing secret, shown only now: <code>{created.secret}</code>
    </p>
  );
}

export function Buttons({ what, path, reach }: { what: string; path: string; reach: ReachState }) {
  return (
    <span className="button-row">
      <button
        type="button"
        className="button button-small"
        aria-label={`Test ${what}`}
        onClick={() => void reach.change(() => postJson(`${path}/test`, {}), 'A test notice is on its way.')}
      >
        Test
      </button>
      <button
        type="button"
        className="button button-small"
        aria-label={`Remove ${what}`}
        onClick={() => void reach.change(() => remove(path), 'Removed.')}
      >
        Remove
      </button>
    </span>
  );
}

/** An address that was refused stays, to be mended. */
function AddressForm({ onAdd }: { onAdd: (body: object) => Promise<boolean> }) {
  const id = useId();
  const [kind, setKind] = useState('discord');
  const [url, setUrl] = useState('');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await onAdd({ kind, url: url.trim() })) setUrl('');
  }
  return (
    <form className="reach-form" onSubmit={(event) => void submit(event)}>
      <label htmlFor={`${id}-kind`}>Kind</label>
      <select id={`${id}-kind`} value={kind} onChange={(event) => setKind(event.target.value)}>
        <option value="discord">Discord webhook</option>
        <option value="webhook">Webhook</option>
      </select>
      <label htmlFor={`${id}-url`}>Address</label>
      <input
        id={`${id}-url`}
        type="url"
        required
        placeholder="https://…"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <button type="submit" className="button">
        Add
      </button>
    </form>
  );
}
