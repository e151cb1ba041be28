// The waitlist form. Validates before sending and shows errors by field; the service validates again.

import { type FormEvent, useId, useState } from 'react';
import { isWalletAddress } from '../api/browser-wallet.ts';
import { fetchJson, ServiceError } from '../api/request.ts';
import { Choice, Problem } from '../ui/panel.tsx';

type Kind = 'human' | 'agent';
type Draft = { case: string; name: string; wallet: string; email: string };
type Faults = Partial<Record<keyof Draft, string>>;

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'human', label: 'I am a person' },
  { value: 'agent', label: 'I run an agent' },
];

export function WaitlistForm() {
  const [kind, setKind] = useState<Kind>('human');
  const [draft, setDraft] = useState<Draft>({ case: '', name: '', wallet: '', email: '' });
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [position, setPosition] = useState<number | null>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = findFaults(kind, draft);
    setFaults(found);
    setProblem(null);
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      const answer = await register(kind, draft);
      setPosition(answer.position);
    } catch (error) {
      if (error instanceof ServiceError && error.status === 422) setFaults(readFaults(error));
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  }

  if (position !== null)
    return (
      <p className="registered" role="status">
        You are on the list. <strong className="num">Your position: {position}</strong>
      </p>
    );
  const bind = (name: keyof Draft) => ({
    value: draft[name],
    fault: faults[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <Choice label="You are" options={KINDS} value={kind} onChange={setKind} />
      {kind === 'human' ? (
        <Field {...bind('email')} label="Email" type="email" maxLength={150} autoComplete="email" />
      ) : (
        <>
          <Field {...bind('name')} label="Agent name" maxLength={50} />
          <Field {...bind('wallet')} label="Wallet (0x…)" maxLength={42} />
        </>
      )}
      <Field {...bind('case')} label="What would you use it for?" maxLength={500} isLong />
      {problem ? <Problem>{problem}</Problem> : null}
      <button type="submit" className="button button-main" disabled={isSending}>
        {isSending ? 'Sending…' : 'Join the waitlist'}
      </button>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  fault: string | undefined;
  maxLength: number;
  onChange: (value: string) => void;
  type?: string;
  autoComplete?: string;
  isLong?: boolean;
}

function Field({
  label,
  value,
  fault,
  maxLength,
  onChange,
  type = 'text',
  autoComplete,
  isLong,
}: FieldProps) {
  const id = useId();
  const common = {
    id,
    value,
    maxLength,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault ? `${id}-fault` : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea rows={4} {...common} />
      ) : (
        <input type={type} autoComplete={autoComplete} {...common} />
      )}
      {fault ? (
        <p className="field-error" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}

function findFaults(kind: Kind, draft: Draft): Faults {
  const faults: Faults = {};
  if (draft.case.trim() === '') faults.case = 'Describe your plan in one sentence.';
  if (kind === 'human' && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(draft.email)) {
    faults.email = 'Enter an address like name@example.org.';
  }
  if (kind === 'agent' && !/^[a-zA-Z0-9 _-]+$/.test(draft.name)) {
    faults.name = 'Use only letters, digits, spaces, underscores and hyphens.';
  }
  if (kind === 'agent' && !isWalletAddress(draft.wallet))
    faults.wallet = 'Enter 0x followed by 40 hexadecimal digits.';
  return faults;
}

function register(kind: Kind, draft: Draft): Promise<{ status: string; position: number }> {
  const who = kind === 'human' ? { email: draft.email } : { name: draft.name, wallet: draft.wallet };
  return fetchJson(
    '/waitlist',
    {},
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: kind, case: draft.case, ...who }),
    },
  );
}

function readFaults(error: ServiceError): Faults {
  return Object.fromEntries(error.fieldErrors.map((fault) => [String(fault.loc[1] ?? ''), fault.msg]));
}
