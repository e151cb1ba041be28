// The client's methods, one row each: the operation that a method calls, and whether it takes a query or a body.
// The Python client's methods are generated from the same rows.

import type { Operations } from './generated/schema.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** 'GET /signals query' for an operation with a query; the compiler checks each row. */
type Row = {
  [Name in keyof Operations]: undefined extends Operations[Name]['query']
    ? undefined extends Operations[Name]['body']
      ? Name
      : `${Name} body`
    : `${Name} query`;
}[keyof Operations];

export const METHODS = {
  counters: 'GET /meta/{account}',
  posts: 'GET /meta/{account}/tweets query',
  hourly: 'GET /meta/{account}/hourly query',
  /** What happened since a given time, newest first. */
  activity: 'GET /activity query',
  forecast: 'GET /prediction/{account}',
  /** Current trades across all accounts and events, best first. */
  opportunities: 'GET /signals query',
  signals: 'GET /signals/{account} query',
  ladder: 'GET /signals/{account}/ladder query',
  portfolio: 'GET /portfolio/{account} query',
  rebalancing: 'GET /portfolio/{account}/rebalancing query',
  cryptoMarkets: 'GET /meta/crypto',
  performance: 'GET /performance/overview query',
  performanceHistory: 'GET /performance/history query',
  calibration: 'GET /performance/calibration query',
  ledger: 'GET /performance/ledger query',
  /** Scores of forward and recomputed forecasts, with intervals and sample sizes. */
  record: 'GET /performance/record.json query',
  /** Forecast log seals, oldest first. */
  seals: 'GET /performance/seals query',
  sealedHour: 'GET /performance/seals/{hour_ts} query',
  joinWaitlist: 'POST /waitlist body',
  /** Running and settled events, latest end first. */
  pastEvents: 'GET /history/{account}/events query',
  /** An event's history, earliest first. */
  eventHistory: 'GET /history/{account}/{event_id} query',
  /** Forecast, ladder and advice under the given assumptions; the published ones if there are none. */
  whatIf: 'POST /what-if/{account} body',
  /** When to expect the next post, and how similar windows ended. */
  /** Recent alerts, newest first. */
  notices: 'GET /notices query',
} as const;

export const METHOD_GROUPS = {
  /** Alert channels. */
  channels: {
    create: 'POST /channels body',
    list: 'GET /channels',
    remove: 'DELETE /channels/{channel_id}',
    test: 'POST /channels/{channel_id}/test',
    deliveries: 'GET /channels/{channel_id}/deliveries query',
    replay: 'POST /channels/{channel_id}/deliveries/{delivery_id}/replay',
  },
  /** Alert rules. */
  rules: {
    create: 'POST /rules body',
    list: 'GET /rules',
    remove: 'DELETE /rules/{rule_id}',
    test: 'POST /rules/{rule_id}/test',
  },
} as const;

type NameOf<Text> = Text extends `${infer Name} ${'query' | 'body'}` ? Name : Text;

type PathArguments<Text> = Text extends `${string}{${infer Part}}${infer Rest}`
  ? [value: Part extends 'event_id' | 'hour_ts' ? number : string, ...PathArguments<Rest>]
  : [];

type InputArguments<Name extends keyof Operations> = undefined extends Operations[Name]['query']
  ? undefined extends Operations[Name]['body']
    ? []
    : [body: Operations[Name]['body']]
  : object extends Operations[Name]['query']
    ? [query?: Operations[Name]['query']]
    : [query: Operations[Name]['query']];

/** Path parameters in order, then the query or body, then the options. */
type Method<Name> = Name extends keyof Operations
  ? (
      ...values: [...PathArguments<Name>, ...InputArguments<Name>, options?: CallOptions]
    ) => Promise<Operations[Name]['answer']>
  : never;

type MethodsOf<Rows extends Record<string, Row>> = {
  readonly [Key in keyof Rows]: Method<NameOf<Rows[Key]>>;
};

export type Methods = MethodsOf<typeof METHODS> & {
  readonly [Group in keyof typeof METHOD_GROUPS]: MethodsOf<(typeof METHOD_GROUPS)[Group]>;
};

/** Parts of a request, as the operation's name and its values. */
type Send = (
  name: never,
  request: CallOptions & Partial<Record<'path' | 'query' | 'body', object>>,
) => Promise<unknown>;

export function createMethods(send: Send): Methods {
  const groups = Object.entries(METHOD_GROUPS).map(([group, rows]) => [group, bind(rows, send)]);
  return { ...bind(METHODS, send), ...Object.fromEntries(groups) } as Methods;
}

function bind(rows: Readonly<Record<string, string>>, send: Send): object {
  const toMethod = (row: string) => {
    const [verb, template = '', input] = row.split(' ');
    const parts = [...template.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!);
    return (...values: unknown[]) => {
      const path = Object.fromEntries(parts.map((part, i) => [part, values[i]]));
      const [first, second] = values.slice(parts.length);
      const given = input === undefined ? (first as CallOptions) : { [input]: first, ...(second as object) };
      return send(`${verb} ${template}` as never, { path, ...given });
    };
  };
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, toMethod(row)]));
}
