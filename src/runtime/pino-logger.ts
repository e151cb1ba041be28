// Structured logs on standard error; standard output is for requested results.

import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { redact } from './secrets.ts';
import type { LogEntry } from './terminal-log.ts';

/** Names of fields that contain secrets. */
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

/** Also redacts secret values anywhere in a line. */
function optionsFor(level: string) {
  return {
    level,
    base: null,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    hooks: { streamWrite: redact },
  };
}

/** One JSON object per line. */
export function createPinoLogger(level: string): Logger {
  return pino(optionsFor(level), pino.destination({ fd: 2, sync: false }));
}

/** Passes the same entries, redacted, to a custom renderer. */
export function createEntryLogger(level: string, onEntry: (entry: LogEntry) => void): Logger {
  return pino(optionsFor(level), { write: (line) => onEntry(JSON.parse(line)) });
}
