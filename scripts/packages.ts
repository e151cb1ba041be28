// node scripts/packages.ts [folder]: builds and checks the published packages, and prints their sizes.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeClientJs, type PackedPackage, packClientJs } from './packages/client-js.ts';
import { buildWheel, findMissingPython, judgePython } from './packages/client-python.ts';
import { ROOT } from './packages/places.ts';

export interface Artefacts {
  clientJs: PackedPackage;
  /** null if Python or a required package is missing. */
  wheel: { file: string; packedBytes: number } | null;
  /** One summary line per package. */
  words: string[];
}

/** All packages must have the service's version. */
export function listVersions(): Record<string, string> {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const json = (file: string) => (JSON.parse(read(file)) as { version: string }).version;
  return {
    'package.json': json('package.json'),
    'packages/client-js/package.json': json('packages/client-js/package.json'),
    'packages/client-python/pyproject.toml': /^version = "(.+)"$/m.exec(
      read('packages/client-python/pyproject.toml'),
    )![1]!,
  };
}

export async function buildArtefacts(outDir: string): Promise<Artefacts> {
  const versions = listVersions();
  if (new Set(Object.values(versions)).size !== 1) {
    throw new Error(`package versions differ: ${JSON.stringify(versions, null, 2)}`);
  }
  mkdirSync(outDir, { recursive: true });
  const missing = findMissingPython();
  const [clientJs, wheel] = await Promise.all([
    packClientJs(outDir),
    missing === null ? buildWheel(outDir) : null,
  ]);
  const words = [
    `${clientJs.file}: ${toKb(clientJs.packedBytes)} packed, ${toKb(clientJs.unpackedBytes)} unpacked`,
    wheel
      ? `${wheel.file}: ${toKb(wheel.packedBytes)}`
      : `no wheel: ${missing} missing (node scripts/setup.mjs --python)`,
  ];
  return { clientJs, wheel, words };
}

function toKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outDir = resolve(process.argv[2] ?? join(ROOT, 'packages/dist'));
  rmSync(outDir, { recursive: true, force: true });
  const { clientJs, wheel, words } = await buildArtefacts(outDir);
  await judgeClientJs(clientJs);
  if (wheel) await judgePython();
  process.stdout.write(`${words.join('\n')}\n`);
}
