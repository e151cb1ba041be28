// Structured logs on standard error: standard output belongs to what a person asked for.

import { pino } from 'pino';
import type { Logger } from './logger.ts';

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

export function createPinoLogger(level: string): Logger {
  return pino(
    { level, base: null, redact: { paths: SECRET_PATHS, censor: '[secret]' } },
    pino.destination({ fd: 2, sync: false }),
  );
}
