// Enforces ARCHITECTURE.md: the import table, no import cycles, pure rooms, file length, where code may read the clock,
// the environment and randomness, and how much each room may hold.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  findFolderCycles,
  findForbiddenImports,
  findImportCycles,
  findImpureImports,
  findLongFiles,
  findRoomCycles,
  findUnreached,
  parsePlan,
  type SourceFile,
  withoutComments,
} from './support/house-plan.ts';

const LINE_CAP = 400;

/** Entry points for processes, pages and packages. */
const ENTRIES = /^(src\/bin\/|web\/src\/(main\.tsx|vite-env\.d\.ts)$|packages\/[^/]+\/src\/index\.ts$)/;

const PURE_ROOMS = ['src/domain', 'src/forecast', 'src/trade'];

const HOMES: { pattern: RegExp; what: string; homes: string[] }[] = [
  { pattern: /\bprocess\.env\b/, what: 'process.env', homes: ['src/bin/process-terminal.ts'] },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    what: 'the wall clock',
    homes: ['src/runtime/clock.ts'],
  },
  { pattern: /\bMath\.random\(/, what: 'unseeded randomness', homes: [] },
];

/** The trader's share of other rooms; it is becoming a program of its own. */
const TRADER = ['src/trading/', 'src/cli/trading/', 'test/exchange/', 'lab/bench/trading/'];
/** Most lines of code a room may hold, its tests included. A number only ever falls. */
const MOST_LINES: readonly { room: string; folders: string[]; without?: string[]; most: number }[] = [
  { room: 'src', folders: ['src/'], without: ['src/forecast/', 'src/trade/', ...TRADER], most: 60_700 },
  { room: 'forecast', folders: ['src/forecast/'], most: 7_000 },
  { room: 'advice', folders: ['src/trade/'], most: 10_800 },
  { room: 'trader', folders: TRADER, most: 13_200 },
  { room: 'simulator', folders: ['simulator/'], most: 14_300 },
  { room: 'web', folders: ['web/'], most: 13_050 },
  { room: 'packages', folders: ['packages/'], most: 3_150 },
  { room: 'lab', folders: ['lab/'], without: TRADER, most: 5_500 },
  { room: 'scripts', folders: ['scripts/'], most: 2_100 },
  { room: 'test', folders: ['test/'], without: TRADER, most: 23_400 },
  { room: 'the house', folders: [''], most: 153_000 },
];
const MOST_WORDS = 25_700;
const MOST_FILES_IN_SRC = 580;

function read(...patterns: string[]): SourceFile[] {
  return globSync(patterns).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const plan = parsePlan(readFileSync('ARCHITECTURE.md', 'utf8'));
const sourceFiles = read(
  '{src,lab,simulator}/**/*.ts',
  'web/src/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
).filter(({ path }) => !path.includes('/generated/'));
const shippedFiles = sourceFiles.filter(({ path }) => !/\.test(-support)?\./.test(path));

describe('the source tree', () => {
  it('contains only imports that the table allows', () => {
    assert.deepEqual(findForbiddenImports(shippedFiles, plan), []);
  });

  it('has no import of lab in src or simulator', () => {
    const offences = shippedFiles
      .filter(({ path }) => /^(src|simulator)\//.test(path))
      .filter(({ text }) => /['"`](?:\.\.?\/)+lab\//.test(withoutComments(text)));
    assert.deepEqual(
      offences.map(({ path }) => path),
      [],
    );
  });

  it('has no import cycles between files', () => {
    assert.deepEqual(findImportCycles(shippedFiles), []);
  });

  it('has no import cycles between rooms', () => {
    assert.deepEqual(findRoomCycles(shippedFiles, plan), []);
  });

  it('has no import cycles between folders inside a room', () => {
    assert.deepEqual(findFolderCycles(shippedFiles, plan), []);
  });

  it('opens no files or sockets in pure rooms', () => {
    assert.deepEqual(findImpureImports(shippedFiles, PURE_ROOMS), []);
  });

  it(`keeps every file within ${LINE_CAP} lines`, () => {
    assert.deepEqual(findLongFiles([...sourceFiles, ...read('{test,scripts}/**/*.ts')], LINE_CAP), []);
  });

  it('contains no file that only tests use', () => {
    const readers = read('{scripts,lab/bench,lab/commands,lab/forecast,lab/storm}/**/*.ts');
    assert.deepEqual(
      findUnreached(shippedFiles, (path) => ENTRIES.test(path), readers),
      [],
    );
  });

  for (const { pattern, what, homes } of HOMES) {
    it(`reads ${what} only in ${homes.join(', ') || 'no file'}`, () => {
      const offences = shippedFiles
        .filter(({ path }) => /^(src|simulator)\//.test(path) && !homes.includes(path))
        .filter(({ text }) => pattern.test(withoutComments(text)));
      assert.deepEqual(
        offences.map(({ path }) => path),
        [],
      );
    });
  }

  it('has every path that ARCHITECTURE.md mentions', () => {
    const section =
      /## Where to look\n([\s\S]*?)\n## /.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[1] ?? '';
    const places = [...section.matchAll(/`((?:src|lab|simulator)\/[^`]+)`/g)].map((match) => match[1]!);
    assert.ok(places.length >= 8);
    assert.deepEqual(
      places.filter((place) => !existsSync(place)),
      [],
    );
  });

  it('compares snapshots only in src/state, which says what changed', () => {
    const comparing = /\([^()]*: AccountSnapshot\b[^()]*: AccountSnapshot\b[^()]*\)/;
    const elsewhere = shippedFiles.filter(
      ({ path }) => path.startsWith('src/') && !path.startsWith('src/state/'),
    );
    assert.deepEqual(
      elsewhere.filter(({ text }) => comparing.test(text)).map(({ path }) => path),
      [],
    );
  });

  it('has no folder named utils, helpers or common', () => {
    assert.deepEqual(
      sourceFiles.filter(({ path }) => /\/(utils?|helpers?|common)(\/|\.ts)/.test(path)),
      [],
    );
  });
});

describe('the budget', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  const kept = listed.filter((path) => path !== '' && existsSync(path));
  const code = kept.filter((path) => /\.(tsx?|m[jt]s|css|py|c)$/.test(path));
  const lines = new Map(code.map((path) => [path, readFileSync(path, 'utf8').split('\n').length - 1]));
  const isIn = (folders: readonly string[]) => (path: string) =>
    folders.some((folder) => path.startsWith(folder));

  for (const { room, folders, without = [], most } of MOST_LINES)
    it(`leaves ${room} ${most} lines`, () => {
      const own = code.filter(isIn(folders)).filter((path) => !isIn(without)(path));
      const sum = own.reduce((sum, path) => sum + lines.get(path)!, 0);
      assert.ok(sum <= most, `${room} has ${sum} lines`);
    });

  it(`leaves the documentation ${MOST_WORDS} words`, () => {
    const pages = kept.filter((path) => path.endsWith('.md'));
    const words = pages.flatMap((path) => readFileSync(path, 'utf8').match(/\S+/g) ?? []).length;
    assert.ok(words <= MOST_WORDS, `${words} words`);
  });

  it(`leaves src ${MOST_FILES_IN_SRC} files without tests`, () => {
    const own = code.filter((path) => path.startsWith('src/') && !path.includes('.test'));
    assert.ok(own.length <= MOST_FILES_IN_SRC, `${own.length} files`);
  });
});

describe('the architecture check', () => {
  const table = parsePlan(
    [
      '| folder | what lives there | may import |',
      '|---|---|---|',
      '| `src/low` | ground | nothing of ours |',
      '| `src/mid` | between | low, `high/words.ts` |',
      '| `src/high` | top | all |',
      '| `src/side` | top | all |',
      '| `packages/client-js` | the client | nothing of ours |',
      '| `web` | the page | `packages/client-js` |',
    ].join('\n'),
  );
  const file = (path: string, ...imports: string[]): SourceFile => ({
    path,
    text: imports.map((from) => `import { x } from '${from}';\n`).join(''),
  });

  it('reports a forbidden import of a value, a type or at run time', () => {
    const forbidden = (text: string) => findForbiddenImports([{ path: 'src/low/a.ts', text }], table);
    for (const text of [
      "import { x } from '../mid/b.ts';",
      "import type { X } from '../mid/b.ts';",
      "export * from '../mid/b.ts';",
      "import '../mid/b.ts';",
      "const b = await import('../mid/b.ts');",
      "import {\n  x,\n} from '../mid/b.ts';",
    ]) {
      assert.deepEqual(forbidden(text), ['src/low/a.ts imports src/mid/b.ts'], text);
    }
    assert.deepEqual(forbidden("// as in from '../mid/b.ts'\nimport { y } from './c.ts';"), []);
  });

  it('reports an import cycle between files', () => {
    const files = [
      file('src/low/a.ts', './b.ts'),
      file('src/low/b.ts', './c.ts'),
      file('src/low/c.ts', './a.ts'),
      file('src/low/d.ts', './a.ts'),
    ];
    assert.deepEqual(findImportCycles(files), [
      'src/low/a.ts -> src/low/b.ts -> src/low/c.ts -> src/low/a.ts',
    ]);
    assert.deepEqual(findImportCycles(files.slice(0, 2)), []);
  });

  it('reports an import cycle between rooms, even without one between files', () => {
    const files = [file('src/high/a.ts', '../side/b.ts'), file('src/side/c.ts', '../high/d.ts')];
    assert.deepEqual(findRoomCycles(files, table), ['src/high -> src/side -> src/high']);
    assert.deepEqual(findRoomCycles(files.slice(1), table), []);
  });

  it('reports an import cycle between folders in a room, even through different files and a top-level file', () => {
    const direct = [file('src/low/x/a.ts', '../y/b.ts'), file('src/low/y/c.ts', '../x/d.ts')];
    assert.deepEqual(findFolderCycles(direct, table), ['src/low/x -> src/low/y -> src/low/x']);
    const throughTop = [file('src/low/x/a.ts', '../top.ts'), file('src/low/top.ts', './x/b.ts')];
    assert.deepEqual(findFolderCycles(throughTop, table), ['src/low/top.ts -> src/low/x -> src/low/top.ts']);
    assert.deepEqual(findFolderCycles([file('src/low/x/a.ts', '../y/b.ts')], table), []);
  });

  it('reports a file or a socket opened in a pure room', () => {
    const files = [file('src/low/a.ts', 'node:fs/promises', 'node:path'), file('src/high/b.ts', 'node:http')];
    assert.deepEqual(findImpureImports(files, ['src/low']), ['src/low/a.ts imports node:fs/promises']);
    assert.equal(findImpureImports(files, ['src/low', 'src/high']).length, 2);
  });

  it('reports a file that no running code uses', () => {
    const thread = { path: 'src/low/a.ts', text: "new Worker(new URL('./b.ts', import.meta.url))" };
    const files = [thread, file('src/low/b.ts', './c.ts'), file('src/low/c.ts'), file('src/low/d.ts')];
    const isEntry = (path: string) => path === 'src/low/a.ts';
    assert.deepEqual(findUnreached(files, isEntry), ['src/low/d.ts']);
    assert.deepEqual(findUnreached(files, isEntry, [file('lab/bench/e.ts', '../../src/low/d.ts')]), []);
  });

  it('reports a file over the line limit', () => {
    const lines = (count: number): SourceFile => ({ path: 'src/low/a.ts', text: 'x\n'.repeat(count) });
    assert.deepEqual(findLongFiles([lines(LINE_CAP + 1)], LINE_CAP), ['src/low/a.ts has 401 lines']);
    assert.deepEqual(findLongFiles([lines(LINE_CAP)], LINE_CAP), []);
  });

  it('rejects a table without rooms', () => {
    assert.throws(() => parsePlan('# Architecture'), /no table/);
    assert.throws(() => parsePlan('| `src/low` | ground | every other room |'), /is not a room/);
  });
});
