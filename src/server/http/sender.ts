// The last pipeline step: writes the response and records it in usage and metrics.

import { rateLines } from '../../access/limiter.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { UsageRing } from '../usage/usage-ring.ts';
import type { Answer } from './answer.ts';
import { errorText } from './error-responses.ts';
import type { Exchange } from './exchange.ts';
import {
  API_LINES,
  JSON_LINES,
  NO_STORE_LINES,
  OWN_PAGE_LINES,
  REVALIDATE_LINES,
  toLines,
} from './fixed-headers.ts';
import { chooseEncoding } from './negotiate.ts';
import {
  COMPRESS_FROM_BYTES,
  COMPRESS_UP_TO_BYTES,
  compress,
  isUnchanged,
  type PreparedBody,
  stableTag,
} from './prepared-body.ts';
import type { RequestMeter } from './request-meter.ts';

export interface SenderOptions {
  ring: UsageRing | null;
  meter: RequestMeter;
  logger: Logger;
  stopwatch: () => number;
}

export interface Sender {
  sendPrepared(x: Exchange, body: PreparedBody): void;
  sendAnswer(x: Exchange, answer: Answer): void;
  /** Ends the response time of a stream. */
  noteOpened(x: Exchange): void;
  /** For routes that write their own response. */
  finish(x: Exchange, status: number, bytes: number, message: string | null): void;
  /** Header lines that depend on the caller. */
  ownLines(x: Exchange): string;
}

export function createSender(options: SenderOptions): Sender {
  const { ring, meter, logger, stopwatch } = options;

  function ownLines(x: Exchange): string {
    const rate = x.caller === null ? '' : rateLines(x.caller, x.wallTs);
    const warning = x.warning === null ? '' : `Warning: ${x.warning}\r\n`;
    return `${rate}${warning}X-Request-Id: ${x.requestId}\r\n`;
  }

  function finish(x: Exchange, status: number, bytes: number, message: string | null): void {
    x.isDone = true;
    const durationMs = (x.openedMs ?? stopwatch()) - x.startedMs;
    meter.record(x.method === undefined ? -1 : x.method.index, status, durationMs, bytes);
    const key = x.key;
    if (ring !== null && typeof key === 'object') {
      const endpoint = x.entry === undefined ? 'unmatched' : x.entry.pattern;
      ring.push(x.wallTs, key.keyId, endpoint, x.req.method!, status, durationMs, bytes, message);
    }
    if (status >= 400) logAnswer(logger, x, status, durationMs, message);
  }

  function sendPrepared(x: Exchange, body: PreparedBody): void {
    if (x.ifNoneMatch !== '' && isUnchanged(x.ifNoneMatch, body.etag)) {
      x.reply.send(304, body.unchangedLines + ownLines(x), null);
      finish(x, 304, 0, null);
      return;
    }
    const form = x.acceptEncoding === '' ? body.plain : body.inEncoding(chooseEncoding(x.acceptEncoding));
    x.reply.send(200, form.lines + ownLines(x), form.wire);
    finish(x, 200, form.byteLength, null);
  }

  function sendAnswer(x: Exchange, answer: Answer): void {
    if (x.reply.isOver) finish(x, 499, 0, 'The caller disconnected');
    else if (answer.content) sendContent(x, answer.status, answer.content, answer.headers);
    else if (answer.isTagged) sendTagged(x, answer);
    else sendJson(x, answer, NO_STORE_LINES);
  }

  function sendTagged(x: Exchange, answer: Answer): void {
    const text = JSON.stringify(answer.json);
    const etag = stableTag(text);
    const lines = `${REVALIDATE_LINES}ETag: ${etag}\r\n`;
    if (isUnchanged(x.ifNoneMatch, etag)) {
      x.reply.send(304, lines + API_LINES + ownLines(x), null);
      finish(x, 304, 0, null);
    } else sendJson(x, answer, lines, text);
  }

  function sendJson(
    x: Exchange,
    answer: Answer,
    cacheLines: string,
    text: string | undefined = JSON.stringify(answer.json),
  ): void {
    const { status, json } = answer;
    const shared = x.entry?.isSameOriginOnly ? OWN_PAGE_LINES : API_LINES;
    const bytes = text === undefined ? null : Buffer.from(text);
    const lines = (bytes === null ? '' : JSON_LINES) + mergeLines(cacheLines + shared, answer.headers);
    writeBytes(x, status, lines, bytes, status >= 400 ? errorText(json) : null);
  }

  function sendContent(
    x: Exchange,
    status: number,
    content: { bytes: Buffer; type: string },
    headers: Answer['headers'],
  ): void {
    const lines = toLines({ 'Content-Type': content.type }) + mergeLines(NO_STORE_LINES + API_LINES, headers);
    writeBytes(x, status, lines, content.bytes, null);
  }

  function writeBytes(
    x: Exchange,
    status: number,
    lines: string,
    plain: Buffer | null,
    message: string | null,
  ): void {
    const encoding = chooseEncoding(x.acceptEncoding);
    const isCompressed =
      plain !== null &&
      encoding !== 'identity' &&
      plain.length >= COMPRESS_FROM_BYTES &&
      plain.length <= COMPRESS_UP_TO_BYTES &&
      !/Content-Encoding/i.test(lines);
    const bytes = isCompressed ? compress(plain, encoding) : plain;
    let head = lines;
    if (isCompressed) head += `Content-Encoding: ${encoding}\r\n`;
    if (bytes !== null) head += `Content-Length: ${bytes.length}\r\n`;
    x.reply.send(status, head + ownLines(x), bytes);
    const sent = x.req.method === 'HEAD' ? 0 : (bytes?.length ?? 0);
    finish(x, status, sent, message);
  }

  function noteOpened(x: Exchange): void {
    x.openedMs = stopwatch();
  }

  return { sendPrepared, sendAnswer, noteOpened, finish, ownLines };
}

/** A response's own headers replace constant ones with the same name. */
function mergeLines(lines: string, headers: Answer['headers']): string {
  if (!headers) return lines;
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = lines
    .split('\r\n')
    .filter((line) => line !== '' && !own.has(line.slice(0, line.indexOf(':')).toLowerCase()))
    .map((line) => `${line}\r\n`);
  return kept.join('') + toLines(headers);
}

/** Key, payment and query are not logged because they may contain secrets. */
function logAnswer(
  logger: Logger,
  x: Exchange,
  status: number,
  durationMs: number,
  message: string | null,
): void {
  const details = {
    requestId: x.requestId,
    method: x.req.method,
    route: x.entry?.pattern ?? null,
    keyId: x.identity?.keyId ?? null,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    detail: message,
  };
  // Client errors are logged at debug level only.
  if (status >= 500) logger.warn(details, 'request failed');
  else logger.debug(details, 'request refused');
}
