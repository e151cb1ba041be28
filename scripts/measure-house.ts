// Compares the size and shape of this checkout with an older revision. The same code measures both; the older
// revision is unpacked into a temporary folder.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findImportCycles, listLocalImports, type SourceFile } from '../test/support/house-plan.ts';
import { readAll } from '../test/support/language-areas.ts';
import { findFloors } from './room-graph.ts';

/** The last revision before endpoints were checked by the compiler and the lab was cut. */
const BEFORE = '2af9246e';
const CODE = /\.(ts|tsx|mts|mjs|js|py|css|html|c)$/;
const DOCUMENT = /^docs\/openapi\.json$/;
const TEST = /\.test(-support)?\.|^test\//;
const MAX_SLIVER_LINES = 40;

type House = Record<string, number>;

/** `commit` lists the files of an unpacked archive, which has no git index. */
async function measure(folder: string, commit: string | null): Promise<House> {
  const files = readCode(folder, commit);
  const shipped = files.filter(({ path }) => /\.tsx?$/.test(path) && !TEST.test(path));
  const src = shipped.filter(({ path }) => path.startsWith('src/'));
  return {
    'lines, tests and generated code included': sumLines(files),
    'lines of tests': sumLines(files.filter(({ path }) => TEST.test(path))),
    'lines of generated documents': sumLines(
      read(
        folder,
        listFiles(commit).filter((path) => DOCUMENT.test(path)),
      ),
    ),
    'files of src without tests': src.length,
    'slivers of src': countSlivers(src, shipped),
    'imports of lab in src': countImports(src, 'lab/'),
    'arrows between rooms that run back up': countArrowsUp(shipped),
    'import cycles': findImportCycles(shipped).length,
    operations: await countOperations(folder),
    settings: await countExport(folder, 'src/config/all-settings.ts', 'SETTINGS'),
    commands: await countExport(folder, 'src/cli/all-commands.ts', 'COMMANDS'),
    'lab commands': await countExport(folder, 'lab/commands/all-lab-commands.ts', 'LAB_COMMANDS'),
    'words in docs': countWords(folder),
  };
}

function listFiles(commit: string | null): string[] {
  const listed = commit === null ? ['ls-files'] : ['ls-tree', '-r', '--name-only', commit];
  return execFileSync('git', listed, { encoding: 'utf8', maxBuffer: 2 ** 24 })
    .trim()
    .split('\n');
}

function read(folder: string, paths: readonly string[]): SourceFile[] {
  return paths
    .filter((path) => existsSync(join(folder, path)))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

function readCode(folder: string, commit: string | null): SourceFile[] {
  return read(
    folder,
    listFiles(commit).filter((path) => CODE.test(path)),
  );
}

function sumLines(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

/** A sliver is a short file that exactly one other file imports. */
function countSlivers(src: readonly SourceFile[], shipped: readonly SourceFile[]): number {
  const importers = new Map<string, number>();
  for (const file of shipped)
    for (const target of new Set(listLocalImports(file)))
      importers.set(target, (importers.get(target) ?? 0) + 1);
  return src.filter((file) => sumLines([file]) <= MAX_SLIVER_LINES && importers.get(file.path) === 1).length;
}

function countImports(files: readonly SourceFile[], prefix: string): number {
  return files.flatMap(listLocalImports).filter((target) => target.startsWith(prefix)).length;
}

/** Rooms are the folders of src and the other folders at the top. */
function countArrowsUp(shipped: readonly SourceFile[]): number {
  const roomOf = (path: string) => /^(?:src\/)?[^/]+/.exec(path)![0];
  const arrows = new Map<string, { from: string; to: string }>();
  for (const file of shipped)
    for (const target of listLocalImports(file)) {
      const [from, to] = [roomOf(file.path), roomOf(target)];
      if (from !== to && to !== 'test') arrows.set(`${from} ${to}`, { from, to });
    }
  const rooms = new Map(shipped.map(({ path }) => [roomOf(path), []]));
  const floors = findFloors({ rooms, arrows: [...arrows.values()] });
  return [...arrows.values()].filter(({ from, to }) => floors.get(from)! <= floors.get(to)!).length;
}

async function countOperations(folder: string): Promise<number> {
  const { describeInterface } = await importFrom(folder, 'src/server/describe-interface.ts');
  const { paths } = (describeInterface as (version: string) => { paths: Record<string, object> })('0.0.0');
  return Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
}

/** Shorthand settings are listed as groups and counted with the settings they abbreviate. */
async function countExport(folder: string, path: string, name: string): Promise<number> {
  const rows = ((await importFrom(folder, path))[name] ?? []) as { isShorthand?: boolean }[];
  return rows.filter(({ isShorthand }) => !isShorthand).length;
}

async function importFrom(folder: string, path: string): Promise<Record<string, unknown>> {
  const file = resolve(folder, path);
  return existsSync(file) ? await import(pathToFileURL(file).href) : {};
}

function countWords(folder: string): number {
  const pages = readAll(folder).filter(({ path }) => path.endsWith('.md'));
  return pages.reduce((sum, { text }) => sum + text.split(/\s+/).filter((word) => word !== '').length, 0);
}

const [revision = BEFORE] = process.argv.slice(2);
const past = mkdtempSync(join(tmpdir(), 'tallycast-house-'));
try {
  const archive = execFileSync('git', ['archive', revision], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', past], { input: archive });
  symlinkSync(resolve('node_modules'), join(past, 'node_modules'));
  const before = await measure(past, revision);
  const after = await measure('.', null);
  const print = (...cells: string[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(44) : cell.padStart(12))).join(''));
  print('', revision, 'now');
  for (const [name, value] of Object.entries(after))
    print(name, before[name]!.toLocaleString('en-US'), value.toLocaleString('en-US'));
} finally {
  rmSync(past, { recursive: true, force: true });
}
