// Form that issues a key with a tier and an optional expiry in days.

import { type FormEvent, useState } from 'react';

const TIERS = ['PRO', 'FREE'] as const;

export function IssueForm({ onIssue }: { onIssue: (body: object) => Promise<boolean> }) {
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
