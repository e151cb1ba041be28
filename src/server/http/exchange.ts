// State of one request, including what is passed to its handler.

import type { IncomingHttpHeaders } from 'node:http';
import type { KeyState, View } from '../../access/authorise.ts';
import type { Identity } from '../../access/key-directory.ts';
import type { LimitedCaller } from '../../access/limiter.ts';
import type { Reply, RequestParts } from './reply.ts';
import type { RouteRequest } from './route.ts';
import type { RoutedMethod, RoutedPath } from './router.ts';

export class Exchange implements RouteRequest {
  readonly req: RequestParts;
  readonly reply: Reply;
  readonly startedMs: number;
  /** Wall-clock time, used for allowances, keys and usage. */
  readonly wallTs: number;
  readonly requestId: string;
  readonly path: string;
  readonly queryText: string;

  readonly apiKey: string;
  accept: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly forwardedFor: string;

  nowTs = 0;
  entry: RoutedPath | undefined = undefined;
  method: RoutedMethod | undefined = undefined;
  key: KeyState = 'absent';
  caller: LimitedCaller | null = null;
  view: View = 'public';
  query: unknown = null;
  body: unknown = null;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  /** The payment sent to a payable route; once the view is chosen, null unless it pays for the call. */
  paymentHeader: string | null = null;
  /** The body of an internal call; null if the body comes from the connection. */
  givenBody: Buffer | null = null;
  /** Value of the Warning header; null if there is none. */
  warning: string | null = null;
  isDone = false;
  /** When a stream was opened; its response time does not include how long it stays open. */
  openedMs: number | null = null;
  /** Internal calls already covered by this request's charge. */
  prepaidCalls = 0;
  #abort: AbortController | null = null;

  constructor(req: RequestParts, reply: Reply, startedMs: number, wallTs: number, requestId: string) {
    this.req = req;
    this.reply = reply;
    this.startedMs = startedMs;
    this.wallTs = wallTs;
    this.requestId = requestId;
    const url = req.url!;
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.queryText = mark < 0 ? '' : url.slice(mark + 1);
    const { headers } = req;
    this.apiKey = (headers['x-api-key'] as string | undefined) ?? '';
    this.accept = headers.accept ?? '';
    this.acceptEncoding = (headers['accept-encoding'] as string | undefined) ?? '';
    this.ifNoneMatch = headers['if-none-match'] ?? '';
    this.forwardedFor = (headers['x-forwarded-for'] as string | undefined) ?? '';
  }

  get identity(): Identity | null {
    return typeof this.key === 'object' ? this.key : null;
  }

  get headers(): IncomingHttpHeaders {
    return this.req.headers;
  }

  /** Created on demand, because most responses never wait. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.reply.onClose(() => abort.abort());
    }
    return this.#abort.signal;
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});
