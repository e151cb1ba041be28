// What callers really ask for, in one list: a third is answered from bytes made in advance, the rest is computed or read.

import { createRandom } from '../../src/runtime/random.ts';
import { rawRequest } from './generate.ts';

const PREPARED = [
  '/meta/account_a',
  '/prediction/account_a',
  '/prediction/account_b',
  '/meta/account_b/tweets',
];
const LENGTH = 1_000;
const WALLET = `0x${'ab'.repeat(20)}`;

/** Paths under the interface's prefix. Bankrolls and pages differ, so that most are not found in a cache. */
export function listMixedPaths(seed = 1): string[] {
  const random = createRandom(seed);
  const upTo = (count: number) => Math.floor(random.uniform() * count);
  const costly: (() => string)[] = [
    () => `/signals/account_a?bankroll=${100 + upTo(100_000)}`,
    () => `/signals/account_b?bankroll=${100 + upTo(100_000)}&only_with_signals=false`,
    () => `/meta/account_a/tweets?limit=100&offset=${upTo(2_000)}`,
    () => `/meta/account_b/tweets?limit=50&offset=${100 + upTo(1_000)}`,
    () => `/performance/history?days=${1 + upTo(180)}&horizon=48`,
    () => '/performance/overview',
    () => `/portfolio/account_a?wallet=${WALLET}`,
    () => '/usage/summary',
  ];
  return Array.from({ length: LENGTH }, (_, i) =>
    i % 3 === 0 ? PREPARED[upTo(PREPARED.length)]! : costly[upTo(costly.length)]!(),
  );
}

/** An INTERNAL key has no allowance: what is refused is refused for load alone. */
export function listMixedRequests(key: string): string[] {
  return listMixedPaths().map((path) => rawRequest(`/api/v1${path}`, { 'X-API-Key': key }));
}
