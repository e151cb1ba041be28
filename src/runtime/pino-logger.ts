// Structured logs on standard error: standard output belongs to what a person asked for.

import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { redact } from './secrets.ts';
import type { LogEntry } from './terminal-log.ts';

/** Field names with secret values. */
const SECRET_PATHS = [
  'key',
  'apiKey',
  'secret',
  'token',
  'headers["x-api-key"]',
  'headers.x402',
  'headers["x-payment"]',
  'headers["payment-signature"]',
  'headers.authorization',
];

/** Also searches every line for the secret values themselves. */
function optionsFor(level: string) {
  return {
    level,
    base: null,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    hooks: { streamWrite: redact },
  };
}

/** A line of JSON each. */
export function createPinoLogger(level: string): Logger {
  return pino(optionsFor(level), pino.destination({ fd: 2, sync: false }));
}

/** The same entries, redacted, for a custom renderer. */
export function createEntryLogger(level: string, onEntry: (entry: LogEntry) => void): Logger {
  return pino(optionsFor(level), { write: (line) => onEntry(JSON.parse(line)) });
}
