// Builds @tallycast/client as published: compiles and packs it, and checks it with publint and attw.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';
import { runProgram } from './run-program.ts';

export interface PackedPackage {
  file: string;
  packedBytes: number;
  unpackedBytes: number;
}

const SOURCE = join(ROOT, 'packages/client-js');
const LARGEST_BYTES = 200_000;

export async function packClientJs(outDir: string): Promise<PackedPackage> {
  const staging = join(outDir, 'client-js');
  mkdirSync(staging, { recursive: true });
  await runProgram(join(ROOT, 'node_modules/.bin/tsc'), ['-p', SOURCE, '--outDir', join(staging, 'dist')]);
  pointTypesAtJavaScript(join(staging, 'dist'));
  for (const name of ['package.json', 'README.md']) copyFileSync(join(SOURCE, name), join(staging, name));
  copyFileSync(join(ROOT, 'LICENSE'), join(staging, 'LICENSE'));
  const packed = await pack(staging, outDir);
  if (packed.unpackedBytes > LARGEST_BYTES) {
    throw new Error(`@tallycast/client has ${packed.unpackedBytes} bytes, more than ${LARGEST_BYTES}`);
  }
  return packed;
}

/** Packs any package folder into a tarball. */
export async function pack(folder: string, outDir: string): Promise<PackedPackage> {
  const words = await runProgram(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', outDir],
    {
      cwd: folder,
    },
  );
  const [reported] = JSON.parse(words) as { filename: string; size: number; unpackedSize: number }[];
  // Some npm versions print the scoped name, but all write a file with a plain one.
  const name = reported!.filename.replace(/^@/, '').replace('/', '-');
  return { file: join(outDir, name), packedBytes: reported!.size, unpackedBytes: reported!.unpackedSize };
}

export async function judgeClientJs({ file }: PackedPackage): Promise<void> {
  const bin = join(ROOT, 'node_modules/.bin');
  await runProgram(join(bin, 'publint'), ['run', file, '--strict']);
  // ES modules only, on purpose: in Node 20.19 and later, CommonJS can require them.
  await runProgram(join(bin, 'attw'), [file, '--ignore-rules', 'cjs-resolves-to-esm', '--no-color']);
}

/** The compiler leaves './x.ts' in declarations, which some module resolutions cannot follow. */
function pointTypesAtJavaScript(dist: string): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.d.ts')) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
