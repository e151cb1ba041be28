import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSlowest, describeStopped, describeTotals, listGround } from './closing-line.ts';

describe('npm test summary', () => {
  it('shows the number of tests, the environment and the duration', () => {
    const totals = { passed: 1200, failed: 0, skipped: 3, flaky: 1, files: 300, ms: 605_400 };
    assert.equal(
      describeTotals(totals, ['Node 24.1.0', 'SQLite 3.50.0']),
      '1200 passed, 0 failed, 3 skipped, 1 flaky, in 300 files and 10 min 5 s, on Node 24.1.0, SQLite 3.50.0',
    );
    const few = { passed: 1, failed: 2, skipped: 0, flaky: 0, files: 1, ms: 1_499 };
    assert.equal(describeTotals(few, ['Node 24']), '1 passed, 2 failed, in 1 file and 1 s, on Node 24');
  });

  it('is followed by the slowest files, if any are slow', () => {
    const files = [
      { file: 'test/a.test.ts', ms: 61_200 },
      { file: 'test/b.test.ts', ms: 19_000 },
    ];
    assert.equal(describeSlowest(files), 'slowest files:\n    61 s  test/a.test.ts\n');
    assert.equal(describeSlowest([]), '');
  });

  it('lists the files that a stopped run did not finish', () => {
    assert.equal(
      describeStopped(['test/a.test.ts'], 1_680_000),
      '\nstopped after 28 minutes; 1 file did not finish:\n  test/a.test.ts\n',
    );
    assert.equal(describeStopped([], null), '\nstopped early; 0 files did not finish:\n');
  });

  it('includes the engines and their versions', () => {
    const ground = listGround({}).join(', ');
    assert.match(ground, /^Node 24\.\d+\.\d+, SQLite 3\.\d+\.\d+, PostgreSQL \d+\.\d+/);
  });
});
