// The service as a typed object: one method per question, every type from the interface document.

import createClient, { type Client } from 'openapi-fetch';
import { TallycastError } from './error.ts';
import type { paths, Schemas } from './generated/schema.ts';
import { openStream, type StreamEvent, type StreamOptions } from './stream.ts';

export interface TallycastOptions {
  /** Where the service is, e.g. http://127.0.0.1:8000 */
  url: string;
  apiKey?: string;
  /** Sent with every call, e.g. a payment. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
}

type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;
type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer B } } };
}
  ? B
  : never;

export interface Tallycast {
  /** The client of openapi-fetch beneath, for what has no method here. */
  readonly api: Client<paths>;
  health(): Promise<Schemas['Health']>;
  counters(account: string): Promise<Schemas['MetaAnswer']>;
  posts(account: string, query?: Query<'/api/v1/meta/{account}/tweets'>): Promise<Schemas['TweetsAnswer']>;
  hourly(account: string, query?: Query<'/api/v1/meta/{account}/hourly'>): Promise<Schemas['HourlyAnswer']>;
  forecast(account: string): Promise<Schemas['PredictionAnswer']>;
  signals(account: string, query?: Query<'/api/v1/signals/{account}'>): Promise<Schemas['SignalsAnswer']>;
  ladder(
    account: string,
    query?: Query<'/api/v1/signals/{account}/ladder'>,
  ): Promise<Schemas['LadderAnswer']>;
  portfolio(
    account: string,
    query: Query<'/api/v1/portfolio/{account}'>,
  ): Promise<Schemas['PortfolioAnswer']>;
  rebalancing(
    account: string,
    query: Query<'/api/v1/portfolio/{account}/rebalancing'>,
  ): Promise<Schemas['RebalancingAnswer']>;
  cryptoMarkets(): Promise<Schemas['CryptoAnswer']>;
  performance(query?: Query<'/api/v1/performance/overview'>): Promise<Schemas['PerformanceOverview']>;
  performanceHistory(query?: Query<'/api/v1/performance/history'>): Promise<Schemas['PerformanceHistory']>;
  calibration(query?: Query<'/api/v1/performance/calibration'>): Promise<Schemas['PerformanceCalibration']>;
  ledger(query?: Query<'/api/v1/performance/ledger'>): Promise<Schemas['PerformanceLedger']>;
  joinWaitlist(body: Body<'/api/v1/waitlist'>): Promise<Schemas['WaitlistAnswer']>;
  /** Live updates; goes on through broken connections until the signal aborts. */
  stream(account: string, options?: StreamOptions): AsyncGenerator<StreamEvent, void, void>;
  readonly webhooks: {
    create(body: Body<'/api/v1/webhooks'>): Promise<Schemas['WebhookCreated']>;
    list(): Promise<Schemas['WebhookList']>;
    remove(webhookId: string): Promise<Schemas['WebhookRemoved']>;
    deliveries(webhookId: string, query?: { limit?: number }): Promise<Schemas['WebhookDeliveries']>;
    replay(webhookId: string, deliveryId: string): Promise<Schemas['WebhookReplayed']>;
  };
}

export function createTallycast(options: TallycastOptions): Tallycast {
  const url = options.url.replace(/\/+$/, '');
  const headers: Record<string, string> = { ...options.headers };
  if (options.apiKey) headers['X-API-Key'] = options.apiKey;
  const ask = options.fetch ?? fetch;
  const api = createClient<paths>({ baseUrl: url, headers, fetch: (request) => ask(request) });
  const of = (account: string) => ({ account });

  return {
    api,
    health: async () => bodyOf(await api.GET('/api/v1/health')),
    counters: async (account) =>
      bodyOf(await api.GET('/api/v1/meta/{account}', { params: { path: of(account) } })),
    posts: async (account, query) =>
      bodyOf(await api.GET('/api/v1/meta/{account}/tweets', { params: { path: of(account), query } })),
    hourly: async (account, query) =>
      bodyOf(await api.GET('/api/v1/meta/{account}/hourly', { params: { path: of(account), query } })),
    forecast: async (account) =>
      bodyOf(await api.GET('/api/v1/prediction/{account}', { params: { path: of(account) } })),
    signals: async (account, query) =>
      bodyOf(await api.GET('/api/v1/signals/{account}', { params: { path: of(account), query } })),
    ladder: async (account, query) =>
      bodyOf(await api.GET('/api/v1/signals/{account}/ladder', { params: { path: of(account), query } })),
    portfolio: async (account, query) =>
      bodyOf(await api.GET('/api/v1/portfolio/{account}', { params: { path: of(account), query } })),
    rebalancing: async (account, query) =>
      bodyOf(
        await api.GET('/api/v1/portfolio/{account}/rebalancing', { params: { path: of(account), query } }),
      ),
    cryptoMarkets: async () => bodyOf(await api.GET('/api/v1/meta/crypto')),
    performance: async (query) =>
      bodyOf(await api.GET('/api/v1/performance/overview', { params: { query } })),
    performanceHistory: async (query) =>
      bodyOf(await api.GET('/api/v1/performance/history', { params: { query } })),
    calibration: async (query) =>
      bodyOf(await api.GET('/api/v1/performance/calibration', { params: { query } })),
    ledger: async (query) => bodyOf(await api.GET('/api/v1/performance/ledger', { params: { query } })),
    joinWaitlist: async (body) => bodyOf(await api.POST('/api/v1/waitlist', { body })),
    stream: (account, streamOptions) =>
      openStream({ url: `${url}/api/v1/stream/${account}`, headers, fetch: ask }, streamOptions),
    webhooks: {
      create: async (body) => bodyOf(await api.POST('/api/v1/webhooks', { body })),
      list: async () => bodyOf(await api.GET('/api/v1/webhooks')),
      remove: async (webhook_id) =>
        bodyOf(await api.DELETE('/api/v1/webhooks/{webhook_id}', { params: { path: { webhook_id } } })),
      deliveries: async (webhook_id, query) =>
        bodyOf(
          await api.GET('/api/v1/webhooks/{webhook_id}/deliveries', {
            params: { path: { webhook_id }, query },
          }),
        ),
      replay: async (webhook_id, delivery_id) =>
        bodyOf(
          await api.POST('/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', {
            params: { path: { webhook_id, delivery_id } },
          }),
        ),
    },
  };
}

function bodyOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (!response.ok || data === undefined) throw new TallycastError(response, error);
  return data;
}
