// API keys for the operator: usage, issuing, revoking, and a key's recent calls.

import { type FormEvent, useState } from 'react';
import type { Envelope, IssuedKeyRecord, KeyCallRecord, KeyRecord } from '../../api/records.ts';
import { fetchJson } from '../../api/request.ts';
import { useAccess } from '../../live/live-context.tsx';
import { useFetched } from '../../live/use-fetched.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Empty, Failure, NeedsKey, PageHead, Panel, Problem } from '../../ui/panel.tsx';
import { formatCount, formatDayTime, formatDecimal } from '../../words/format.ts';
import { postJson } from '../alerts/push.ts';
import { Endpoint } from '../usage-page.tsx';

export default function SettingsPage() {
  const { tier } = useAccess();
  return (
    <>
      <PageHead title="Settings">API keys on this instance, their usage and calls.</PageHead>
      {tier === 'INTERNAL' ? (
        <Keys />
      ) : (
        <NeedsKey tier="INTERNAL">
          <p>API keys on this instance. Needs an INTERNAL key.</p>
        </NeedsKey>
      )}
    </>
  );
}

function Keys() {
  const keys = useFetched<Envelope<KeyRecord[]>>({ path: '/keys' });
  const [problem, setProblem] = useState<string | null>(null);
  const [issued, setIssued] = useState<IssuedKeyRecord | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);

  async function change<T>(work: () => Promise<T>): Promise<T | null> {
    setProblem(null);
    try {
      return await work();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return null;
    } finally {
      keys.reload();
    }
  }
  const issue = async (body: object) => {
    const made = await change(() => postJson<IssuedKeyRecord>('/keys', body));
    if (made) setIssued(made);
    return made !== null;
  };
  const revoke = (id: string) => change(() => fetchJson(`/keys/${id}`, {}, { method: 'DELETE' }));
  const shown = keys.data?.data.find(({ key_id }) => key_id === shownId);
  return (
    <div className="stack">
      {keys.error ? <Failure error={keys.error} hasOld={keys.data !== null} /> : null}
      {problem ? <Problem>{problem}</Problem> : null}
      <Panel title="Issue a key">
        <IssueForm onIssue={issue} />
        {issued ? (
          <p className="alerts-once" role="status">
            Key for {issued.label}, shown only once: <code>{issued.key}</code>
          </p>
        ) : null}
      </Panel>
      <Panel title="Keys" aside={<span className="fine">Usage over the last 30 days</span>}>
        {keys.data ? (
          <KeyTable keys={keys.data.data} onShow={setShownId} onRevoke={revoke} />
        ) : (
          <Empty>{keys.error ? 'Couldn’t load the keys.' : 'Loading…'}</Empty>
        )}
      </Panel>
      {shown ? <KeyCalls key={shown.key_id} record={shown} /> : null}
    </div>
  );
}

interface TableProps {
  keys: readonly KeyRecord[];
  onShow: (keyId: string) => void;
  onRevoke: (keyId: string) => Promise<unknown>;
}

function KeyTable({ keys, onShow, onRevoke }: TableProps) {
  const columns: DataColumn<KeyRecord>[] = [
    { name: 'Label', className: '', cell: (key) => key.label },
    { name: 'Tier', className: 'text', cell: (key) => key.tier },
    { name: 'Key', className: 'text num', cell: (key) => key.hint },
    { name: 'State', className: 'text', cell: describeState },
    { name: 'Last used', cell: (key) => (key.last_used_ts ? formatDayTime(key.last_used_ts) : 'never') },
    { name: 'Requests', cell: (key) => formatCount(key.requests) },
    { name: 'Errors', cell: (key) => formatCount(key.errors) },
    {
      name: 'Actions',
      className: 'text wrap',
      cell: (record) => <KeyActions {...{ record, onShow, onRevoke }} />,
    },
  ];
  return (
    <DataTable
      label="Key table"
      className="table-cards key-table"
      rows={keys}
      keyOf={(key) => key.key_id}
      columns={columns}
    />
  );
}

type ActionProps = Omit<TableProps, 'keys'> & { record: KeyRecord };

function KeyActions({ record, onShow, onRevoke }: ActionProps) {
  return (
    <span className="key-actions">
      <button
        type="button"
        className="button button-small"
        aria-label={`Calls by ${record.label}, ${record.hint}`}
        onClick={() => onShow(record.key_id)}
      >
        Calls
      </button>
      {record.revoked_ts === null && !record.is_calling ? (
        <RevokeButton record={record} onRevoke={onRevoke} />
      ) : null}
    </span>
  );
}

/** Asks for confirmation: a revoked key never works again. */
function RevokeButton({ record, onRevoke }: { record: KeyRecord; onRevoke: TableProps['onRevoke'] }) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  return (
    <button
      type="button"
      className={`button button-small ${isAsking ? 'is-bad' : ''}`}
      aria-label={`${isAsking ? 'Confirm: revoke' : 'Revoke'} ${record.label}, ${record.hint}`}
      disabled={isBusy}
      onBlur={() => setAsking(false)}
      onClick={async () => {
        if (!isAsking) return setAsking(true);
        setBusy(true);
        await onRevoke(record.key_id);
        setBusy(false);
      }}
    >
      {isAsking ? 'Confirm revoke' : 'Revoke'}
    </button>
  );
}

function describeState({ revoked_ts, expires_ts, is_calling }: KeyRecord): string {
  if (revoked_ts !== null) return `revoked ${formatDayTime(revoked_ts)}`;
  if (expires_ts !== null && expires_ts <= Date.now()) return `expired ${formatDayTime(expires_ts)}`;
  const until = expires_ts === null ? 'active' : `active until ${formatDayTime(expires_ts)}`;
  return is_calling ? `${until}, this key` : until;
}

const TIERS = ['PRO', 'FREE'] as const;

function IssueForm({ onIssue }: { onIssue: (body: object) => Promise<boolean> }) {
  const [label, setLabel] = useState('');
  const [tier, setTier] = useState<string>('PRO');
  const [days, setDays] = useState('');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const done = await onIssue({ tier, label, expires_in_days: days === '' ? null : Number(days) });
    if (done) setLabel('');
  }
  return (
    <form className="toolbar issue-form" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>Label</span>
        <input value={label} required maxLength={100} onChange={(event) => setLabel(event.target.value)} />
      </label>
      <label className="field">
        <span>Tier</span>
        <select value={tier} onChange={(event) => setTier(event.target.value)}>
          {TIERS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Expires in (days)</span>
        <input
          type="number"
          min={1}
          max={3650}
          placeholder="never"
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </label>
      <button type="submit" className="button button-main">
        Issue
      </button>
      <p className="fine">
        INTERNAL keys are issued on the command line: <code>npx tallycast keys issue</code>
      </p>
    </form>
  );
}

function KeyCalls({ record }: { record: KeyRecord }) {
  const { data, error, reload } = useFetched<Envelope<KeyCallRecord[]>>({
    path: `/keys/${record.key_id}/calls`,
  });
  return (
    <Panel
      title={`Calls by ${record.label}`}
      aside={
        <button type="button" className="button button-small" onClick={reload}>
          Reload
        </button>
      }
    >
      {data?.data.length ? (
        <DataTable
          label="Call table"
          rows={data.data}
          keyOf={(call) => `${call.timestamp} ${call.method} ${call.endpoint} ${call.status_code}`}
          columns={CALL_COLUMNS}
        />
      ) : null}
      {data?.data.length === 0 ? <Empty>No calls yet.</Empty> : null}
      {data ? null : <Empty>{error ? 'Couldn’t load the calls.' : 'Loading…'}</Empty>}
    </Panel>
  );
}

const CALL_COLUMNS: readonly DataColumn<KeyCallRecord>[] = [
  { name: 'When', cell: (call) => formatDayTime(call.timestamp) },
  { name: 'Endpoint', className: 'text', cell: (call) => <Endpoint {...call} /> },
  { name: 'Status', cell: (call) => call.status_code },
  { name: 'Requests', cell: (call) => formatCount(call.requests) },
  { name: 'Duration', cell: (call) => `${formatDecimal(call.response_ms, 1)} ms` },
  { name: 'Message', className: 'text wrap', cell: (call) => call.message },
];
