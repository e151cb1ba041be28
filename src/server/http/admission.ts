// Identifies the caller and applies its rate limit, by key or else by address, the same way on every path.

import { resolveClientAddress } from '../../access/client-address.ts';
import type { Identity, KeyDirectory } from '../../access/key-directory.ts';
import { type Allowance, type LimitedCaller, type Limiter, wholeSeconds } from '../../access/limiter.ts';
import type { Answer } from './answer.ts';
import { errorAnswer, unavailable } from './error-responses.ts';
import type { Exchange } from './exchange.ts';
import { API_PREFIX } from './route.ts';

export interface AdmissionOptions {
  directory: KeyDirectory;
  limiter: Limiter;
  trustedProxyHops: number;
  /** Timeout for looking up a key in the store. */
  withDeadline: <T>(work: Promise<T>) => Promise<T>;
}

/** null if admitted. A promise only if a key is looked up in the store. */
export type Admission = Answer | null | Promise<Answer | null>;

export interface Admitter {
  admit(x: Exchange): Admission;
  /** Charges more requests to the same allowance; null if they fit. */
  chargeMore(x: Exchange, requests: number): Answer | null;
  /** Records an invalid payment against the caller's address. */
  chargeRefusedPayment(x: Exchange): void;
}

const API_ROOT = `${API_PREFIX}/`;
/** Calls of one key that may wait for the store or the market at a time. */
const MAX_IN_PROGRESS = 32;
const TOO_MANY_AT_ONCE = errorAnswer(429, `A key may have at most ${MAX_IN_PROGRESS} concurrent calls`, {
  'Retry-After': '1',
});

/** Like every 429, this refusal uses no allowance. */
export function refuseCrowd(x: Exchange): Answer | null {
  const { identity } = x;
  if (identity === null || identity.inHand < MAX_IN_PROGRESS || x.method?.route.isPrepared !== false)
    return null;
  x.caller = identity.caller;
  return TOO_MANY_AT_ONCE;
}

export function createAdmitter(options: AdmissionOptions): Admitter {
  const { directory, limiter } = options;
  const peers = new WeakMap<object, string>();

  function admit(x: Exchange): Admission {
    if (x.apiKey === '') return charge(x);
    const found = directory.find(x.apiKey, x.wallTs);
    if (!(found instanceof Promise)) return withKey(x, found);
    return options.withDeadline(found).then(
      (identity) => withKey(x, identity),
      () => {
        // Public endpoints need no key, so failing to check one is not an error there.
        if (x.method?.route.access === 'public') return charge(x);
        return unavailable('The key could not be checked. Try again shortly.');
      },
    );
  }

  function withKey(x: Exchange, identity: Identity | null): Answer | null {
    x.key = identity ?? 'invalid';
    return refuseCrowd(x) ?? charge(x);
  }

  function charge(x: Exchange): Answer | null {
    if (!isLimited(x)) return null;
    const identity = bringsPayment(x) ? null : x.identity;
    const caller = identity === null ? forAddress(x, allowanceOf(x)) : identity.caller;
    if (x.method?.route.isWaitlist && !isUnlimited(x)) return chargeTwice(x, caller);
    if (bringsPayment(x)) return chargePaying(x, caller);
    return caller === null ? null : settle(x, caller, caller.take());
  }

  /** A payment buys a PRO call, so the PRO limit applies. */
  function allowanceOf(x: Exchange): Allowance {
    return bringsPayment(x) ? 'paid' : anonymousAllowance(x);
  }

  /** Ignores a payment sent along with a PRO key. */
  function bringsPayment(x: Exchange): boolean {
    return x.paymentHeader !== null && (typeof x.key !== 'object' || x.key.tier === 'FREE');
  }

  /** Verifying a payment is expensive, so callers that send many invalid payments are limited. */
  function chargePaying(x: Exchange, caller: LimitedCaller | null): Answer | null {
    const refused = forAddress(x, 'refused');
    if (!refused.hasRoom()) return settle(x, refused, false);
    return caller === null ? null : settle(x, caller, caller.take());
  }

  function chargeRefusedPayment(x: Exchange): void {
    forAddress(x, 'refused').take();
  }

  function forAddress(x: Exchange, allowance: Allowance): LimitedCaller {
    return limiter.forAddress(addressOf(x), allowance);
  }

  /** A connection's peer never changes, so without proxies the address is computed only once per socket. */
  function addressOf(x: Exchange): string {
    const { socket } = x.req;
    if (options.trustedProxyHops > 0 && x.forwardedFor !== '') {
      return resolveClientAddress(socket.remoteAddress, x.forwardedFor, options.trustedProxyHops);
    }
    let address = peers.get(socket);
    if (address === undefined) {
      address = resolveClientAddress(socket.remoteAddress, undefined, 0);
      peers.set(socket, address);
    }
    return address;
  }

  function settle(x: Exchange, caller: LimitedCaller, isGranted: boolean): Answer | null {
    x.caller = caller;
    return isGranted ? null : tooMany(caller);
  }

  /** Checks both allowances before using either, so that a refusal uses neither. */
  function chargeTwice(x: Exchange, caller: LimitedCaller | null): Answer | null {
    const waitlist = forAddress(x, 'waitlist');
    if (!waitlist.hasRoom()) return settle(x, waitlist, false);
    if (caller !== null && !caller.take()) return settle(x, caller, false);
    const granted = waitlist.take();
    const shown = caller !== null && caller.remaining < waitlist.remaining ? caller : waitlist;
    return settle(x, granted ? shown : waitlist, granted);
  }

  function chargeMore(x: Exchange, requests: number): Answer | null {
    const { caller } = x;
    if (caller === null) return null;
    for (let i = 0; i < requests; i++) {
      if (!caller.take()) return tooMany(caller);
    }
    return null;
  }

  return { admit, chargeMore, chargeRefusedPayment };
}

/** True for every path under the API prefix, known or not, except routes without an allowance. */
function isLimited(x: Exchange): boolean {
  if (x.entry === undefined) return x.path.startsWith(API_ROOT) || x.path === API_PREFIX;
  for (const method of x.entry.methods.values()) return method.route.allowance !== 'none';
  return true;
}

function isUnlimited(x: Exchange): boolean {
  return typeof x.key === 'object' && x.key.caller === null;
}

function anonymousAllowance(x: Exchange): Allowance {
  if (x.entry === undefined) return 'other';
  for (const { route } of x.entry.methods.values())
    return route.allowance === 'none' ? 'other' : route.allowance;
  return 'other';
}

function tooMany(caller: LimitedCaller): Answer {
  const seconds = wholeSeconds(caller.resetInMs);
  return errorAnswer(429, `Rate limit exceeded. Try again in ${seconds} seconds.`, {
    'Retry-After': String(seconds),
  });
}
