// Enforces plain English: marked words have a budget per area, which may only fall. `node
// scripts/tighten-language.ts` lowers the budgets to the current counts; `--list AREA` lists occurrences.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { countByArea, type Finding, findMarked, readAll, type TextFile } from './support/language-areas.ts';

const BUDGETS: Record<string, number> = JSON.parse(
  readFileSync(new URL('./support/language-budgets.json', import.meta.url), 'utf8'),
);

const describeFinding = ({ path, line, word, instead }: Finding) => `${path}:${line} '${word}': ${instead}`;

describe('the repository', () => {
  const findings = findMarked(readAll());
  const areas = new Set([...Object.keys(BUDGETS), ...findings.map(({ area }) => area)]);

  for (const area of [...areas].sort()) {
    const budget = BUDGETS[area] ?? 0;
    it(`has at most ${budget} marked words in ${area}`, () => {
      const found = findings.filter((finding) => finding.area === area);
      assert.ok(
        found.length <= budget,
        `${found.length} marked words, ${budget} allowed:\n${found.map(describeFinding).join('\n')}`,
      );
    });
  }
});

describe('the language check', () => {
  const planted: [string, TextFile][] = [
    ['ui texts', { path: 'web/src/planted.tsx', text: '<p>No rule yet: nothing is told.</p>' }],
    ['cli texts', { path: 'src/cli/planted.ts', text: "print('whoever asks');" }],
    [
      'log texts',
      { path: 'src/jobs/planted.ts', text: "logger.warn({ feed: name }, 'rules were retried');" },
    ],
    ['log texts', { path: 'src/jobs/planted.ts', text: "logger.info(\n  { feed },\n  'the feed',\n);" }],
    ['api texts', { path: 'src/server/planted.ts', text: 'throw new ApiError(503, `The store is away.`);' }],
    ['other texts', { path: 'src/store/planted.ts', text: "throw new StoreError('row goes on');" }],
    ['docs', { path: 'docs/planted.md', text: 'The pretend world has a say.' }],
    ['changelog', { path: 'CHANGELOG.md', text: '- Nobody is asked anew.' }],
    ['comments src/store', { path: 'src/store/planted.ts', text: "const url = 'http://a'; // it stands" }],
    ['comments test', { path: 'test/planted.test.ts', text: '/** A timer of its own. */' }],
    ['comments packages/client-python', { path: 'packages/client-python/a.py', text: '# closed for good' }],
    ['test texts', { path: 'test/planted.test.ts', text: "it('tells of it', () => {});" }],
    ['identifiers', { path: 'src/jobs/planted.ts', text: 'const oldWorldServer = 1;' }],
    ['identifiers', { path: 'src/jobs/notice-queue.ts', text: '' }],
  ];

  for (const [area, file] of planted) {
    it(`finds ${JSON.stringify(file.text || file.path)} in ${area}`, () => {
      assert.ok(countByArea(findMarked([file]))[area]! >= 1);
    });
  }

  it('accepts plain sentences, inline code and addresses', () => {
    const plain: TextFile[] = [
      { path: 'web/src/plain.tsx', text: "const theme = 'dark theme'; <p>Couldn't load recent alerts.</p>" },
      { path: 'src/jobs/plain.ts', text: "logger.info({ account: 'a', what: 'is' }, 'backfill complete');" },
      { path: 'docs/plain.md', text: 'Set `told` to 1.\n```\nnobody\n```\nDone.' },
      { path: 'src/store/plain.ts', text: "const quote = /'told/;\nconst url = 'http://x'; // Retry once." },
    ];
    assert.deepEqual(findMarked(plain), []);
  });

  it('reports the line of a finding', () => {
    const [finding] = findMarked([{ path: 'src/store/planted.ts', text: '\n\n// kept for good\n' }]);
    assert.equal(finding?.line, 3);
  });
});
