// A connection that we read and write ourselves while its requests are plain (plain-request.ts): Node creates
// two streams and a dozen objects per request, which costs more than all our own work. The first request that
// is not plain hands the connection and all unread bytes over to Node.

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { joinHeaders, type PlainRequest, readPlainRequest } from './plain-request.ts';
import type { Reply, ReplyTerms, RequestParts } from './reply.ts';
import { PlainSink, type StreamSink } from './stream-sink.ts';

export interface PlainTerms extends ReplyTerms {
  /** Whether this URL can be served in full without Node's request objects. */
  isServed(url: string): boolean;
  serve(request: RequestParts, reply: Reply): void;
  /** Hands the connection over to Node. */
  handOver(connection: PlainConnection): void;
  /** Called if no request arrived in time. */
  giveUp(socket: Socket): void;
  firstRequestMs: number;
  keepAliveMs: number;
  /** How long a write to the caller may stall. */
  stalledMs: number;
}

export class PlainConnection {
  readonly socket: Socket;
  readonly terms: PlainTerms;
  #isBusy = false;
  #hasAsked = false;
  /** Time since the last request, as of the last noteTime call. */
  #silentMs = 0;
  /** Bytes received while a response was pending. */
  #held: Buffer[] = [];
  #current: PlainExchange | null = null;

  constructor(socket: Socket, terms: PlainTerms) {
    this.socket = socket;
    this.terms = terms;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
    socket.on('drain', this.#onDrain);
    socket.on('timeout', this.#onTimeout);
  }

  /** Closes the connection now, or after the pending response. */
  retire(): void {
    if (!this.#isBusy) this.socket.end();
  }

  /** Ends a request that has taken too long. */
  dismiss(end: (reply: Reply) => void): void {
    if (this.#current) end(this.#current);
  }

  /**
   * Called every few seconds; closes a connection that has been idle too long. The socket's own timer would
   * restart with every read and write.
   */
  noteTime(passedMs: number): void {
    this.#silentMs += passedMs;
    if (this.#isBusy || this.#isStillSending()) this.#silentMs = 0;
    else if (!this.#hasAsked && this.#silentMs > this.terms.firstRequestMs) this.terms.giveUp(this.socket);
    else if (this.#hasAsked && this.#silentMs > this.terms.keepAliveMs) this.socket.destroy();
  }

  /** A slow reader is allowed as long as bytes move; Node's timer restarts whenever they do. */
  #isStillSending(): boolean {
    const isSending = this.socket.writableLength > 0;
    const timeoutMs = isSending ? this.terms.stalledMs : 0;
    if ((this.socket.timeout ?? 0) !== timeoutMs) this.socket.setTimeout(timeoutMs);
    return isSending;
  }

  /** Called when the response has been written. */
  finish(isLast: boolean): void {
    this.#isBusy = false;
    this.#current = null;
    if (isLast) this.socket.end();
    else if (this.#held.length > 0) this.#goOn();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isBusy || this.socket.writableNeedDrain) this.#hold(chunk);
    else this.#take(chunk);
  };

  /** Handles one request at a time, and none while the caller is not reading its responses. */
  #hold(chunk: Buffer): void {
    this.#held.push(chunk);
    this.socket.pause();
  }

  #goOn(): void {
    if (this.#isBusy || this.#held.length === 0 || this.socket.writableNeedDrain) return;
    const chunk = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = [];
    this.socket.resume();
    this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    const request = readPlainRequest(chunk);
    if (request === null || !this.terms.isServed(request.url)) {
      this.#leave(chunk);
      return;
    }
    this.#hasAsked = true;
    this.#silentMs = 0;
    this.#isBusy = true;
    this.#current = new PlainExchange(request, this);
    this.terms.serve(this.#current, this.#current);
  }

  #leave(chunk: Buffer): void {
    const { socket } = this;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.off('drain', this.#onDrain);
    socket.off('timeout', this.#onTimeout);
    socket.setTimeout(0);
    socket.unshift(chunk);
    this.terms.handOver(this);
  }

  /** As in Node, a caller that ends its side counts as disconnected; written responses are still sent. */
  readonly #onEnd = (): void => void this.socket.end();

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onTimeout = (): void => void this.socket.destroy();

  readonly #onClose = (): void => this.#current?.close();

  readonly #onDrain = (): void => this.#goOn();
}

/** One request and its response. */
class PlainExchange implements RequestParts, Reply {
  readonly method = 'GET';
  readonly url: string;
  readonly rawHeaders: string[];
  readonly socket: Socket;
  readonly platform = null;
  readonly connection: PlainConnection;
  isSent = false;
  closing: (() => void) | null = null;

  constructor({ url, rawHeaders }: PlainRequest, connection: PlainConnection) {
    this.url = url;
    this.rawHeaders = rawHeaders;
    this.socket = connection.socket;
    this.connection = connection;
  }

  /** Created lazily. */
  get headers(): IncomingHttpHeaders {
    return joinHeaders(this.rawHeaders);
  }

  get isOver(): boolean {
    return this.isSent || !this.socket.writable;
  }

  onClose(action: () => void): void {
    const earlier = this.closing;
    this.closing = () => {
      earlier?.();
      action();
    };
  }

  close(): void {
    const action = this.closing;
    this.closing = null;
    action?.();
  }

  send(status: number, lines: string, body: string | Buffer | null, wallTs: number): void {
    if (this.isSent) return;
    const length = body === null && status !== 304 && status !== 204 ? 'Content-Length: 0\r\n' : '';
    this.isSent = true;
    this.#write(`${statusLine(status)}${lines}${length}${this.#closingLines(wallTs)}`, body);
    this.finish();
  }

  open(lines: string, wallTs: number): StreamSink {
    this.isSent = true;
    this.#write(`${OK_LINE}${lines}Transfer-Encoding: chunked\r\n${this.#closingLines(wallTs)}`, null);
    return new PlainSink(this.socket, this);
  }

  /** Called when the response is complete. */
  finish(): void {
    this.close();
    this.connection.finish(this.connection.terms.isDraining());
  }

  #closingLines(wallTs: number): string {
    const { terms } = this.connection;
    return terms.isDraining() ? lastLines(terms.closingLines(wallTs)) : terms.closingLines(wallTs);
  }

  /**
   * Writes the head and a short body together; a long body is written separately, because copying costs more.
   */
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

function statusLine(status: number): string {
  return status === 200 ? OK_LINE : `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
}

function lastLines(closingLines: string): string {
  return `${closingLines.slice(0, closingLines.indexOf('\r\n') + 2)}Connection: close\r\n\r\n`;
}
