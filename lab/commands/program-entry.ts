// A lab tool that is a separate program.

import type { CommandEntry } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';

interface Program {
  name: string;
  summary: string;
  script: string;
  /** Options after the name, and what it does. */
  usage: string;
}

export function toEntry({ script, usage, ...entry }: Program): CommandEntry {
  const command = { usage: `usage: npx tallycast lab ${entry.name} ${usage}`, run: runProgram(script) };
  return { ...entry, load: async () => command };
}
