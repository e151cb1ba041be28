// Errors thrown low and translated once at the edge.

import { redact } from './secrets.ts';

/** What went wrong with an outside system, and whether trying again can help. */
export class SourceError extends Error {
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** The answer was a page for people: something in front of the system spoke, not the system itself. */
  readonly isHtml: boolean;
  /** The beginning of the answer, for those who read its reason; never logged. */
  readonly body: string;
  /** Asking again is useless until the operator has done something (topped up credit, raised a cap). */
  readonly needsOperator: boolean;

  constructor(
    message: string,
    options: {
      isRetryable: boolean;
      retryAfterMs?: number | null;
      status?: number | null;
      isHtml?: boolean;
      body?: string;
      needsOperator?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = 'SourceError';
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.status = options.status ?? null;
    this.isHtml = options.isHtml ?? false;
    this.body = options.body ?? '';
    this.needsOperator = options.needsOperator ?? false;
  }
}

/** The store cannot do this now (disk full, server down). */
export class StoreError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.isRetryable = options.isRetryable;
  }
}

/** A value that a person gave us is wrong; the message says which and what is allowed. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A configuration that contradicts itself: the message names the field, and no list of flags would help. */
export class ConfigurationError extends UsageError {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** Something outside the program keeps it from starting; the message is all that a person needs. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

/** For logs, answers and screens: what is secret does not leave by it. */
export function errorMessage(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}

/** The same with where it happened. */
export function errorStack(error: unknown): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
