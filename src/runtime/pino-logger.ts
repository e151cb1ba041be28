// Structured logs on standard error: standard output belongs to what a person asked for.

import { pino } from 'pino';
import type { Logger } from './logger.ts';
import { redact } from './secrets.ts';

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
export function createPinoLogger(level: string, base: object | null = null): Logger {
  return pino(
    {
      level,
      base,
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
      hooks: { streamWrite: redact },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}
