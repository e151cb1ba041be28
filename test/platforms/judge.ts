// Counts how many simulator responses a platform's own package accepts.

import assert from 'node:assert/strict';

export interface Judge {
  /** Runs the package on one response; an exception counts as a rejection. */
  check<T>(what: string, read: () => T | Promise<T>): Promise<T | undefined>;
  /** Prints the totals, and fails on any rejection or if nothing was checked. */
  verdict(name: string): void;
}

export function createJudge(): Judge {
  const rejected: string[] = [];
  let checked = 0;
  return {
    async check(what, read) {
      checked += 1;
      try {
        return await read();
      } catch (error) {
        rejected.push(`${what}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 600));
        return undefined;
      }
    },
    verdict(name) {
      console.log(`${name}: ${checked} responses checked, ${rejected.length} rejected`);
      assert.deepEqual(rejected, []);
      assert.ok(checked > 0);
    },
  };
}
