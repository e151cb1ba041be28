// A doctor finding about one capability, and how it is checked: once, with a timeout, and with advice if the
// check fails.

import type { Account } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage, SourceError } from '../../runtime/errors.ts';
import { ShapeError } from '../wire-reader.ts';

/** Capabilities that are checked, per account or shared. */
export type Capability =
  | 'counts'
  | 'posts'
  | 'events'
  | 'prices'
  | 'settlements'
  | 'positions'
  | 'crypto'
  | 'payments';

export interface Finding {
  /** Subject, e.g. 'account_a posts'. */
  subject: string;
  capability: Capability;
  /** Path segment of the account; null if shared by all accounts. */
  account: string | null;
  /** ok: works; warning: works with the limitation in the message; problem: does not work. */
  verdict: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do; null if nothing is needed. */
  advice: string | null;
  /** A response came but could not be read: the platform or this service must change. */
  isUnreadable?: true;
  /** Estimate; absent if free. */
  costUsdPerMonth?: number;
}

/** Account fields that advice refers to. */
export type NamedField = 'HANDLE' | 'PLATFORM_USER_ID' | 'SERIES' | 'POST_SOURCES' | 'RSS_URL';

export interface DoctorOptions {
  clock: Clock;
  /** How to refer to an account's field; its environment variable by default. */
  nameField?(account: Account, field: NamedField): string;
  /** Timeout per check. */
  timeoutMs?: number;
  /** Whether posts should be pushed if a source supports it. */
  usesPush?: boolean;
  /** How long to keep listening to a price stream after its first message. */
  listenMs?: number;
}

export interface Look {
  capability: Capability;
  account: string | null;
  /** Settings behind this source, for the advice. */
  settings: readonly string[];
}

export function nameField(account: Account, field: NamedField, options: DoctorOptions): string {
  return options.nameField?.(account, field) ?? `ACCOUNT_${account.accountId.toUpperCase()}_${field}`;
}

const DEFAULT_TIMEOUT_MS = 20_000;

export async function attempt(
  look: Look,
  options: DoctorOptions,
  action: (signal: AbortSignal) => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await withLimit(options, action);
  } catch (error) {
    return [fromError(look, 'problem', error, errorMessage(error), look.settings)];
  }
}

export async function withLimit<T>(
  options: DoctorOptions,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = new AbortController();
  const cancel = options.clock.after(timeoutMs, () =>
    timeout.abort(new SourceError(`no response within ${timeoutMs} ms`, { isRetryable: true })),
  );
  try {
    return await action(timeout.signal);
  } finally {
    cancel();
  }
}

export function finding(
  { capability, account }: Pick<Look, 'capability' | 'account'>,
  verdict: Finding['verdict'],
  message: string,
  advice: string | null = null,
): Finding {
  const subject = account === null ? capability : `${account} ${capability}`;
  return { subject, capability, account, verdict, message, advice };
}

export function fromError(
  look: Pick<Look, 'capability' | 'account'>,
  verdict: Finding['verdict'],
  error: unknown,
  message: string,
  settings: readonly string[],
): Finding {
  const base = finding(look, verdict, message, adviseOn(error, settings));
  return error instanceof ShapeError ? { ...base, isUnreadable: true } : base;
}

export function ago(ts: number, { clock }: DoctorOptions): string {
  const minutes = Math.max(0, Math.round((clock.now() - ts) / 60_000));
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** Maps a failure to what an operator can do about it. */
export function adviseOn(error: unknown, settings: readonly string[]): string {
  const names = settings.join(', ');
  if (error instanceof ShapeError)
    return 'Try again. If it persists, the platform has changed and you need a newer version of this service.';
  if (!(error instanceof SourceError) || error.status === null) {
    return `Is the address right and reachable from here? See ${names}.`;
  }
  const secret = settings.find((name) => /TOKEN|KEY/.test(name));
  switch (error.status) {
    case 401:
      return secret
        ? `Set ${secret} to a valid credential.`
        : `This source needs a credential; see ${names}.`;
    case 402:
      return 'Out of credit. Top up the account that this credential belongs to.';
    case 403:
      return error.isRetryable
        ? 'A proxy or firewall blocks this machine (often by its network address). Try from another network.'
        : `The credential does not cover this call${secret ? `; check the permissions of ${secret}` : ''}.`;
    case 404:
      return `The source returned "not found". Check ${names}.`;
    case 429:
      return 'Too many requests. Wait, and make sure nothing else uses the same credential.';
    default:
      return error.status >= 500 ? 'The source is failing. Try again later.' : `Check ${names}.`;
  }
}
