// Compares the size of this checkout with an older revision: lines, settings, commands, docs, import cycles
// and marked words. The same code measures both; the older revision is unpacked into a temporary folder.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFolderCycles, parsePlan } from '../test/support/house-plan.ts';
import { findMarked, readAll, type TextFile } from '../test/support/language-areas.ts';

/** The last revision before the simplification. */
const BEFORE = '94e6ca5';
const CODE = /\.(ts|tsx|mjs|js|py|css|html|c)$/;
const GENERATED = /\/generated\/|\/tallycast\/(models|client)\.py$/;

interface House {
  lines: number;
  settings: number;
  commands: number;
  'lab commands': number;
  'doc pages': number;
  'words in docs': number;
  'import cycles inside rooms': number;
  'marked words': number;
}

/** `commit` is used to list the files of an unpacked archive, which has no git index. */
async function measure(folder: string, commit: string | null): Promise<House> {
  const texts = readAll(folder);
  const pages = texts.filter(({ path }) => path.endsWith('.md'));
  const source = texts.filter(({ path }) =>
    /^(src|lab|simulator|web\/src|packages\/[^/]+\/src)\//.test(path),
  );
  const shipped = source.filter(({ path }) => /\.tsx?$/.test(path) && !/\.test(-support)?\./.test(path));
  const plan = parsePlan(readFileSync(join(folder, 'ARCHITECTURE.md'), 'utf8'));
  return {
    lines: countLines(folder, commit),
    settings: await countExport(folder, 'src/config/all-settings.ts', 'SETTINGS'),
    commands: await countExport(folder, 'src/cli/all-commands.ts', 'COMMANDS'),
    'lab commands': await countExport(folder, 'lab/commands/all-lab-commands.ts', 'LAB_COMMANDS'),
    'doc pages': pages.length,
    'words in docs': pages.reduce((sum, page) => sum + countWords(page), 0),
    'import cycles inside rooms': findFolderCycles(shipped, plan).length,
    'marked words': findMarked(texts).length,
  };
}

/** Counts lines including tests but not generated files. */
function countLines(folder: string, commit: string | null): number {
  const listed = commit === null ? ['ls-files'] : ['ls-tree', '-r', '--name-only', commit];
  const files = execFileSync('git', listed, { encoding: 'utf8' }).trim().split('\n');
  return files
    .filter((path) => CODE.test(path) && !GENERATED.test(path) && existsSync(join(folder, path)))
    .reduce((sum, path) => sum + readFileSync(join(folder, path), 'utf8').split('\n').length - 1, 0);
}

function countWords({ text }: TextFile): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

async function countExport(folder: string, path: string, name: string): Promise<number> {
  const file = resolve(folder, path);
  if (!existsSync(file)) return 0;
  const module = (await import(pathToFileURL(file).href)) as Record<
    string,
    readonly { isShorthand?: boolean }[]
  >;
  // Shorthand settings are listed as groups and counted with the settings they abbreviate.
  return (module[name] ?? []).filter(({ isShorthand }) => !isShorthand).length;
}

const [revision = BEFORE] = process.argv.slice(2);
const past = mkdtempSync(join(tmpdir(), 'tallycast-house-'));
try {
  const archive = execFileSync('git', ['archive', revision], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', past], { input: archive });
  const before = await measure(past, revision);
  const after = await measure('.', null);
  const rows = Object.entries(after).map(([name, value]) => [name, before[name as keyof House], value]);
  console.log(`${''.padEnd(28)}${revision.padStart(10)}${'now'.padStart(10)}`);
  for (const [name, was, is] of rows)
    console.log(
      `${String(name).padEnd(28)}${was!.toLocaleString('en-US').padStart(10)}${is!.toLocaleString('en-US').padStart(10)}`,
    );
} finally {
  rmSync(past, { recursive: true, force: true });
}
