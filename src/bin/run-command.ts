// How every command ends: 0 when done, 2 with one clear line for a wrong argument, 1 for anything else
// (one clear line as well where the machine, not the program, is in the way).

import { StartError, UsageError } from '../runtime/errors.ts';

export async function runCommand(main: (argv: string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(error.message);
      process.exitCode = 2;
      return;
    }
    process.exitCode = 1;
    if (error instanceof StartError) console.error(error.message);
    else console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
