// The typed client: one method per endpoint, with types generated from the OpenAPI document.

import { type Change, followChanges } from './follow.ts';
import type { Operations, PostRecord, Schemas } from './generated/schema.ts';
import type { StreamEvent } from './messages.ts';
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

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** The service's /config.json. */
export interface ServiceConfig {
  accounts: {
    segment: string;
    label: string;
    /** Public URL of a post; {id} is replaced by the post's id. */
    post_url?: string;
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

type Query<Name extends keyof Operations> = Operations[Name]['query'];
type Body<Name extends keyof Operations> = Operations[Name]['body'];
type Answer<Name extends keyof Operations> = Promise<Operations[Name]['answer']>;

/** Accounts are identified by segment, e.g. account_a; `config` lists them. */
export interface Tallycast {
  config(options?: CallOptions): Promise<ServiceConfig>;
  /** Also returns a report while the service is down, if it can still be reached. */
  health(options?: CallOptions): Promise<Schemas['Health']>;
  counters(account: string, options?: CallOptions): Answer<'GET /meta/{account}'>;
  posts(
    account: string,
    query?: Query<'GET /meta/{account}/tweets'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /meta/{account}/tweets'>;
  /** Every post, newest first, page by page; without a key, only the latest 15. */
  everyPost(account: string, options?: PagingOptions): AsyncGenerator<PostRecord, void, void>;
  hourly(
    account: string,
    query?: Query<'GET /meta/{account}/hourly'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /meta/{account}/hourly'>;
  forecast(account: string, options?: CallOptions): Answer<'GET /prediction/{account}'>;
  /** Current trades across all accounts and events, best first. */
  opportunities(query?: Query<'GET /signals'> | undefined, options?: CallOptions): Answer<'GET /signals'>;
  signals(
    account: string,
    query?: Query<'GET /signals/{account}'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /signals/{account}'>;
  ladder(
    account: string,
    query?: Query<'GET /signals/{account}/ladder'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /signals/{account}/ladder'>;
  portfolio(
    account: string,
    query: Query<'GET /portfolio/{account}'>,
    options?: CallOptions,
  ): Answer<'GET /portfolio/{account}'>;
  rebalancing(
    account: string,
    query: Query<'GET /portfolio/{account}/rebalancing'>,
    options?: CallOptions,
  ): Answer<'GET /portfolio/{account}/rebalancing'>;
  cryptoMarkets(options?: CallOptions): Answer<'GET /meta/crypto'>;
  performance(
    query?: Query<'GET /performance/overview'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/overview'>;
  performanceHistory(
    query?: Query<'GET /performance/history'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/history'>;
  calibration(
    query?: Query<'GET /performance/calibration'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/calibration'>;
  ledger(
    query?: Query<'GET /performance/ledger'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/ledger'>;
  /** Scores of forward and recomputed forecasts, with intervals and sample sizes. */
  record(
    query?: Query<'GET /performance/record.json'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/record.json'>;
  /** Forecast log seals, oldest first. */
  seals(
    query?: Query<'GET /performance/seals'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/seals'>;
  sealedHour(
    hourTs: number,
    query?: Query<'GET /performance/seals/{hour_ts}'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /performance/seals/{hour_ts}'>;
  joinWaitlist(body: Body<'POST /waitlist'>, options?: CallOptions): Answer<'POST /waitlist'>;
  /** Live updates; reconnects as needed until the signal aborts. */
  stream(account: string, options?: StreamOptions): AsyncGenerator<StreamEvent, void, void>;
  /** Like `stream`, but only the first message is a snapshot: missed changes then arrive one by one. */
  follow(account: string, options?: StreamOptions): AsyncGenerator<Change, void, void>;
  /** Alert channels. */
  readonly channels: {
    create(body: Body<'POST /channels'>, options?: CallOptions): Answer<'POST /channels'>;
    list(options?: CallOptions): Answer<'GET /channels'>;
    remove(channelId: string, options?: CallOptions): Answer<'DELETE /channels/{channel_id}'>;
    test(channelId: string, options?: CallOptions): Answer<'POST /channels/{channel_id}/test'>;
    deliveries(
      channelId: string,
      query?: Query<'GET /channels/{channel_id}/deliveries'> | undefined,
      options?: CallOptions,
    ): Answer<'GET /channels/{channel_id}/deliveries'>;
    replay(
      channelId: string,
      deliveryId: string,
      options?: CallOptions,
    ): Answer<'POST /channels/{channel_id}/deliveries/{delivery_id}/replay'>;
  };
  /** Alert rules. */
  readonly rules: {
    create(body: Body<'POST /rules'>, options?: CallOptions): Answer<'POST /rules'>;
    list(options?: CallOptions): Answer<'GET /rules'>;
    remove(ruleId: string, options?: CallOptions): Answer<'DELETE /rules/{rule_id}'>;
    test(ruleId: string, options?: CallOptions): Answer<'POST /rules/{rule_id}/test'>;
  };
  /** Running and settled events, latest end first. */
  pastEvents(
    account: string,
    query?: Query<'GET /history/{account}/events'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /history/{account}/events'>;
  /** An event's history, earliest first. */
  eventHistory(
    account: string,
    eventId: number,
    query?: Query<'GET /history/{account}/{event_id}'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /history/{account}/{event_id}'>;
  /** Forecast, ladder and advice under the given assumptions; the published ones if there are none. */
  whatIf(
    account: string,
    body: Body<'POST /what-if/{account}'>,
    options?: CallOptions,
  ): Answer<'POST /what-if/{account}'>;
  /** When to expect the next post, and how similar windows ended. */
  outlook(
    account: string,
    query?: Query<'GET /outlook/{account}'> | undefined,
    options?: CallOptions,
  ): Answer<'GET /outlook/{account}'>;
  /** Recent alerts, newest first. */
  notices(query?: Query<'GET /notices'> | undefined, options?: CallOptions): Answer<'GET /notices'>;
  /** @deprecated Use channels and rules. */
  readonly webhooks: {
    create(body: Body<'POST /webhooks'>, options?: CallOptions): Answer<'POST /webhooks'>;
    list(options?: CallOptions): Answer<'GET /webhooks'>;
    remove(webhookId: string, options?: CallOptions): Answer<'DELETE /webhooks/{webhook_id}'>;
    deliveries(
      webhookId: string,
      query?: Query<'GET /webhooks/{webhook_id}/deliveries'> | undefined,
      options?: CallOptions,
    ): Answer<'GET /webhooks/{webhook_id}/deliveries'>;
    replay(
      webhookId: string,
      deliveryId: string,
      options?: CallOptions,
    ): Answer<'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay'>;
  };
  /** Calls any API operation, for endpoints without a method here. */
  call<Name extends keyof Operations>(
    name: Name,
    request: CallOptions & {
      [Part in 'path' | 'query' | 'body']?: Operations[Name][Part] | undefined;
    },
  ): Answer<Name>;
}

export const API_PREFIX = '/api/v1';

export function createTallycast(options: TallycastOptions): Tallycast {
  const transport = toTransport(options);
  const call: Tallycast['call'] = async (name, { path, query, body, signal }) =>
    (await send({ ...splitName(name, path), query: query as object, body, signal }, transport)) as never;
  const of = (account: string) => ({ account });
  const posts: Tallycast['posts'] = (account, query, more) =>
    call('GET /meta/{account}/tweets', { path: of(account), query, ...more });
  const everyPost: Tallycast['everyPost'] = (account, paging) =>
    listEveryPost((page) => posts(account, page, { signal: paging?.signal }), paging);
  const stream: Tallycast['stream'] = (account, streamOptions) =>
    openStream(
      { ...transport, url: `${transport.url}${API_PREFIX}/stream/${encodeURIComponent(account)}` },
      streamOptions,
    );

  return {
    call,
    posts,
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
    counters: (account, more) => call('GET /meta/{account}', { path: of(account), ...more }),
    hourly: (account, query, more) =>
      call('GET /meta/{account}/hourly', { path: of(account), query, ...more }),
    forecast: (account, more) => call('GET /prediction/{account}', { path: of(account), ...more }),
    opportunities: (query, more) => call('GET /signals', { query, ...more }),
    signals: (account, query, more) => call('GET /signals/{account}', { path: of(account), query, ...more }),
    ladder: (account, query, more) =>
      call('GET /signals/{account}/ladder', { path: of(account), query, ...more }),
    portfolio: (account, query, more) =>
      call('GET /portfolio/{account}', { path: of(account), query, ...more }),
    rebalancing: (account, query, more) =>
      call('GET /portfolio/{account}/rebalancing', { path: of(account), query, ...more }),
    cryptoMarkets: (more) => call('GET /meta/crypto', { ...more }),
    performance: (query, more) => call('GET /performance/overview', { query, ...more }),
    performanceHistory: (query, more) => call('GET /performance/history', { query, ...more }),
    calibration: (query, more) => call('GET /performance/calibration', { query, ...more }),
    ledger: (query, more) => call('GET /performance/ledger', { query, ...more }),
    record: (query, more) => call('GET /performance/record.json', { query, ...more }),
    seals: (query, more) => call('GET /performance/seals', { query, ...more }),
    sealedHour: (hourTs, query, more) =>
      call('GET /performance/seals/{hour_ts}', { path: { hour_ts: String(hourTs) }, query, ...more }),
    joinWaitlist: (body, more) => call('POST /waitlist', { body, ...more }),
    channels: {
      create: (body, more) => call('POST /channels', { body, ...more }),
      list: (more) => call('GET /channels', { ...more }),
      remove: (channel_id, more) => call('DELETE /channels/{channel_id}', { path: { channel_id }, ...more }),
      test: (channel_id, more) => call('POST /channels/{channel_id}/test', { path: { channel_id }, ...more }),
      deliveries: (channel_id, query, more) =>
        call('GET /channels/{channel_id}/deliveries', { path: { channel_id }, query, ...more }),
      replay: (channel_id, delivery_id, more) =>
        call('POST /channels/{channel_id}/deliveries/{delivery_id}/replay', {
          path: { channel_id, delivery_id },
          ...more,
        }),
    },
    rules: {
      create: (body, more) => call('POST /rules', { body, ...more }),
      list: (more) => call('GET /rules', { ...more }),
      remove: (rule_id, more) => call('DELETE /rules/{rule_id}', { path: { rule_id }, ...more }),
      test: (rule_id, more) => call('POST /rules/{rule_id}/test', { path: { rule_id }, ...more }),
    },
    pastEvents: (account, query, more) =>
      call('GET /history/{account}/events', { path: of(account), query, ...more }),
    eventHistory: (account, event_id, query, more) =>
      call('GET /history/{account}/{event_id}', {
        path: { account, event_id: String(event_id) },
        query,
        ...more,
      }),
    whatIf: (account, body, more) => call('POST /what-if/{account}', { path: of(account), body, ...more }),
    outlook: (account, query, more) => call('GET /outlook/{account}', { path: of(account), query, ...more }),
    notices: (query, more) => call('GET /notices', { query, ...more }),
    webhooks: {
      create: (body, more) => call('POST /webhooks', { body, ...more }),
      list: (more) => call('GET /webhooks', { ...more }),
      remove: (webhook_id, more) => call('DELETE /webhooks/{webhook_id}', { path: { webhook_id }, ...more }),
      deliveries: (webhook_id, query, more) =>
        call('GET /webhooks/{webhook_id}/deliveries', { path: { webhook_id }, query, ...more }),
      replay: (webhook_id, delivery_id, more) =>
        call('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
          path: { webhook_id, delivery_id },
          ...more,
        }),
    },
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
