// Empty projects with the packed artefacts installed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pack } from '../../scripts/packages/client-js.ts';
import { ROOT } from '../../scripts/packages/places.ts';
import { runProgram } from '../../scripts/packages/run-program.ts';

/** Creates a project outside this repository, with the client and its one dependency from tarballs. */
export async function createNodeProject(folder: string, tarball: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const parser = await pack(join(ROOT, 'node_modules/eventsource-parser'), folder);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runProgram('npm', ['install', ...quiet, parser.file, tarball], { cwd: folder });
}

/** Finds the machine's own Node, which is older than the service's; null if there is none. */
export function findMachineNode(): string | null {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? null;
}

export function readVersion(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
