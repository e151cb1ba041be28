// The destination of a response: Node's HTTP server, or one of our plain connections.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitLines } from './fixed-headers.ts';
import { PlatformSink, type StreamSink } from './stream-sink.ts';

export type RequestParts = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'socket'>;

export interface Reply {
  /** Node's request and response, if Node parsed the request; needed for bodies and streamed responses. */
  readonly platform: { readonly req: IncomingMessage; readonly res: ServerResponse } | null;
  /** True once nothing more can be sent: the response is complete or the caller has disconnected. */
  readonly isOver: boolean;
  /** Called once, when the caller disconnects or the response is complete. */
  onClose(action: () => void): void;
  /**
   * Sends the response, once; a later one is dropped. `lines` are its headers except Date and Connection; a string body is Latin-1.
   */
  send(status: number, lines: string, body: string | Buffer | null, wallTs: number): void;
  /** Sends the head of an endless response instead. */
  open(lines: string, wallTs: number): StreamSink;
}

/** Settings shared by all connections of a listener. */
export interface ReplyTerms {
  isDraining(): boolean;
  /** The Date and Connection headers and the end of the head, for a keep-alive connection. */
  closingLines(wallTs: number): string;
}

export class PlatformReply implements Reply {
  readonly platform: { readonly req: IncomingMessage; readonly res: ServerResponse };
  readonly #terms: ReplyTerms;

  constructor(req: IncomingMessage, res: ServerResponse, terms: ReplyTerms) {
    this.platform = { req, res };
    this.#terms = terms;
  }

  get isOver(): boolean {
    return this.platform.res.headersSent || this.platform.res.destroyed;
  }

  onClose(action: () => void): void {
    this.platform.res.once('close', action);
  }

  send(status: number, lines: string, body: string | Buffer | null): void {
    const { res } = this.platform;
    if (res.headersSent) return;
    if (this.#terms.isDraining()) res.shouldKeepAlive = false;
    res.writeHead(status, splitLines(lines));
    if (typeof body === 'string') res.end(body, 'latin1');
    else res.end(body ?? undefined);
  }

  open(lines: string): StreamSink {
    const { res } = this.platform;
    res.writeHead(200, splitLines(lines));
    res.flushHeaders();
    return new PlatformSink(res);
  }
}

// Builds an internal call from one route to another, on behalf of the same caller: the same request with a
// different target.

export interface InsideCall {
  path: string;
  /** Parameters as text, as in a query string. */
  values: ReadonlyMap<string, string>;
  /** A payment sent outside the headers; null to use the header, if any. */
  payment: string | null;
  /** JSON body of a POST; absent for a GET. */
  body?: Buffer;
}

/** Keeps the caller's address, credentials and socket; the original is unchanged. */
export function rewriteRequest(req: RequestParts, { path, values, payment, body }: InsideCall): RequestParts {
  const query = new URLSearchParams([...values]).toString();
  const headers = payment === null ? req.headers : { ...req.headers, x402: payment };
  return Object.create(req, {
    method: { value: body === undefined ? 'GET' : 'POST' },
    url: { value: query === '' ? path : `${path}?${query}` },
    headers: { value: headers },
  }) as RequestParts;
}
