// Runs every example in docs/trading.md: the page must match the code to the digits shown.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as wilson from '../../forecast/scoring/block-bootstrap.ts';
import * as cost from '../cost.ts';
import * as decimal from '../decimal.ts';
import * as devig from '../edges/blend.ts';
import { blendLadder } from '../edges/blend.ts';
import { PRIOR_EVIDENCE } from '../edges/prior-evidence.ts';
import * as tables from '../positions/portfolio.ts';
import * as ledger from '../record/paper-ledger.ts';
import * as record from '../record/record.ts';
import * as kelly from '../sizing/kelly.ts';
import * as lots from '../sizing/sizing-rules.ts';
import * as confidence from './signals.ts';

/** Blended probabilities with the given weights on gaps above and below the market. */
function blendExample(model: number[], prices: number[], above: number, below: number): number[] {
  const covariance = [0, 1, 2, 3, 4].map(() => [0, 0, 0, 0, 0]);
  const evidence = { ...PRIOR_EVIDENCE, mean: [above, below, 0, 0, 0], covariance };
  return blendLadder(evidence, model, prices, 72).probabilities;
}

const names: Record<string, unknown> = {
  blendExample,
  ...confidence,
  ...cost,
  ...decimal,
  ...devig,
  ...kelly,
  ...lots,
  ...ledger,
  ...tables,
  ...record,
  ...wilson,
};

const page = readFileSync(new URL('../../../docs/trading.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)]
  .flatMap((block) => block[1]!.split('\n'))
  .map((line) => line.trim().split(/\s*\/\/ → /))
  .filter((parts): parts is [string, string] => parts.length === 2);

describe('docs/trading.md', () => {
  it('has examples', () => {
    assert.ok(examples.length >= 30);
  });

  for (const [expression, printed] of examples) {
    it(`shows ${expression} as ${printed}`, () => {
      const evaluate = new Function(...Object.keys(names), `return (${expression});`);
      assertSame(evaluate(...Object.values(names)), printed);
    });
  }
});

function assertSame(actual: unknown, printed: string): void {
  const expected: unknown = JSON.parse(printed);
  if (!Array.isArray(expected)) {
    assertValue(actual, expected, printed);
    return;
  }
  const parts = printed.replace(/[[\]]/g, '').split(',');
  expected.forEach((value, i) => {
    assertValue((actual as unknown[])[i], value, parts[i]!.trim());
  });
}

function assertValue(actual: unknown, expected: unknown, printed: string): void {
  if (typeof expected !== 'number') {
    assert.equal(actual, expected);
    return;
  }
  const decimals = printed.split('.')[1]?.length ?? 0;
  assert.ok(
    Math.abs((actual as number) - expected) <= 0.5 * 10 ** -decimals + 1e-9,
    `${actual} is not ${printed}`,
  );
}
