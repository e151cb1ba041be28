// The process log: readable text on a terminal, JSON elsewhere, unless configured otherwise.

import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { redact } from './secrets.ts';
import { createTerminalLog, type LogEntry, type LogOutput } from './terminal-log.ts';

export type LogFormat = 'auto' | 'text' | 'json';

export function openLogger(
  { logLevel, logFormat }: { logLevel: string; logFormat: LogFormat },
  output: LogOutput = process.stderr,
): Logger {
  if (!isForPeople(logFormat, output)) return createPinoLogger(logLevel);
  return createEntryLogger(logLevel, createTerminalLog(output).entry);
}

export function isForPeople(format: LogFormat, { isTTY }: LogOutput): boolean {
  return format === 'auto' ? isTTY === true : format === 'text';
}

// Structured logs on standard error; standard output is for requested results.

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
function createPinoLogger(level: string): Logger {
  return pino(optionsFor(level), pino.destination({ fd: 2, sync: false }));
}

/** Passes the same entries, redacted, to a custom renderer. */
export function createEntryLogger(level: string, onEntry: (entry: LogEntry) => void): Logger {
  return pino(optionsFor(level), { write: (line) => onEntry(JSON.parse(line)) });
}
