// tallycast COMMAND: finds the command, answers --help, and ends every command the same way: 0 when done, 2 with one
// clear line for a wrong argument, 1 for anything else (one clear line as well where the machine is in the way).

import { ConfigurationError, errorMessage, errorStack, StartError, UsageError } from '../runtime/errors.ts';
import { isNear } from '../runtime/near-words.ts';
import { COMMANDS, describeCommands, findCommand } from './all-commands.ts';
import { type Command, DONE, FAILED, note, type Terminal, WRONG_USAGE } from './command.ts';
import { toPrintableText } from './text-table.ts';

const HELP_WORDS = new Set(['--help', '-h', 'help']);

export async function runTallycast(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined) {
    terminal.output.write(describeCommands());
    return WRONG_USAGE;
  }
  if (HELP_WORDS.has(name)) return explain(args[0], terminal);
  const entry = findCommand(name);
  if (!entry) return refuseUnknown(name, terminal);
  const command = await entry.load();
  if (asksForHelp(args)) return printUsage(command, terminal);
  try {
    return (await command.run(args, terminal)) ?? DONE;
  } catch (error) {
    return explainFailure(error, entry.name, terminal);
  }
}

async function explain(name: string | undefined, terminal: Terminal): Promise<number> {
  if (name === undefined) {
    terminal.output.write(describeCommands());
    return DONE;
  }
  const entry = findCommand(name);
  return entry ? printUsage(await entry.load(), terminal) : refuseUnknown(name, terminal);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

function printUsage({ usage }: Command, { output }: Terminal): number {
  output.write(`${usage.trim()}\n`);
  return DONE;
}

function refuseUnknown(name: string, terminal: Terminal): number {
  const near = COMMANDS.find((entry) => isNear(entry.name, name));
  const hint = near ? `; is it ${near.name}?` : '';
  note(terminal, toPrintableText(`unknown command ${name}${hint || ';'} npx tallycast --help lists all`));
  return WRONG_USAGE;
}

function explainFailure(error: unknown, name: string, terminal: Terminal): number {
  if (error instanceof UsageError) {
    const hint =
      error instanceof ConfigurationError ? '' : `\nnpx tallycast ${name} --help says how it is used`;
    note(terminal, toPrintableText(errorMessage(error) + hint));
    return WRONG_USAGE;
  }
  if (error instanceof StartError) note(terminal, toPrintableText(errorMessage(error)));
  else note(terminal, errorStack(error));
  return FAILED;
}
