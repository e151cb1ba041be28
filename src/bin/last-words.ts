// Redacts secrets from an unexpected error before the process exits.

import { errorStack } from '../runtime/errors.ts';

export function installLastWords(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${errorStack(error)}\n`);
    process.exit(1);
  });
}
