// Runs tallycast COMMAND: finds the command, handles --help, and sets the exit code: 0 for success, 2 with a
// one-line message for a usage error, 1 otherwise (one line if the environment is the cause).

import { ConfigurationError, errorMessage, errorStack, StartError, UsageError } from '../runtime/errors.ts';
import { isNear } from '../runtime/near-words.ts';
import { COMMANDS, describeCommands, findCommand } from './all-commands.ts';
import {
  type Command,
  type CommandEntry,
  DONE,
  FAILED,
  note,
  type Terminal,
  WRONG_USAGE,
} from './command.ts';
import { toPrintableText } from './text-table.ts';

const HELP_WORDS = new Set(['--help', '-h', 'help']);
const VERSION_WORDS = new Set(['--version', '-V']);

/** The `lab` tools; only a checkout has them. */
export interface Lab {
  commands: readonly CommandEntry[];
  describe(): string;
}

export async function runTallycast(argv: readonly string[], terminal: Terminal, lab?: Lab): Promise<number> {
  const [name] = argv;
  if (name === undefined) {
    terminal.output.write(describeCommands());
    return WRONG_USAGE;
  }
  if (VERSION_WORDS.has(name)) return printVersion(terminal);
  if (HELP_WORDS.has(name)) return explain(argv.slice(1), terminal, lab);
  if (name === 'lab' && isListWanted(argv[1])) return listTools(argv[1], terminal, lab);
  const found = findEntry(argv, lab);
  if (!found) return refuseUnknown(name === 'lab' ? `lab ${argv[1]}` : name, terminal);
  const { entry, args } = found;
  const command = await entry.load();
  if (asksForHelp(args)) return printUsage(command, terminal);
  try {
    return (await command.run(args, terminal)) ?? DONE;
  } catch (error) {
    return explainFailure(error, entry.name, terminal);
  }
}

async function printVersion({ output }: Terminal): Promise<number> {
  const { readBuildInfo } = await import('../app/build-info.ts');
  const { version, commit } = readBuildInfo();
  output.write(`tallycast ${version} (${commit}), Node ${process.versions.node}\n`);
  return DONE;
}

interface Found {
  entry: CommandEntry;
  args: readonly string[];
}

/** Accepts `lab NAME`, or NAME alone for older scripts. */
function findEntry(argv: readonly string[], lab: Lab | undefined): Found | undefined {
  const [name = '', ...args] = argv[0] === 'lab' ? argv.slice(1) : argv;
  const inLab = lab?.commands.find((entry) => entry.name === name);
  const entry = argv[0] === 'lab' ? inLab : (findCommand(name) ?? inLab);
  return entry && { entry, args };
}

function isListWanted(word: string | undefined): boolean {
  return word === undefined || HELP_WORDS.has(word);
}

function listTools(word: string | undefined, terminal: Terminal, lab: Lab | undefined): number {
  if (!lab)
    throw new UsageError(
      'This installation does not include the lab commands. Run them from a source checkout.',
    );
  terminal.output.write(lab.describe());
  return word === undefined ? WRONG_USAGE : DONE;
}

async function explain(names: readonly string[], terminal: Terminal, lab: Lab | undefined): Promise<number> {
  const [name] = names;
  if (name === undefined) {
    terminal.output.write(describeCommands());
    return DONE;
  }
  const found = findEntry(names, lab);
  return found ? printUsage(await found.entry.load(), terminal) : refuseUnknown(name, terminal);
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
  const hint = near ? ` Did you mean ${near.name}?` : '';
  note(terminal, toPrintableText(`unknown command ${name}.${hint} See npx tallycast --help.`));
  return WRONG_USAGE;
}

function explainFailure(error: unknown, name: string, terminal: Terminal): number {
  if (error instanceof UsageError) {
    const hint = error instanceof ConfigurationError ? '' : `\nSee npx tallycast ${name} --help.`;
    note(terminal, toPrintableText(errorMessage(error) + hint));
    return WRONG_USAGE;
  }
  if (error instanceof StartError) note(terminal, toPrintableText(errorMessage(error)));
  else note(terminal, errorStack(error));
  return FAILED;
}
