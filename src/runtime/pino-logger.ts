// Structured logs on standard error: standard output belongs to what a person asked for.

import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { redact } from './secrets.ts';
import type { LogEntry } from './terminal-log.ts';

/** Whatever ends up in a log line under one of these names is a secret. */
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

/** Whatever a field is called, a line is searched for the secrets themselves as it leaves. */
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

/** The same entries, secrets taken out, for whoever draws them. */
export function createEntryLogger(level: string, onEntry: (entry: LogEntry) => void): Logger {
  return pino(optionsFor(level), { write: (line) => onEntry(JSON.parse(line)) });
}
