// Does a payment fit what the route asks? Everything that can be told without the chain is told here,
// so that nothing is reserved and nobody is asked for a payment that cannot be right.

import { deepEqual } from '@x402/core/utils';
import type { PaidRoute } from '../../payment-gate.ts';
import type { FacilitatorRequest } from './facilitator-client.ts';
import type { SentPayment } from './parse-payment.ts';
import type { PaymentTerms } from './payment-terms.ts';

/** Facilitators want at least this much time left to settle. */
const MIN_REMAINING_S = 6;

export type MatchedPayment =
  /** `timeFault` says that it is too late, or too early, to settle it. */
  { ok: true; request: FacilitatorRequest; timeFault: string | null } | { ok: false; reason: string };

export function matchPayment(
  terms: PaymentTerms,
  payment: SentPayment,
  route: PaidRoute,
  nowTs: number,
): MatchedPayment {
  const required = terms.v2(route);
  const { authorization } = payment;
  const nowS = Math.floor(nowTs / 1000);
  const reason = findMismatch();
  if (reason) return { ok: false, reason };
  return {
    ok: true,
    request: { payload: rebuild(), requirements: payment.version === 1 ? terms.v1(route) : required },
    timeFault: findTimeFault(),
  };

  /** What is judged and settled is what was read here and is reserved, and nothing else that the header held. */
  function rebuild(): object {
    const { version, scheme, network, signature } = payment;
    const payload = { signature, authorization };
    return version === 1
      ? { x402Version: 1, scheme, network, payload }
      : { x402Version: 2, accepted: required, payload };
  }

  function findMismatch(): string | null {
    const network = payment.version === 1 ? terms.networkV1 : terms.network;
    if (payment.scheme !== 'exact') return `scheme ${payment.scheme} is not offered`;
    if (payment.network !== network) return `network ${payment.network} is not offered`;
    if (payment.version === 2 && !isAcceptedOffer(payment.accepted, required)) {
      return 'the accepted terms are not those offered for this route';
    }
    if (authorization.to.toLowerCase() !== required.payTo.toLowerCase()) return 'recipient mismatch';
    if (authorization.value !== required.amount) return 'amount mismatch';
    return null;
  }

  function findTimeFault(): string | null {
    if (BigInt(authorization.validBefore) < BigInt(nowS + MIN_REMAINING_S)) return 'authorization expired';
    if (BigInt(authorization.validAfter) > BigInt(nowS)) return 'authorization not yet valid';
    return null;
  }
}

/** The client echoes the offer it chose; it may add to `extra`, and addresses may differ in case. */
function isAcceptedOffer(accepted: unknown, required: object): boolean {
  const sent = normalise(accepted);
  const offered = normalise(required);
  if (!sent || !offered) return false;
  const { extra: sentExtra, ...sentCore } = sent;
  const { extra: offeredExtra, ...offeredCore } = offered;
  return deepEqual(sentCore, offeredCore) && containsAll(offeredExtra, sentExtra);
}

function normalise(terms: unknown): Record<string, unknown> | null {
  if (typeof terms !== 'object' || terms === null) return null;
  const { asset, payTo, ...rest } = terms as Record<string, unknown>;
  return { ...rest, asset: String(asset).toLowerCase(), payTo: String(payTo).toLowerCase() };
}

function containsAll(offered: unknown, sent: unknown): boolean {
  const sentFields = (sent ?? {}) as Record<string, unknown>;
  return Object.entries((offered ?? {}) as object).every(([name, value]) =>
    deepEqual(sentFields[name], value),
  );
}
