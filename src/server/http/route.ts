// A route declaration, which drives serving, validation, documentation, limits and metrics.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { RouteAccess, View } from '../../access/authorise.ts';
import type { Identity } from '../../access/key-directory.ts';
import type { Answer, HandlerResult } from './answer.ts';
import type { BodyOf, Undeclared } from './exact-body.ts';
import type { InsideCall } from './reply.ts';
import type { StreamSink } from './stream-sink.ts';

export interface RouteRequest<Q = unknown, B = unknown> {
  readonly query: Q;
  readonly body: B;
  readonly params: Readonly<Record<string, string>>;
  readonly view: View;
  /** null for anonymous callers and for invalid keys. */
  readonly identity: Identity | null;
  /** Service time. */
  readonly nowTs: number;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** For other protocols. The handler ends the response. */
export interface RawExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Headers to add to the route's own: allowance, security, request id. */
  headers(): Record<string, string>;
  /** Adds to the byte count recorded in usage. */
  countBytes(bytes: number): void;
  /**
   * Charges additional calls within one request; the first is already charged. Returns an error response if
   * the allowance is used up.
   */
  chargeMore(requests: number): Answer | null;
  /** Calls another route on behalf of the same caller, under the same rules as a separate request. */
  callInside(call: InsideCall): Promise<Answer>;
}

export interface RouteDocument<R extends TSchema = TSchema> {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Schema of the 200 body; absent if the body is not JSON. */
  ok: R;
  /** Content type, if not JSON. */
  contentType?: string;
  /** Description of the text/csv format, if there is one. */
  csv?: string;
  /** Statuses in addition to those every route may return. */
  also?: readonly number[];
  /** A page or static file, served but not part of the published API. */
  isPage?: boolean;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Full path; {name} matches one segment. */
  readonly path: string;
  readonly access: RouteAccess;
  /** Allowance used by an anonymous caller; health uses none. */
  readonly allowance: 'meta' | 'other' | 'demo' | 'none';
  /** Answered from memory at once, so it is served however many calls wait for the store. */
  readonly isPrepared: boolean;
  /** Also limited to ten requests per hour per address. */
  readonly isWaitlist: boolean;
  /**
   * Only for the service's own page and for callers outside a browser; other sites' pages can neither call it
   * nor read its response.
   */
  readonly isSameOriginOnly: boolean;
  /** Whether one payment can buy one call. */
  readonly isPayable: boolean;
  readonly query: TObject | null;
  readonly body: TObject | null;
  readonly document: RouteDocument;
  readonly handle: (request: RouteRequest) => HandlerResult | Promise<HandlerResult>;
  readonly takeOver: ((request: RouteRequest, raw: RawExchange) => void | Promise<void>) | null;
  /** For live updates: writes to the open response until it closes. */
  readonly stream: ((request: RouteRequest, sink: StreamSink) => void) | null;
}

export interface RouteDeclaration<Q extends TObject, B extends TObject, R extends TSchema, H> {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  access?: RouteAccess;
  allowance?: 'meta' | 'other' | 'demo' | 'none';
  isPrepared?: boolean;
  isWaitlist?: boolean;
  isSameOriginOnly?: boolean;
  isPayable?: boolean;
  query?: Q;
  body?: B;
  document: RouteDocument<R>;
  handle?: (request: RouteRequest<Static<Q>, Static<B>>) => H;
  takeOver?: (request: RouteRequest<Static<Q>, Static<B>>, raw: RawExchange) => void | Promise<void>;
  stream?: Route['stream'];
}

type MaybePromise<T> = T | Promise<T>;

export const API_PREFIX = '/api/v1';

/** Compiles only if the handler's body has exactly the fields and types of `document.ok`. */
export function defineRoute<
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
  H extends MaybePromise<HandlerResult<Static<R>>>,
>(declaration: RouteDeclaration<Q, B, R, H> & Undeclared<Static<R>, BodyOf<Awaited<H>>>): Route {
  return {
    method: declaration.method ?? 'GET',
    path: declaration.path,
    access: declaration.access ?? 'public',
    allowance: declaration.allowance ?? 'other',
    isPrepared: declaration.isPrepared ?? false,
    isWaitlist: declaration.isWaitlist ?? false,
    isSameOriginOnly: declaration.isSameOriginOnly ?? false,
    isPayable: declaration.isPayable ?? false,
    query: declaration.query ?? null,
    body: declaration.body ?? null,
    document: declaration.document,
    handle: (declaration.handle ?? handlesNothing) as Route['handle'],
    takeOver: (declaration.takeOver ?? null) as Route['takeOver'],
    stream: declaration.stream ?? null,
  };
}

function handlesNothing(): never {
  throw new Error('a route needs handle, takeOver or stream');
}
