// How the cost of the started program grows with what it is given: accounts, posts, readers of streams, webhook rules.

import type { BenchOptions } from './core/bench.ts';
import type { BenchRow } from './core/row.ts';
import { measureAccounts } from './growth/with-accounts.ts';
import { measurePosts } from './growth/with-posts.ts';
import { measureReaders } from './growth/with-readers.ts';
import { measureRules } from './growth/with-rules.ts';

export const isLong = true;
export const about = `The command of \`npm start\` at sizes ten or a hundred times apart: 2, 20 and 200 accounts with 5,000 posts each, from calm to busy
in no order; 10^5 and 10^7 posts of one account, 100 a day for the 900 days that the model looks back, and the rest before; 10^3
and 10^4 readers of a stream; 10^2 and 10^4 webhook rules. Each row tells the costs, and the exponent over the last step: 1 is in
proportion, 0 is not at all. The baseline is what it may be: 1.1 for what may grow in proportion, 0.1 for hot paths, which may
not. A restart is on a store that an earlier start left; forecasts are made anew then, over all cores, the busiest account
first, while requests are answered. The pretend world, which lives all accounts, and the generators share the machine; its
platforms' limits are the real ones, so that most of 200 accounts are read less often than once a second. CPU per request is of the whole
process, so that what 200 accounts cost at rest (a row of its own) is in it.
Who is busiest is told by an account's newest posts; those are the pretend world's, made since it was filled, and need not be in the
order of the filled past by which the share of pairs is judged: how much of that row is so was not separated. A year of history
is held by \`npm run bench -- history-year\`. \`BENCH_GROWTH=accounts\` (or posts, readers, rules) runs a part.`;

const PARTS: Readonly<Record<string, (options: BenchOptions) => Promise<BenchRow[]>>> = {
  accounts: measureAccounts,
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
