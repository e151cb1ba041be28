// Where an answer goes, whoever has read the request: the platform's HTTP server, or a plain connection of ours.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitLines } from './fixed-headers.ts';

export type RequestParts = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'socket'>;

export interface Reply {
  /** The platform's own pair where it has read the request: for bodies, and for answers that are no single body. */
  readonly platform: { readonly req: IncomingMessage; readonly res: ServerResponse } | null;
  /** Nothing can be sent any more: the answer is out, or the caller gone. */
  readonly isOver: boolean;
  /** Once, when the caller goes away or the answer is out. */
  onClose(action: () => void): void;
  /** The whole answer. `lines` are its header lines but for date and connection; a string body is of code units 0 to 255. */
  send(status: number, lines: string, body: string | Buffer | null, wallTs: number): void;
}

/** What all connections of a listener go by. */
export interface ReplyTerms {
  isDraining(): boolean;
  /** Lines about date and connection, and the end of the head, for a connection that stays. */
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
    if (this.#terms.isDraining()) res.shouldKeepAlive = false;
    res.writeHead(status, splitLines(lines));
    if (typeof body === 'string') res.end(body, 'latin1');
    else res.end(body ?? undefined);
  }
}
