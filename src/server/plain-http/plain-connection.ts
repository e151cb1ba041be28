// A connection that we read and write ourselves while its requests are plain (plain-request.ts): Node creates
// two streams and a dozen objects per request, which costs more than all our own work. The first request that
// is not plain, or that arrives before the previous response is sent, hands the connection and all unread
// bytes over to Node.

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../runtime/clock.ts';
import type { FirstReaderTerms } from '../http/listener.ts';
import type { Reply, RequestParts } from '../http/reply.ts';
import { joinHeaders, type PlainRequest, readPlainRequest } from './plain-request.ts';

export interface PlainTerms extends FirstReaderTerms {
  /** Whether this URL can be served in full without Node's request objects. */
  isServed(url: string): boolean;
  /** Hands the connection over to Node. */
  handOver(connection: PlainConnection): void;
}

export class PlainConnection {
  readonly socket: Socket;
  readonly terms: PlainTerms;
  /** The request that has no response yet. */
  pending: PlainReply | null = null;
  #hasAsked = false;
  /** Bytes received while a response was pending. */
  #held: Buffer[] = [];

  constructor(socket: Socket, terms: PlainTerms) {
    this.socket = socket;
    this.terms = terms;
    socket.setTimeout(terms.headersWithinMs);
    for (const [name, listener] of this.#listeners) socket.on(name, listener);
  }

  /** Closes the connection now, or after the pending response. */
  retire(): void {
    if (this.pending === null) this.socket.end();
  }

  /** Called when the response has been written. */
  finish(isLast: boolean): void {
    this.pending = null;
    if (isLast) this.socket.end();
    else if (this.#held.length > 0) this.#leave(Buffer.concat(this.#held));
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.pending !== null) {
      this.#held.push(chunk);
      this.socket.pause();
      return;
    }
    // Node stops reading from a caller that does not read its responses.
    const request = this.socket.writableNeedDrain ? null : readPlainRequest(chunk);
    if (request === null || !this.terms.isServed(request.url)) this.#leave(chunk);
    else this.#serve(request);
  };

  #serve(request: PlainRequest): void {
    if (!this.#hasAsked) this.socket.setTimeout(this.terms.keepAliveMs);
    this.#hasAsked = true;
    this.pending = new PlainReply(request, this);
    this.terms.serve(this.pending, this.pending);
  }

  #leave(chunk: Buffer): void {
    const { socket } = this;
    for (const [name, listener] of this.#listeners) socket.off(name, listener);
    socket.setTimeout(0);
    socket.unshift(chunk);
    this.terms.handOver(this);
    socket.resume();
  }

  /** Restarted by every read and write, so a slow reader may take long as long as bytes move. */
  readonly #onTimeout = (): void => {
    if (this.pending !== null) return;
    if (this.#hasAsked) this.socket.destroy();
    else this.terms.giveUp(this.socket);
  };

  readonly #listeners: readonly (readonly [string, (chunk: Buffer) => void])[] = [
    ['data', this.#onData],
    // As in Node, a caller that ends its side counts as disconnected; written responses are still sent.
    ['end', () => void this.socket.end()],
    ['error', () => void this.socket.destroy()],
    ['close', () => this.pending?.close()],
    ['timeout', this.#onTimeout],
  ];
}

/** One request and its response. */
class PlainReply implements RequestParts, Reply {
  readonly method = 'GET';
  readonly url: string;
  readonly rawHeaders: string[];
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  readonly platform = null;
  readonly #connection: PlainConnection;
  #isSent = false;
  #closing: (() => void)[] = [];

  constructor({ url, rawHeaders }: PlainRequest, connection: PlainConnection) {
    this.url = url;
    this.rawHeaders = rawHeaders;
    this.headers = joinHeaders(rawHeaders);
    this.socket = connection.socket;
    this.#connection = connection;
  }

  get isOver(): boolean {
    return this.#isSent || !this.socket.writable;
  }

  onClose(action: () => void): void {
    this.#closing.push(action);
  }

  close(): void {
    for (const action of this.#closing.splice(0)) action();
  }

  send(status: number, lines: string, body: string | Buffer | null): void {
    if (this.#isSent) return;
    this.#isSent = true;
    const isLast = this.#connection.terms.isDraining();
    const length = body === null && status !== 304 && status !== 204 ? 'Content-Length: 0\r\n' : '';
    const line = status === 200 ? OK_LINE : `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    this.#write(`${line}${lines}${length}${lastLines(isLast, this.#connection.terms.keepAliveMs)}`, body);
    this.close();
    this.#connection.finish(isLast);
  }

  /** Writes the head and a short body together; a long body is written separately, because copying costs more. */
  #write(head: string, body: string | Buffer | null): void {
    const { socket } = this;
    if (body === null || typeof body === 'string') socket.write(body === null ? head : head + body, 'latin1');
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
  }
}

const OK_LINE = 'HTTP/1.1 200 OK\r\n';

let second = Number.NaN;
let dateLine = '';

function lastLines(isLast: boolean, keepAliveMs: number): string {
  const now = Math.floor(systemClock.now() / 1_000);
  if (now !== second) {
    second = now;
    dateLine = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`;
  }
  if (isLast) return `${dateLine}Connection: close\r\n\r\n`;
  return `${dateLine}Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1_000}\r\n\r\n`;
}
