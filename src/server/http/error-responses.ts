// The only place that maps errors to responses. A 5xx never reveals its cause.

import { type Fault, FaultError } from '../../contract/faults.ts';
import { SourceError, StoreError } from '../../runtime/errors.ts';
import type { Answer } from './answer.ts';

/** Thrown by a handler to respond with an error. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.headers = headers;
  }
}

export const RETRY_AFTER_S = 5;

export function errorAnswer(status: number, detail: string, headers?: Record<string, string>): Answer {
  return { status, json: { detail }, headers };
}

export function faultAnswer(faults: readonly Fault[]): Answer {
  return { status: 422, json: { detail: faults } };
}

/** null for an unexpected error. */
export function translateError(error: unknown): Answer | null {
  if (error instanceof ApiError) return errorAnswer(error.status, error.message, { ...error.headers });
  if (error instanceof FaultError) return faultAnswer(error.faults);
  if (error instanceof SourceError) {
    const retryAfterS = Math.max(RETRY_AFTER_S, Math.ceil((error.retryAfterMs ?? 0) / 1000));
    return unavailable('The market could not be reached. Try again shortly.', retryAfterS);
  }
  if (error instanceof StoreError) return unavailable('The store is not available. Try again shortly.');
  return null;
}

export function unavailable(detail: string, retryAfterS: number = RETRY_AFTER_S): Answer {
  return errorAnswer(503, detail, { 'Retry-After': String(retryAfterS) });
}

/** The detail of an error body on one line, for usage rows and logs. */
export function errorText(json: unknown): string {
  const detail = (json as { detail?: unknown } | undefined)?.detail;
  return typeof detail === 'string' ? detail : 'Request validation failed';
}
