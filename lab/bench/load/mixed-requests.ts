// A realistic mix of requests: a third are served from prepared bytes, the rest are computed or read from the
// store.

import { createRandom } from '../../../src/runtime/random.ts';
import { rawRequest } from './generate.ts';

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
export function listMixedRequests(key: string): string[] {
  return listMixedPaths().map((path) => rawRequest(`/api/v1${path}`, { 'X-API-Key': key }));
}

/**
 * Requests from a careless or hostile client. Every response has a definite end, so that the generator can
 * continue.
 */
export function listWrongRequests(count: number): string[] {
  const post = (path: string, body: string, type = 'application/json') =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const kinds: ((i: number) => string)[] = [
    (i) => rawRequest('/api/v1/prediction/account_a', { 'X-API-Key': `tc_wrong_${i}` }),
    (i) => rawRequest(`/api/v1/nothing/${i}`),
    (i) => rawRequest(`/api/v1/meta/account_a/tweets?limit=-${i + 1}`, { 'X-API-Key': 'x' }),
    () => rawRequest('/api/v1/meta/account_a').replace('GET', 'DELETE'),
    (i) => post('/api/v1/waitlist', `{"type":"agent","name":${i}`),
    (i) => post('/api/v1/waitlist', JSON.stringify({ type: 'robot', case: 'x'.repeat(i % 600) })),
    (i) => post('/api/v1/waitlist', 'a=b', `text/${i}`),
    (i) => rawRequest(`/${'%2e%2e/'.repeat(i % 20)}etc/passwd`),
  ];
  return Array.from({ length: Math.round(count) }, (_, i) => kinds[i % kinds.length]!(i));
}
