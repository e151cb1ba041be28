// Calls the facilitator and distinguishes an invalid payment from a missing response. Only an explicit
// verdict counts as a response.

import { HTTPFacilitatorClient } from '@x402/core/http';
import {
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
  VerifyError,
  type VerifyResponse,
} from '@x402/core/types';
import { errorMessage } from '../../runtime/errors.ts';
import type { ResolvedPaymentSettings } from '../payment-gate.ts';

export type VerifyAnswer =
  | { kind: 'valid' }
  | { kind: 'invalid'; reason: string }
  | { kind: 'unreachable'; problem: string };

export type SettleAnswer =
  | { kind: 'settled'; transaction: string }
  /** The facilitator rejected the payment without reporting a transaction. */
  | { kind: 'refused'; reason: string }
  /** The payment may have settled: the facilitator timed out or the transaction is unconfirmed. */
  | { kind: 'open'; problem: string; transaction: string | null };

/** Payload and requirements in the same protocol version; the facilitator accepts both versions. */
export interface FacilitatorRequest {
  payload: unknown;
  requirements: unknown;
}

export interface FacilitatorClient {
  verify(request: FacilitatorRequest): Promise<VerifyAnswer>;
  settle(request: FacilitatorRequest): Promise<SettleAnswer>;
}

export function createFacilitatorClient(settings: ResolvedPaymentSettings): FacilitatorClient {
  const verifier = createHttpClient(settings, settings.verifyTimeoutMs);
  const settler = createHttpClient(settings, settings.settleTimeoutMs);
  return {
    async verify({ payload, requirements }) {
      try {
        return readVerify(
          await verifier.verify(payload as PaymentPayload, requirements as PaymentRequirements),
        );
      } catch (error) {
        if (error instanceof VerifyError && error.statusCode < 500) return invalid(error.invalidReason);
        return { kind: 'unreachable', problem: errorMessage(error) };
      }
    },
    async settle({ payload, requirements }) {
      try {
        return readSettle(
          await settler.settle(payload as PaymentPayload, requirements as PaymentRequirements),
        );
      } catch (error) {
        if (error instanceof SettleError && error.statusCode < 500 && !error.transaction) {
          return { kind: 'refused', reason: error.errorReason ?? 'settlement refused' };
        }
        return { kind: 'open', problem: errorMessage(error), transaction: null };
      }
    },
  };
}

function createHttpClient(settings: ResolvedPaymentSettings, timeoutMs: number): HTTPFacilitatorClient {
  const authorization = settings.facilitatorAuthorization;
  const headers: Record<string, string> = authorization ? { Authorization: authorization } : {};
  return new HTTPFacilitatorClient({
    url: settings.facilitatorUrl,
    timeoutMs,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  });
}

function readVerify(response: VerifyResponse): VerifyAnswer {
  return response.isValid ? { kind: 'valid' } : invalid(response.invalidReason);
}

function invalid(reason: string | undefined): VerifyAnswer {
  return { kind: 'invalid', reason: reason ?? 'invalid payment' };
}

function readSettle(response: SettleResponse): SettleAnswer {
  const { transaction } = response;
  if (response.success && typeof transaction === 'string' && transaction.trim() !== '')
    return { kind: 'settled', transaction };
  // Without a transaction there is no proof; the chain decides.
  if (response.success) return { kind: 'open', problem: 'settled without a transaction', transaction: null };
  const reason = response.errorReason ?? 'settlement refused';
  if (response.transaction) return { kind: 'open', problem: reason, transaction: response.transaction };
  return { kind: 'refused', reason };
}
