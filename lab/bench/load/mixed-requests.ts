// A realistic mix of requests: a third are served from prepared bytes, the rest are computed or read from the
// store.

import { createRandom } from '../../../src/runtime/random.ts';
import type { LoadRequest } from './generate.ts';

const PREPARED_PATHS: readonly string[] = [
  '/meta/account_a',
  '/prediction/account_a',
  '/prediction/account_b',
  '/meta/account_b/tweets',
];
const LENGTH = 1_000;
const WALLET = `0x${'ab'.repeat(20)}`;

/** Paths below the API prefix. Bankrolls and pages vary, so that most requests miss the cache. */
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
    i % 3 === 0 ? PREPARED_PATHS[upTo(PREPARED_PATHS.length)]! : costly[upTo(costly.length)]!(),
  );
}

/** An INTERNAL key has no rate limit, so refusals are due to load alone. */
export function listMixedRequests(key: string): LoadRequest[] {
  return listMixedPaths().map((path) => ({ path: `/api/v1${path}`, headers: { 'X-API-Key': key } }));
}

/** Requests from a careless or hostile client. */
export function listWrongRequests(count: number): LoadRequest[] {
  const post = (path: string, body: string, type = 'application/json'): LoadRequest => ({
    ...{ path, body, method: 'POST' },
    headers: { 'Content-Type': type },
  });
  const kinds: ((i: number) => LoadRequest)[] = [
    (i) => ({ path: '/api/v1/prediction/account_a', headers: { 'X-API-Key': `tc_wrong_${i}` } }),
    (i) => ({ path: `/api/v1/nothing/${i}` }),
    (i) => ({ path: `/api/v1/meta/account_a/tweets?limit=-${i + 1}`, headers: { 'X-API-Key': 'x' } }),
    () => ({ path: '/api/v1/meta/account_a', method: 'DELETE' }),
    (i) => post('/api/v1/waitlist', `{"type":"agent","name":${i}`),
    (i) => post('/api/v1/waitlist', JSON.stringify({ type: 'robot', case: 'x'.repeat(i % 600) })),
    (i) => post('/api/v1/waitlist', 'a=b', `text/${i}`),
    (i) => ({ path: `/${'%2e%2e/'.repeat(i % 20)}etc/passwd` }),
  ];
  return Array.from({ length: Math.round(count) }, (_, i) => kinds[i % kinds.length]!(i));
}
