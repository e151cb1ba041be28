// The typed client: one method per endpoint, with types generated from the OpenAPI document.

import { type Change, followChanges } from './follow.ts';
import type { Operations, PostRecord, Schemas } from './generated/schema.ts';
import type { StreamEvent } from './messages.ts';
import { type CallOptions, createMethods, type Methods } from './methods.ts';
import { listEveryPost, type PagingOptions } from './paging.ts';
import { openStream, type StreamOptions } from './stream.ts';
import { send, type TransportOptions } from './transport.ts';

export interface TallycastOptions {
  /** Address of the service, e.g. http://127.0.0.1:8080 */
  url: string;
  apiKey?: string | undefined;
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the platform's fetch, e.g. to pay (x402), use a proxy or log requests. */
  fetch?: typeof fetch | undefined;
  /** Retries after a temporary failure (2); 0 for none. */
  retries?: number | undefined;
  /** Timeout of one attempt (30 s). */
  timeoutMs?: number | undefined;
  /** If `Retry-After` is longer than this, the call throws immediately (30 s). */
  longestPauseMs?: number | undefined;
}

/** The service's /config.json. */
export interface ServiceConfig {
  accounts: {
    segment: string;
    label: string;
    /** Public URL of a post; {id} is replaced by the post's id. */
    post_url?: string;
    /** Whether /portfolio/{account}/rebalancing exists. */
    rebalancing?: boolean;
  }[];
  /** Kinds of alert rules, with the threshold of those that take one. */
  alert_kinds?: {
    kind: Schemas['RuleKind'];
    /** Completes "Alert me when". */
    words: string;
    threshold?: {
      label: string;
      /** What one step is called. */
      unit: string;
      minimum: number;
      maximum: number;
      default: number;
      step: number;
    };
  }[];
  payments?: boolean;
  price_usd?: number | null;
  version?: string;
  /** 'simulated' while the data comes from the simulator instead of the real market. */
  world?: string | null;
  /** 'easy' while the simulator's market is easier to beat than real prices. */
  market?: string;
  /** Speed of the service's clock; 1 unless a simulator runs faster. */
  speed?: number;
  /** A simulated wallet for trying out the portfolio; absent on live data. */
  demo_wallet?: string;
  /** Whether POST /demo-key issues demo keys; absent on live data. */
  demo_key?: boolean;
  /** Address of the simulator on the service's machine; absent on live data. */
  simulator_url?: string;
}

/** Accounts are identified by segment, e.g. account_a; `config` lists them. */
export interface Tallycast extends Methods {
  config(options?: CallOptions): Promise<ServiceConfig>;
  /** Also returns a report while the service is down, if it can still be reached. */
  health(options?: CallOptions): Promise<Schemas['Health']>;
  /** Every post, newest first, page by page; without a key, only the latest 15. */
  everyPost(account: string, options?: PagingOptions): AsyncGenerator<PostRecord, void, void>;
  /** Live updates; reconnects as needed until the signal aborts. */
  stream(account: string, options?: StreamOptions): AsyncGenerator<StreamEvent, void, void>;
  /** Like `stream`, but only the first message is a snapshot: missed changes then arrive one by one. */
  follow(account: string, options?: StreamOptions): AsyncGenerator<Change, void, void>;
  /** Calls any API operation, for endpoints without a method here. */
  call<Name extends keyof Operations>(
    name: Name,
    request: CallOptions & {
      [Part in 'path' | 'query' | 'body']?: Operations[Name][Part] | undefined;
    },
  ): Promise<Operations[Name]['answer']>;
}

export const API_PREFIX = '/api/v1';

export function createTallycast(options: TallycastOptions): Tallycast {
  const transport = toTransport(options);
  const call: Tallycast['call'] = async (name, { path, query, body, signal }) =>
    (await send({ ...splitName(name, path), query: query as object, body, signal }, transport)) as never;
  const methods = createMethods(call as never);
  const everyPost: Tallycast['everyPost'] = (account, paging) =>
    listEveryPost((page) => methods.posts(account, page, { signal: paging?.signal }), paging);
  const stream: Tallycast['stream'] = (account, streamOptions) =>
    openStream(
      { ...transport, url: `${transport.url}${API_PREFIX}/stream/${encodeURIComponent(account)}` },
      streamOptions,
    );

  return {
    ...methods,
    call,
    everyPost,
    stream,
    follow: (account, streamOptions) =>
      followChanges({
        messages: stream(account, streamOptions),
        listPosts: () => everyPost(account, { signal: streamOptions?.signal }),
      }),
    config: async (more) =>
      (await send({ method: 'GET', path: '/config.json', ...more }, transport)) as ServiceConfig,
    health: async (more) =>
      (await send(
        { method: 'GET', path: `${API_PREFIX}/health`, alsoTakes: [503], ...more },
        transport,
      )) as Schemas['Health'],
  };
}

function toTransport(options: TallycastOptions): TransportOptions {
  const key: Record<string, string> = options.apiKey ? { 'X-API-Key': options.apiKey } : {};
  return {
    url: options.url.replace(/\/+$/, ''),
    headers: { ...options.headers, ...key },
    // Looked up per call, so that replacing the platform's fetch later takes effect.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 30_000,
    longestPauseMs: options.longestPauseMs ?? 30_000,
    retriesUnanswered: options.fetch === undefined,
  };
}

/** 'GET /meta/{account}' with { account: 'account_a' } -> GET /api/v1/meta/account_a */
function splitName(name: string, path: object | undefined): { method: string; path: string } {
  const [method = '', template = ''] = name.split(' ');
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = (path as Record<string, unknown> | undefined)?.[parameter];
    if (value === undefined) throw new TypeError(`${name} needs ${parameter}`);
    return encodeURIComponent(String(value));
  });
  return { method, path: `${API_PREFIX}${filled}` };
}
