// Entry point of every HTTP request: finds the system by prefix, applies faults, and writes the response.

import { sleep } from '../../src/runtime/clock.ts';
import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import type { HttpFeed } from '../faults/fault-registry.ts';
import type { KalshiExchange } from '../kalshi-orders/kalshi-exchange.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type AdminActions, createAdminApi } from './admin-api.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createClobApi } from './clob-api.ts';
import { createDataApi } from './data-api.ts';
import { createDiscordApi } from './discord-api.ts';
import { createGammaApi } from './gamma-api.ts';
import { toGammaEvent } from './gamma-wire.ts';
import { createKalshiApi } from './kalshi-api.ts';
import { createMailbox } from './mailbox.ts';
import { createMastodonApi } from './mastodon-api.ts';
import { createMirrorApi } from './mirror-api.ts';
import { createOracleApi } from './oracle-api.ts';
import { createRollcallApi } from './rollcall-api.ts';
import { createTelegramApi } from './telegram-api.ts';
import { createXApi } from './x-api.ts';
import { refuseForMoney, TOO_MANY_STREAMS } from './x-problems.ts';
import { MAX_STREAMS, openActivityStream } from './x-stream.ts';

// The page behind a trade link: an event's buckets and prices, read-only. The simulator has no order form.

const STYLE =
  'body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem 1rem .2rem 0}';

function createMarketPage(state: SimulatorState) {
  return async ({ method, path }: SimulatorRequest): Promise<Answer> => {
    const nowTs = state.now();
    const slug = matchPath('/:slug', path)?.slug;
    const event = state.countEvents.list(nowTs).find((candidate) => candidate.slug === slug);
    if (method !== 'GET' || !event) return failure(404, { error: 'no such event' });
    const { title, markets } = toGammaEvent(state, event, nowTs) as unknown as ShownEvent;
    const rows = markets.map((market) => row(market.groupItemTitle, market.bestBid, market.bestAsk)).join('');
    const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><p>Simulated market. Nothing can be bought here.</p><h1>${escapeHtml(title)}</h1><table><thead><tr><th>Bucket</th><th>Bid</th><th>Ask</th></tr></thead><tbody>${rows}</tbody></table></main></body></html>`;
    return { status: 200, body: null, text, headers: { 'content-type': 'text/html; charset=utf-8' } };
  };
}

interface ShownEvent {
  title: string;
  markets: { groupItemTitle: string; bestBid?: number; bestAsk?: number }[];
}

function row(label: string, bid: number | undefined, ask: number | undefined): string {
  return `<tr><td>${escapeHtml(label)}</td><td>${cents(bid)}</td><td>${cents(ask)}</td></tr>`;
}

function cents(price: number | undefined): string {
  return price === undefined ? '–' : `${Number((price * 100).toFixed(1))}¢`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export type SimulatorFetch = (request: Request) => Promise<Response>;

type Handler = (request: SimulatorRequest) => Promise<Answer>;

export function createRouter(
  state: SimulatorState,
  exchange: SimulatedExchange,
  kalshi: KalshiExchange,
  actions: AdminActions,
): SimulatorFetch {
  const x = createXApi(state);
  const handlers: Record<HttpFeed, Handler> = {
    x: x.handle,
    mastodon: createMastodonApi(state).handle,
    oracle: createOracleApi(state).handle,
    gamma: createGammaApi(state).handle,
    clob: createClobApi(state, exchange).handle,
    data: createDataApi(state).handle,
    rss: createMirrorApi(state).handle,
  };
  const mailbox = createMailbox();
  const telegram = createTelegramApi(mailbox);
  /** Alert receivers, the second venue and the market page are not affected by feed faults. */
  const receivers: Record<string, Handler> = {
    kalshi: createKalshiApi(state, kalshi),
    relayer: exchange.relayer,
    polygon: async ({ body }) => ok(await exchange.polygon(await body())),
    rollcall: createRollcallApi(state),
    telegram: telegram.handle,
    event: createMarketPage(state),
    discord: createDiscordApi(mailbox),
  };
  const admin = createAdminApi(state, {
    ...actions,
    wallets: exchange.wallets,
    say: telegram.say,
    listReceived: mailbox.list,
  });

  let streams = 0;
  function stream(request: SimulatorRequest): Response {
    if (!x.isAuthorized(request.headers)) {
      return toResponse(
        failure(401, { title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 }),
      );
    }
    const refusal = refuseForMoney(state.faults, state.now());
    if (refusal) return toResponse(refusal);
    if (state.faults.isOn('stream-down', state.now())) throw connectionLost('stream');
    if (streams === MAX_STREAMS) return toResponse(TOO_MANY_STREAMS);
    streams++;
    const onEnd = () => void streams--;
    return new Response(openActivityStream(state, x.subscriptions, request.signal, onEnd), {
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
  }

  return async (raw) => {
    const { system, request } = takeApart(raw);
    if (system === 'admin') return toResponse(await admin(request));
    if (system === 'x' && request.path === '/2/activity/stream') return stream(request);
    if (Object.hasOwn(receivers, system)) return toResponse(await receivers[system]!(request));
    const handler = Object.hasOwn(handlers, system) ? handlers[system as HttpFeed] : undefined;
    if (!handler) return toResponse(failure(404, { error: 'no such system' }));
    return answer(state, system as HttpFeed, handler, request);
  };
}

async function answer(
  state: SimulatorState,
  feed: HttpFeed,
  handler: Handler,
  request: SimulatorRequest,
): Promise<Response> {
  const { faults } = state;
  if (faults.isOn(`${feed}-down`, state.now())) throw connectionLost(feed);
  const slowMs = faults.valueAt(`${feed}-slow`, state.now());
  if (slowMs !== null) await sleep(state.clock, slowMs, request.signal);
  request.signal.throwIfAborted();
  const nowTs = state.now();
  if (faults.hits(`${feed}-429`, nowTs)) return htmlPage(429, 'Too Many Requests', { 'retry-after': '5' });
  if (faults.hits(`${feed}-html`, nowTs)) return htmlPage(502, 'Bad gateway');
  const given = await handler(request);
  const isCut = faults.hits(`${feed}-truncated`, nowTs);
  if (!isCut) for (const post of given.served ?? []) post.firstServedTs ??= nowTs;
  return toResponse(given, isCut, nowTs);
}

function takeApart(raw: Request): { system: string; request: SimulatorRequest } {
  const url = new URL(raw.url);
  const [, system = '', ...rest] = url.pathname.replace(/\/+$/, '').split('/');
  return {
    system,
    request: {
      method: raw.method,
      path: `/${rest.join('/')}`,
      query: url.searchParams,
      headers: raw.headers,
      body: () => readJson(raw),
      text: () => raw.text(),
      signal: raw.signal,
      baseUrl: `${url.origin}/${system}`,
    },
  };
}

async function readJson(raw: Request): Promise<unknown> {
  try {
    return JSON.parse(await raw.text());
  } catch {
    return null;
  }
}

function toResponse(given: Answer, isCut = false, nowTs?: number): Response {
  const text = given.text ?? JSON.stringify(given.body);
  if (given.status === 204) return new Response(null, { status: 204, headers: given.headers ?? {} });
  return new Response(isCut ? text.slice(0, Math.floor(text.length * 0.6)) : text, {
    status: given.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(nowTs === undefined ? {} : { date: new Date(nowTs).toUTCString() }),
      ...given.headers,
    },
  });
}

function htmlPage(status: number, title: string, headers: Record<string, string> = {}): Response {
  const page = `<!DOCTYPE html><html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`;
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...headers } });
}

/** What fetch throws when the server drops the connection. */
function connectionLost(feed: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(`${feed}: connection reset`) });
}
