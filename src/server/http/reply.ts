// The request and response of one exchange, whoever read it: Node, or the plain reader of HTTP.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitLines } from './fixed-headers.ts';

export type RequestParts = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'socket'>;

export interface Reply {
  /** Node's request and response, if Node parsed the request; needed for bodies and streamed responses. */
  readonly platform: { readonly req: IncomingMessage; readonly res: ServerResponse } | null;
  /** True once nothing more can be sent: the response is complete or the caller has disconnected. */
  readonly isOver: boolean;
  /** Called once, when the caller disconnects or the response is complete. */
  onClose(action: () => void): void;
  /**
   * Sends the response, once; a later one is dropped. `lines` are its headers except Date and Connection; a string
   * body is Latin-1.
   */
  send(status: number, lines: string, body: string | Buffer | null): void;
}

export class PlatformReply implements Reply {
  readonly platform: { readonly req: IncomingMessage; readonly res: ServerResponse };
  readonly #isDraining: () => boolean;

  constructor(req: IncomingMessage, res: ServerResponse, isDraining: () => boolean) {
    this.platform = { req, res };
    this.#isDraining = isDraining;
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
    if (this.#isDraining()) res.shouldKeepAlive = false;
    res.writeHead(status, splitLines(lines));
    if (typeof body === 'string') res.end(body, 'latin1');
    else res.end(body ?? undefined);
  }
}

/** A call of another route, on behalf of the same caller. */
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
