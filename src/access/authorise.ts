// Decides whether a caller may use a route, and with which view. Pure.

import type { Tier } from '../store/ports.ts';
import type { Identity } from './key-directory.ts';

/** public: anyone; optional: anyone, with more data for PRO; PRO and INTERNAL: that tier or above. */
export type RouteAccess = 'public' | 'optional' | 'PRO' | 'INTERNAL';

/** How much of the data the call may see. */
export type View = 'public' | 'pro';

/** absent: no key sent; invalid: the key is unknown or revoked. */
export type KeyState = Identity | 'absent' | 'invalid';

export type Verdict =
  | { kind: 'granted'; view: View }
  | { kind: 'pay' }
  | { kind: 'challenge' }
  | { kind: 'denied'; detail: string };

const PUBLIC_VIEW: Verdict = { kind: 'granted', view: 'public' };
const PRO_VIEW: Verdict = { kind: 'granted', view: 'pro' };
const PAY: Verdict = { kind: 'pay' };
const CHALLENGE: Verdict = { kind: 'challenge' };
const INVALID: Verdict = { kind: 'denied', detail: 'Invalid API key' };
const RANK: Record<Tier, number> = { FREE: 0, PRO: 1, INTERNAL: 2 };

export function authorise(
  access: RouteAccess,
  key: KeyState,
  isPaymentOffered: boolean,
  isPaymentSent: boolean,
): Verdict {
  const tier = typeof key === 'object' ? key.tier : null;
  if (access === 'public') return tier !== null && RANK[tier] >= RANK.PRO ? PRO_VIEW : PUBLIC_VIEW;
  if (key === 'invalid') return INVALID;
  if (access === 'INTERNAL') return tier === 'INTERNAL' ? PRO_VIEW : denied('INTERNAL', key);
  if (tier !== null && RANK[tier] >= RANK.PRO) return PRO_VIEW;
  if (isPaymentOffered && isPaymentSent) return PAY;
  if (access === 'optional') return PUBLIC_VIEW;
  return isPaymentOffered && key === 'absent' ? CHALLENGE : denied('PRO', key);
}

function denied(tier: 'PRO' | 'INTERNAL', key: KeyState): Verdict {
  const named = tier === 'PRO' ? 'a PRO' : 'an INTERNAL';
  const required = `${named[0]!.toUpperCase()}${named.slice(1)} key is required in the X-API-Key header`;
  return { kind: 'denied', detail: key === 'absent' ? required : `This call needs ${named} key` };
}
