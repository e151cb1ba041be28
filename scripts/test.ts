// Runs every test, or those named: npm test -- src/domain test/api

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const all = globSync([
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'packages/client-js/src/**/*.test.ts',
  'web/src/**/*.test.ts',
  'bench/**/*.test.ts',
]).sort();
const files = named.length === 0 ? all : all.filter((file) => named.some((name) => file.startsWith(name)));
if (files.length === 0) {
  process.stderr.write(`no test file begins with ${named.join(' or ')}\n`);
  process.exit(1);
}
const reporter = process.env.CI ? 'spec' : 'dot';
const result = spawnSync(
  process.execPath,
  ['--test', `--test-reporter=${reporter}`, '--test-concurrency=2', ...flags, ...files],
  // Compiled once, not once per test process.
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...process.env } },
);
process.exit(result.status ?? 1);
