// node scripts/release.ts [VERSION] [--publish]: builds and checks everything that is published. With VERSION,
// first sets it everywhere, dates the changelog's section, commits and tags. Publishes only with --publish.

import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeRegistryEntry, packBundle, packService } from './packages/agents.ts';
import { judgeClientJs } from './packages/client-js.ts';
import { judgePython } from './packages/client-python.ts';
import { ROOT } from './packages/places.ts';
import { runProgram } from './packages/run-program.ts';
import { buildArtefacts } from './packages.ts';

const VERSIONED = {
  'package.json': /("version": ")[^"]+/,
  'packages/client-js/package.json': /("version": ")[^"]+/,
  'packages/client-python/pyproject.toml': /(^version = ")[^"]+/m,
};
const git = (...args: string[]) => runProgram('git', args, { cwd: ROOT });

/** Dates the section of the version that is not released yet. */
export function dateChangelog(text: string, version: string, day: string): string {
  const title = `## ${version} (unreleased)\n`;
  if (!text.includes(title)) throw new Error(`CHANGELOG.md has no section "${version} (unreleased)"`);
  return text.replace(title, `## ${version} (${day})\n`);
}

async function tag(version: string): Promise<void> {
  if ((await git('status', '--porcelain')).trim() !== '') throw new Error('commit your changes first');
  for (const [file, pattern] of Object.entries(VERSIONED))
    change(file, (text) => text.replace(pattern, `$1${version}`));
  change('CHANGELOG.md', (text) => dateChangelog(text, version, new Date().toISOString().slice(0, 10)));
  await runProgram(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'],
    {
      cwd: ROOT,
    },
  );
  await git('commit', '--all', '--message', `Release ${version}`);
  await git('tag', '--annotate', `v${version}`, '--message', `Tallycast ${version}`);
}

function change(file: string, edit: (text: string) => string): void {
  const path = join(ROOT, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

async function release(version: string | undefined, isPublic: boolean): Promise<void> {
  if (version !== undefined && !/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version))
    throw new Error(`${version} is not a version such as 1.6.0`);
  if (version !== undefined) await tag(version);
  const outDir = join(ROOT, 'packages/dist');
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const service = await packService(outDir);
  const { clientJs, wheel, words } = await buildArtefacts(outDir);
  await judgeClientJs(clientJs);
  if (wheel) await judgePython();
  say(await judgeRegistryEntry());
  say(
    `${service.file}: ${(service.packedBytes / 1e6).toFixed(1)} MB packed, ${(service.unpackedBytes / 1e6).toFixed(1)} MB unpacked`,
  );
  for (const line of words) say(line);
  say(await packBundle(service, outDir));
  // Only a CI job with an identity token can sign the provenance.
  const provenance = process.env.ACTIONS_ID_TOKEN_REQUEST_URL ? ['--provenance'] : [];
  const mode = isPublic ? provenance : ['--dry-run'];
  for (const { file } of [service, clientJs])
    await runProgram('npm', ['publish', file, '--access', 'public', '--ignore-scripts', ...mode]);
  say(isPublic ? 'published to npm' : 'npm publish --dry-run passes; add --publish to publish');
  say('then: twine upload packages/dist/tallycast-*.whl packages/dist/tallycast-*.tar.gz');
  say('      mcp-publisher publish packages/dist/server.json');
  writeSums(outDir);
}

/** For people who get a file from elsewhere: sha256sum -c SHA256SUMS. */
function writeSums(outDir: string): void {
  const files = readdirSync(outDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  const sum = (name: string) => hash('sha256', readFileSync(join(outDir, name)), 'hex');
  const lines = files.map(({ name }) => `${sum(name)}  ${name}\n`).sort();
  writeFileSync(join(outDir, 'SHA256SUMS'), lines.join(''));
}

function say(text: string): void {
  process.stdout.write(`${text.replace(`${ROOT}/`, '')}\n`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { publish: { type: 'boolean' } },
  });
  await release(positionals[0], values.publish ?? false);
}
