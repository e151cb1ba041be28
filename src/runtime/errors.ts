// Errors thrown by inner layers and translated once at the edge.

import { redact } from './secrets.ts';

/** A failure in an external system, and whether a retry can help. */
export class SourceError extends Error {
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** The response was an HTML page, so it came from a proxy and not from the system itself. */
  readonly isHtml: boolean;
  /** Start of the response body, for parsing the reason; never logged. */
  readonly body: string;
  /** Retrying is useless until the operator acts (tops up credit, raises a cap). */
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

/** The store cannot do this right now (disk full, server down). */
export class StoreError extends Error {
  readonly isRetryable: boolean;

  constructor(message: string, options: { isRetryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'StoreError';
    this.isRetryable = options.isRetryable;
  }
}

/** A value from the user is invalid; the message says which one and what is allowed. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A contradictory configuration; the message includes the field. */
export class ConfigurationError extends UsageError {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** An external condition prevents the start; the message needs no further context. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

/** For logs, responses and screens; secrets are redacted. */
export function errorMessage(error: unknown): string {
  return redact(error instanceof Error ? describe(error) : String(error));
}

const FETCH_MESSAGES = ['fetch failed', 'terminated'];

/** fetch puts the actual reason in the cause. */
function describe({ message, cause }: Error): string {
  return FETCH_MESSAGES.includes(message) && cause instanceof Error
    ? `${message}: ${cause.message}`
    : message;
}

/** Like errorMessage, with the stack. */
export function errorStack(error: unknown): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** Redacts secrets from an unexpected error before the process exits. */
export function installLastWords(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${errorStack(error)}\n`);
    process.exit(1);
  });
}
