// What a route is: declared once, it is served, checked, documented, limited and counted by what stands here.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { RouteAccess, View } from '../../access/authorise.ts';
import type { Identity } from '../../access/key-directory.ts';
import type { RouteCost } from '../load/route-cost.ts';
import type { Answer, HandlerResult } from './answer.ts';
import type { InsideCall } from './inside-call.ts';

export interface RouteRequest<Q = unknown, B = unknown> {
  readonly query: Q;
  readonly body: B;
  readonly params: Readonly<Record<string, string>>;
  readonly view: View;
  /** null for anonymous callers and for keys that open nothing. */
  readonly identity: Identity | null;
  /** The service's time. */
  readonly nowTs: number;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** For answers that are no single body (streams, protocols of their own). The handler ends the response. */
export interface RawExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** What the answer must carry beside its own headers: allowance, security, request id. */
  headers(): Record<string, string>;
  /** Adds to the bytes told in usage. */
  countBytes(bytes: number): void;
  /** For a request that stands for several: the first is charged already. An answer when the allowance is used up. */
  chargeMore(requests: number): Promise<Answer | null>;
  /** Asks another route on behalf of the same caller, under the same rules as a request of its own. */
  callInside(call: InsideCall): Promise<Answer>;
}

export interface RouteDocument {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Schema of the 200 body; none for a body that is not JSON. */
  ok: TSchema;
  /** Other content type than JSON. */
  contentType?: string;
  /** What the answer is as text/csv, where it can be had so as well. */
  csv?: string;
  /** Statuses beside those that every route has. */
  also?: readonly number[];
  /** A page or file of the site: served, but no part of the published interface. */
  isPage?: boolean;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Full path; {name} stands for one segment. */
  readonly path: string;
  readonly access: RouteAccess;
  /** Which allowance of an anonymous caller it uses; health uses none. */
  readonly allowance: 'meta' | 'other' | 'demo' | 'none';
  readonly cost: RouteCost;
  /** Counts against the caller's address as well, ten in an hour. */
  readonly isWaitlist: boolean;
  /** Answers the service's own page and callers without a browser; no other page may call it or read its answer. */
  readonly isSameOriginOnly: boolean;
  /** One payment may buy one call. */
  readonly isPayable: boolean;
  readonly query: TObject | null;
  readonly body: TObject | null;
  readonly document: RouteDocument;
  readonly handle: (request: RouteRequest) => HandlerResult | Promise<HandlerResult>;
  readonly takeOver: ((request: RouteRequest, raw: RawExchange) => void | Promise<void>) | null;
}

export interface RouteDeclaration<Q extends TObject, B extends TObject> {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  access?: RouteAccess;
  allowance?: 'meta' | 'other' | 'demo' | 'none';
  /** Costly unless it says otherwise. */
  cost?: RouteCost;
  isWaitlist?: boolean;
  isSameOriginOnly?: boolean;
  isPayable?: boolean;
  query?: Q;
  body?: B;
  document: RouteDocument;
  handle?: (request: RouteRequest<Static<Q>, Static<B>>) => HandlerResult | Promise<HandlerResult>;
  takeOver?: (request: RouteRequest<Static<Q>, Static<B>>, raw: RawExchange) => void | Promise<void>;
}

export const API_PREFIX = '/api/v1';

export function defineRoute<Q extends TObject, B extends TObject>(
  declaration: RouteDeclaration<Q, B>,
): Route {
  return {
    method: declaration.method ?? 'GET',
    path: declaration.path,
    access: declaration.access ?? 'public',
    allowance: declaration.allowance ?? 'other',
    cost: declaration.cost ?? 'costly',
    isWaitlist: declaration.isWaitlist ?? false,
    isSameOriginOnly: declaration.isSameOriginOnly ?? false,
    isPayable: declaration.isPayable ?? false,
    query: declaration.query ?? null,
    body: declaration.body ?? null,
    document: declaration.document,
    handle: (declaration.handle ?? handlesNothing) as Route['handle'],
    takeOver: (declaration.takeOver ?? null) as Route['takeOver'],
  };
}

function handlesNothing(): never {
  throw new Error('a route needs handle or takeOver');
}
