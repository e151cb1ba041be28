// A failure that nobody foresaw ends the process as it would anyway, without telling what is secret.

import { errorStack } from '../runtime/errors.ts';

export function installLastWords(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${errorStack(error)}\n`);
    process.exit(1);
  });
}
