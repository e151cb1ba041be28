// Builds an account's ordered list of post sources from its profile and the settings per kind.

import type { Account, PostSourceChoice } from '../domain/account.ts';
import { SECOND_MS } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { SourceError, UsageError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { createHttpTransport, type Fetch, type HttpTransport } from './http-transport.ts';
import { createMastodonPostSource } from './mastodon/client.ts';
import { createOraclePostSource } from './oracle/posts-source.ts';
import { createProxyFetch } from './proxy-fetch.ts';
import { createRollcallPostSource } from './rollcall/client.ts';
import { createRssPostSource } from './rss/client.ts';
import type { OracleSource, PostSource, PostSourceKind } from './source.ts';
import { createSpendMeter, type SpendMeter } from './spend-meter.ts';
import { type ActivityConnection, createActivityConnection } from './x-api/activity-stream.ts';
import { createXPostSource } from './x-api/client.ts';

/** Settings for one kind of source; an account's entry may override them. */
export interface PostSourceSettings {
  baseUrl: string;
  credential: string;
  /** Polling period while the source leads; null for the kind's default. */
  periodMs: number | null;
  /** Address of an HTTP proxy; null for a direct connection. */
  proxy: string | null;
  userAgent: string | null;
  /** Monthly cap in USD for a paid platform; null for no cap. */
  monthlyCapUsd: number | null;
}

export const NO_SETTINGS: PostSourceSettings = {
  baseUrl: '',
  credential: '',
  periodMs: null,
  proxy: null,
  userAgent: null,
  monthlyCapUsd: null,
};

export interface PostSourcesOptions {
  settings: Partial<Record<PostSourceKind, PostSourceSettings>>;
  fetch: Fetch;
  clock: Clock;
  random: Random;
  requestTimeoutMs?: number;
}

export interface PostSourceFactory {
  create(account: Account, oracle: OracleSource): PostSource[];
  readonly meters: readonly SpendMeter[];
}

export function createPostSourceFactory(options: PostSourcesOptions): PostSourceFactory {
  const { clock, random } = options;
  const capUsd = options.settings.x?.monthlyCapUsd ?? null;
  const meter = createSpendMeter({ name: 'x', clock, capUsd, capSetting: 'X_MONTHLY_CAP_USD' });
  /** Accounts with the same credential share its connection and its failure state. */
  const transports = new Map<string, HttpTransport>();
  const activities = new Map<HttpTransport, ActivityConnection>();

  function open(kind: PostSourceKind, settings: PostSourceSettings): HttpTransport {
    const key = JSON.stringify([
      kind,
      settings.baseUrl,
      settings.credential,
      settings.proxy,
      settings.userAgent,
    ]);
    const known = transports.get(key);
    if (known) return known;
    const plain = createHttpTransport({
      name: kind,
      baseUrl: settings.baseUrl,
      fetch: settings.proxy === null ? options.fetch : createProxyFetch(settings.proxy),
      clock,
      headers: settings.credential === '' ? {} : { authorization: `Bearer ${settings.credential}` },
      ...(settings.userAgent === null ? {} : { userAgent: settings.userAgent }),
      ...(options.requestTimeoutMs === undefined ? {} : { timeoutMs: options.requestTimeoutMs }),
    });
    const transport = kind === 'x' ? stopForOperator(plain) : plain;
    transports.set(key, transport);
    return transport;
  }

  function followed(http: HttpTransport): ActivityConnection {
    const connection = activities.get(http) ?? createActivityConnection(http, clock);
    activities.set(http, connection);
    return connection;
  }

  function createOne(
    account: Account,
    choice: PostSourceChoice,
    name: string,
    oracle: OracleSource,
  ): PostSource {
    const kind = choice.kind as PostSourceKind;
    const settings = settle(options.settings[kind] ?? NO_SETTINGS, choice.options ?? {});
    const pace = settings.periodMs === null ? {} : { periodMs: settings.periodMs };
    const shared = { account, clock, random, name, ...pace };
    if (kind === 'oracle') return createOraclePostSource({ ...shared, oracle });
    const http = open(kind, settings);
    switch (kind) {
      case 'x':
        return createXPostSource({ ...shared, http, meter, activities: followed(http) });
      case 'mastodon':
        return createMastodonPostSource({ ...shared, http });
      case 'rss':
        return createRssPostSource({ ...shared, http });
      case 'rollcall':
        return createRollcallPostSource({ ...shared, http });
      default:
        throw new UsageError(`account ${account.segment}: "${choice.kind}" is not a kind of post source`);
    }
  }

  return {
    meters: [meter],
    create(account, oracle) {
      const choices = account.postSources ?? [{ kind: account.platform }];
      return choices.map((choice, index) => {
        const before = choices.slice(0, index).filter(({ kind }) => kind === choice.kind).length;
        return createOne(
          account,
          choice,
          before === 0 ? choice.kind : `${choice.kind}-${before + 1}`,
          oracle,
        );
      });
    },
  };
}

function settle(
  settings: PostSourceSettings,
  { baseUrl, credential, periodS, proxy, userAgent }: Readonly<Record<string, string>>,
): PostSourceSettings {
  return {
    ...settings,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(credential === undefined ? {} : { credential }),
    ...(periodS === undefined ? {} : { periodMs: Number(periodS) * SECOND_MS }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

// Stops calling a platform that is out of credit or over its monthly cap: it would refuse for hours, and some
// platforms count refusals against the caller. The operator tops up or raises the cap, then restarts the
// service.

/** After such a refusal every later call fails here with the same error. */
export function stopForOperator(http: HttpTransport): HttpTransport {
  let refusal: SourceError | null = null;

  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (refusal) throw refusal;
    try {
      return await call();
    } catch (error) {
      if (!isForOperator(error)) throw error;
      refusal ??= toRefusal(error);
      throw refusal;
    }
  }

  return {
    name: http.name,
    baseUrl: http.baseUrl,
    getJson: (path, query, signal) => pass(() => http.getJson(path, query, signal)),
    getAged: (path, query, signal) => pass(() => http.getAged(path, query, signal)),
    postJson: (path, body, signal) => pass(() => http.postJson(path, body, signal)),
    getText: (path, query, signal) => pass(() => http.getText(path, query, signal)),
    readStream: (path, query, handlers, signal) => pass(() => http.readStream(path, query, handlers, signal)),
  };
}

/** 402 means no credit. A 429 is a reached cap only if its body says so; any other 429 causes back-off. */
function isForOperator(error: unknown): error is SourceError {
  if (!(error instanceof SourceError) || error.isHtml) return false;
  return error.status === 402 || (error.status === 429 && /usage[-_ ]?cap/i.test(error.body));
}

function toRefusal(error: SourceError): SourceError {
  const what = error.status === 402 ? 'out of credit' : 'usage cap reached';
  return new SourceError(`${what}; not polled again until you fix it and restart (${error.message})`, {
    isRetryable: false,
    needsOperator: true,
    status: error.status,
    cause: error,
  });
}
