// A lab tool that runs as a separate program.

import type { CommandEntry } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';

interface Program {
  name: string;
  summary: string;
  script: string;
  /** Options after the name, then a description. */
  usage: string;
}

export function toEntry({ script, usage, ...entry }: Program): CommandEntry {
  const command = { usage: `usage: npx tallycast lab ${entry.name} ${usage}`, run: runProgram(script) };
  return { ...entry, load: async () => command };
}
