import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTouched } from './changed.ts';

const FILES: Record<string, string> = {
  'src/a.ts': "import { b } from './deep/b.ts';",
  'src/deep/b.ts': "export * from '../c.ts';",
  'src/c.ts': '',
  'src/a.test.ts': "import './a.ts';",
  'src/d.test.ts': "const { d } = await import('./d.ts');",
  'src/d.ts': "readFileSync(new URL('../docs/openapi.json', import.meta.url))",
  'test/run.test.ts': "spawn('src/bin/x.ts')",
  'src/bin/x.ts': "import '../c.ts';",
  'src/circle.test.ts': "import './circle.ts';",
  'src/circle.ts': "import './circle.test.ts';",
};
const TESTS = Object.keys(FILES).filter((file) => file.endsWith('.test.ts'));
const files = { readText: (path: string) => FILES[path] ?? null };

describe('tests affected by a change', () => {
  for (const [changed, touched] of [
    [['src/c.ts'], ['src/a.test.ts', 'test/run.test.ts']],
    [['src/d.ts'], ['src/d.test.ts']],
    [['docs/openapi.json'], ['src/d.test.ts']],
    [['src/bin/x.ts'], ['test/run.test.ts']],
    [['src/circle.ts'], ['src/circle.test.ts']],
    [['README.md'], []],
    [['package.json'], TESTS],
    [[], []],
  ] as const) {
    it(`are ${touched.length} if ${changed.join(', ') || 'nothing'} changes`, () => {
      assert.deepEqual(findTouched(TESTS, changed, files), touched);
    });
  }
});
