// Runs a command in this process, which avoids startup cost, and returns its output and exit code.

import { LAB } from '../../lab/commands/all-lab-commands.ts';
import type { Terminal } from '../../src/cli/command.ts';
import { runTallycast } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** The process's own environment is not read. */
export async function runCommand(
  args: readonly string[],
  env: Terminal['env'] = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const terminal: Terminal = {
    env,
    clock: systemClock,
    output: { write: (text) => void (ran.out += text) },
    notes: { write: (text) => void (ran.err += text) },
    stopSignal: () => stop,
  };
  const code = await runTallycast(args, terminal, LAB);
  return { code, ...ran };
}
