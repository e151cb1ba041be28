// How every command ends: 0 when done, 2 with one clear line for a wrong argument, 1 for anything else.

import { UsageError } from '../runtime/errors.ts';

export async function runCommand(main: (argv: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(error.message);
      process.exitCode = 2;
      return;
    }
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
}
