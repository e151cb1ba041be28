// Verifies and settles payments through the x402 package, and distinguishes a refusal from a missing answer: only an
// explicit verdict counts.

import { HTTPFacilitatorClient } from '@x402/core/http';
import { x402ResourceServer } from '@x402/core/server';
import { type PaymentPayload, type PaymentRequirements, SettleError, VerifyError } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { errorMessage } from '../runtime/errors.ts';
import type { SentPayment } from './parse-payment.ts';
import type { PaidRequest, PaymentSettings } from './payment-gate.ts';
import type { PaymentTerms } from './terms.ts';

/** Payload and requirements in the same protocol version. */
export interface SignedOffer {
  payload: PaymentPayload;
  requirements: PaymentRequirements;
}

export type VerifyAnswer =
  | { kind: 'valid' }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string };

export type SettleAnswer =
  | { kind: 'settled'; transaction: string }
  /** The authorisation was used before: the payer has paid. */
  | { kind: 'used' }
  /** Rejected, and no transaction was sent. */
  | { kind: 'refused'; reason: string }
  /** May have settled: no answer, or a transaction that is not confirmed. */
  | { kind: 'unknown'; reason: string };

export interface Facilitator {
  /** null if the payment does not accept the terms of this request. */
  match(payment: SentPayment, request: PaidRequest): SignedOffer | null;
  verify(offer: SignedOffer): Promise<VerifyAnswer>;
  settle(offer: SignedOffer): Promise<SettleAnswer>;
}

const TIMEOUT_MS = 30_000;
/** Facilitators name this case differently, and some repeat the token contract's own words. */
const USED = /(authorization|nonce).*used/i;

export function createFacilitator(settings: PaymentSettings, terms: PaymentTerms): Facilitator {
  const server = new x402ResourceServer(createClient(settings));
  for (const network of [terms.network, terms.networkV1])
    if (network !== null) server.register(network as `${string}:${string}`, new ExactEvmScheme());

  return {
    match: (payment, request) => matchOffer(server, terms, payment, request),
    async verify({ payload, requirements }) {
      try {
        const { isValid, invalidReason } = await server.verifyPayment(payload, requirements);
        return isValid ? { kind: 'valid' } : { kind: 'refused', reason: invalidReason ?? 'invalid payment' };
      } catch (error) {
        if (!(error instanceof VerifyError) || error.statusCode >= 500) return unknown(error);
        return { kind: 'refused', reason: error.invalidReason ?? 'invalid payment' };
      }
    },
    async settle({ payload, requirements }) {
      try {
        return readSettled(await server.settlePayment(payload, requirements));
      } catch (error) {
        if (!(error instanceof SettleError) || error.statusCode >= 500) return unknown(error);
        return readSettled({ ...error, success: false });
      }
    },
  };
}

function createClient({ facilitatorUrl, facilitatorAuthorization, facilitatorTimeoutMs }: PaymentSettings) {
  const headers: Record<string, string> = facilitatorAuthorization
    ? { Authorization: facilitatorAuthorization }
    : {};
  return new HTTPFacilitatorClient({
    url: facilitatorUrl,
    timeoutMs: facilitatorTimeoutMs ?? TIMEOUT_MS,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  });
}

/** The package matches version 2; a version 1 payment names only its scheme and network. */
function matchOffer(
  server: x402ResourceServer,
  terms: PaymentTerms,
  { version, scheme, network, accepted, signature, authorization }: SentPayment,
  request: PaidRequest,
): SignedOffer | null {
  const payload = { signature, authorization };
  if (version === 1) {
    const requirements = terms.v1(request);
    if (requirements?.scheme !== scheme || requirements.network !== network) return null;
    return { payload: { x402Version: 1, scheme, network, payload }, requirements } as unknown as SignedOffer;
  }
  const requirements = terms.v2(request);
  const isMatch = server.findMatchingRequirements([requirements], {
    ...{ x402Version: 2, accepted: accepted as PaymentRequirements, payload },
  });
  return isMatch ? { payload: { x402Version: 2, accepted: requirements, payload }, requirements } : null;
}

interface Settled {
  success: boolean;
  transaction?: string;
  errorReason?: string;
  errorMessage?: string;
}

function readSettled({ success, transaction, errorReason, errorMessage: message }: Settled): SettleAnswer {
  const reason = errorReason ?? message ?? 'settlement refused';
  if (success && transaction) return { kind: 'settled', transaction };
  // Without a transaction there is no proof.
  if (success) return { kind: 'unknown', reason: 'settled without a transaction' };
  if (USED.test(`${reason} ${message ?? ''}`)) return { kind: 'used' };
  return transaction ? { kind: 'unknown', reason } : { kind: 'refused', reason };
}

function unknown(error: unknown): { kind: 'unknown'; reason: string } {
  return { kind: 'unknown', reason: errorMessage(error) };
}
