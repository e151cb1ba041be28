// Holds the house's plan: which room may import which, how long a file may be, and where the
// clock, the environment and chance may be read.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const LINE_CAP = 400;

/** room -> rooms it may import; a name with a slash allows that one file or folder only. */
const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  runtime: [],
  config: ['domain', 'runtime'],
  sources: ['domain', 'runtime'],
  // The pretend world's payment facilitator is the real one, on a pretend chain.
  world: ['domain', 'runtime', 'facilitator'],
  store: ['domain', 'runtime'],
  state: ['domain', 'runtime', 'forecast/types.ts'],
  ingest: ['sources', 'store', 'state', 'domain', 'runtime'],
  forecast: ['domain', 'runtime/random.ts'],
  trade: ['domain', 'forecast'],
  facilitator: ['domain', 'runtime'],
  jobs: ['store', 'state', 'forecast', 'trade', 'domain', 'runtime'],
  api: ['store', 'state', 'forecast', 'trade', 'domain', 'runtime', 'sources/source.ts'],
};

const HOMES: { pattern: RegExp; what: string; homes: string[] }[] = [
  { pattern: /\bprocess\.env\b/, what: 'process.env', homes: ['config/env.ts'] },
  { pattern: /\bDate\.now\(|\bnew Date\(\)/, what: 'the wall clock', homes: ['runtime/clock.ts'] },
  { pattern: /\bMath\.random\(/, what: 'unseeded chance', homes: [] },
];

const sourceFiles = globSync('src/**/*.ts');
const shippedFiles = sourceFiles.filter((file) => !file.endsWith('.test.ts'));

describe('architecture', () => {
  it('imports only what the table allows', () => {
    const offences = shippedFiles.flatMap((file) =>
      localImports(file)
        .filter((target) => !isAllowed(relative('src', file), target))
        .map((target) => `${file} imports src/${target}`),
    );
    assert.deepEqual(offences, []);
  });

  for (const [room, allowed] of [
    ['web/src', ['web/src/', 'packages/client-js/src/']],
    ['packages/client-js/src', ['packages/client-js/src/']],
  ] as const) {
    it(`lets ${room} import only ${allowed.join(' and ')}`, () => {
      const offences = globSync(`${room}/**/*.{ts,tsx}`).flatMap((file) =>
        localImports(file)
          .map((target) => join('src', target))
          .filter((target) => !allowed.some((home) => target.startsWith(home)))
          .map((target) => `${file} imports ${target}`),
      );
      assert.deepEqual(offences, []);
    });
  }

  it(`keeps every file within ${LINE_CAP} lines`, () => {
    const files = globSync([
      'src/**/*.ts',
      'web/src/**/*.{ts,tsx}',
      'test/**/*.ts',
      'bench/**/*.ts',
      'packages/*/src/*.ts',
    ]);
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > LINE_CAP + 1);
    assert.deepEqual(long, []);
  });

  for (const { pattern, what, homes } of HOMES) {
    it(`reads ${what} only in ${homes.join(', ') || 'no file'}`, () => {
      const offences = shippedFiles.filter(
        (file) =>
          !homes.includes(relative('src', file)) && pattern.test(withoutComments(readFileSync(file, 'utf8'))),
      );
      assert.deepEqual(offences, []);
    });
  }

  it('names no folder utils, helpers or common', () => {
    assert.deepEqual(
      sourceFiles.filter((file) => /\/(utils?|helpers?|common)(\/|\.ts)/.test(file)),
      [],
    );
  });
});

function localImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return specifiers.map((specifier) => relative('src', join(dirname(file), specifier)));
}

function isAllowed(importer: string, target: string): boolean {
  const room = importer.split('/')[0]!;
  const allowed = MAY_IMPORT[room];
  // Files at the top of src and the entry points compose everything.
  if (!allowed) return true;
  return (
    target.startsWith(`${room}/`) ||
    allowed.some((entry) => target === entry || target.startsWith(`${entry}/`))
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
