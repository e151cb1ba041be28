// Gives a command its files and streams, and turns what it throws into a message and an exit status.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommandIo } from '../forecast/backtest/command.ts';

const io: CommandIo = {
  readText: (path) => readFileSync(path, 'utf8'),
  writeText(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  },
  print: (text) => void process.stdout.write(text),
  tell: (text) => void process.stderr.write(text),
};

export function runFileCommand(run: (args: string[], io: CommandIo) => void, usage: string): void {
  try {
    run(process.argv.slice(2), io);
  } catch (error) {
    const { name, message } = error as Error;
    process.stderr.write(name === 'UsageError' ? `${message}\nusage: ${usage}\n` : `${message}\n`);
    process.exitCode = name === 'UsageError' ? 2 : 1;
  }
}
