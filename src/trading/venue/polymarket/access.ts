// Whether this account may trade from here: location, account restrictions, and the session key's lifetime.

import type { Access } from '../../types.ts';
import { readAmount, readFields, readFlag, readList } from '../answer-fields.ts';
import { expectOk, type Session, type SessionOptions, TIMEOUT_MS } from './session.ts';

const DAY_MS = 86_400_000;
/** A new session key needs the owner, so warn early. */
const WARN_DAYS = 7;

export interface AccessOptions extends SessionOptions {
  geoblockUrl: string | null;
  sessionExpiresTs?: number | null;
}

export function createAccessCheck(options: AccessOptions, session: Session): () => Promise<Access> {
  return async () => {
    const blocked = await findBlock(options.geoblockUrl, options.fetch);
    if (blocked !== null) return refuse(`trading is blocked from ${blocked}`);
    const mode = await expectOk(session.signed('GET', '/auth/ban-status/closed-only'));
    if (readFlag(readFields(mode, 'closed_only'), 'closed_only'))
      return refuse('the account may only close positions');
    return options.signer.isSession ? checkSession(options, session) : { isAllowed: true, reason: '' };
  };
}

/** The blocked country; null if trading is allowed from here. */
export async function findBlock(url: string | null, ask: typeof fetch = fetch): Promise<string | null> {
  if (url === null) return null;
  const response = await ask(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { blocked, country } = (await response.json()) as { blocked?: boolean; country?: string };
  return blocked === false ? null : (country ?? 'here');
}

async function checkSession(options: AccessOptions, session: Session): Promise<Access> {
  const expiresTs = await findSessionEnd(options, session);
  if (expiresTs === 'missing')
    return refuse('the session key is not authorised for this wallet; run npx tallycast trade setup');
  if (expiresTs === null)
    return {
      isAllowed: true,
      reason: '',
      warning: 'the end of the session key is unknown; pass --session-expires',
    };
  const day = new Date(expiresTs).toISOString().slice(0, 10);
  const leftMs = expiresTs - options.clock.now();
  if (leftMs <= 0) return refuse(`the session key expired on ${day}; run npx tallycast trade setup`);
  const warning = `the session key expires on ${day}; have the owner authorise a new one`;
  return { isAllowed: true, reason: '', ...(leftMs < WARN_DAYS * DAY_MS ? { warning } : {}) };
}

/** Some exchanges list session keys only to the owner; then only the operator knows the end. */
export async function findSessionEnd(
  options: AccessOptions,
  { signed }: Pick<Session, 'signed'>,
): Promise<number | 'missing' | null> {
  const reply = await signed('GET', '/v1/user/session-signers');
  if (reply.status >= 500) throw new Error(`session keys could not be listed: ${reply.status}`);
  if (reply.status !== 200) return options.sessionExpiresTs ?? null;
  const signers = readList(readFields(reply.body, 'session signers').signers, 'signers');
  const own = options.signer.account.address.toLowerCase();
  const found = signers
    .map((one) => readFields(one, 'signers'))
    .find(({ address }) => String(address).toLowerCase() === own);
  return found ? 1000 * readAmount(found, 'valid_until') : 'missing';
}

function refuse(reason: string): Access {
  return { isAllowed: false, reason };
}
