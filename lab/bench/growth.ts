// Measures how the cost of the running service grows with accounts, posts, stream readers and webhook rules.

import type { BenchOptions } from './core/bench.ts';
import type { BenchRow } from './core/row.ts';
import { measureAccounts } from './growth/with-accounts.ts';
import { measureContracts } from './growth/with-contracts.ts';
import { measurePosts } from './growth/with-posts.ts';
import { measureReaders } from './growth/with-readers.ts';
import { measureRules } from './growth/with-rules.ts';

export const isLong = true;
export const about = `Costs at increasing sizes; "ours" is the growth exponent over the last step. Limits are 1.1 for linear costs and 0.1 for hot paths; \`BENCH_GROWTH=accounts\` (contracts, posts, readers, rules) runs one part.`;

const PARTS: Readonly<Record<string, (options: BenchOptions) => Promise<BenchRow[]>>> = {
  accounts: measureAccounts,
  contracts: measureContracts,
  posts: measurePosts,
  readers: measureReaders,
  rules: measureRules,
};

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const wanted = process.env.BENCH_GROWTH;
  const rows: BenchRow[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted === undefined || wanted === name) rows.push(...(await measure(options)));
  }
  return rows;
}
