// A body built once and sent many times: its bytes, its constant headers, and compressed forms on demand.

import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { API_LINES, JSON_LINES, REVALIDATE_LINES, toLines } from './fixed-headers.ts';
import type { Encoding } from './negotiate.ts';

export interface WireForm {
  /**
   * A short body is a Latin-1 string, so that head and body take one write; a long body stays a buffer,
   * because copying it costs more than a second write.
   */
  readonly wire: string | Buffer;
  readonly byteLength: number;
  /** All header lines of a 200 except those that depend on the caller. */
  readonly lines: string;
}

export const JSON_TYPE = 'application/json';

/** Below this, compression costs more than it saves. */
export const COMPRESS_FROM_BYTES = 1_024;
/** Above this, compressing a response takes most of what a call may cost; files are compressed only once. */
export const COMPRESS_UP_TO_BYTES = 200_000;
const ONE_WRITE_BYTES = 8_192;
/**
 * Fields that only change with the clock; the entity tag ignores them. Removing them from the text is five
 * times faster than serialising again, and safe because quotes inside strings are escaped.
 */
const VOLATILE = /"(?:timestamp|seconds_remaining|age_s)":(?:"(?:[^"\\]|\\.)*"|[^,}]*)/g;

/** `T` is the type of the JSON it was rendered from. */
export class PreparedBody<T = unknown> {
  declare readonly renderedFrom?: T;
  readonly etag: string;
  readonly plain: WireForm;
  readonly bytes: Buffer;
  /** Header lines of a 304. */
  readonly unchangedLines: string;
  readonly #baseLines: string;
  readonly #compressUpTo: number;
  readonly #compressed: Partial<Record<Encoding, WireForm>> = {};

  constructor(bytes: Buffer, etag: string, baseLines: string, compressUpTo = COMPRESS_UP_TO_BYTES) {
    this.bytes = bytes;
    this.#compressUpTo = compressUpTo;
    this.etag = etag;
    this.#baseLines = `ETag: ${etag}\r\n${baseLines}`;
    this.unchangedLines = this.#baseLines;
    this.plain = toWire(bytes, this.#baseLines);
  }

  inEncoding(encoding: Encoding): WireForm {
    const { length } = this.bytes;
    if (encoding === 'identity' || length < COMPRESS_FROM_BYTES || length > this.#compressUpTo)
      return this.plain;
    this.#compressed[encoding] ??= toWire(
      compress(this.bytes, encoding, this.#compressUpTo === Infinity),
      `Content-Encoding: ${encoding}\r\n${this.#baseLines}`,
    );
    return this.#compressed[encoding];
  }
}

export function prepareJson<T>(value: T): PreparedBody<T> {
  const text = JSON.stringify(value);
  const bytes = Buffer.from(text);
  return new PreparedBody(bytes, stableTag(text), JSON_LINES + REVALIDATE_LINES + API_LINES);
}

/** Renders an envelope around `data` that was serialised and tagged before. */
export function prepareData<T>(
  timestamp: number,
  data: { text: string; tag: string; renderedFrom?: T },
): PreparedBody<{ timestamp: number; data: T }> {
  const bytes = Buffer.from(`{"timestamp":${timestamp},"data":${data.text}}`);
  return new PreparedBody(bytes, data.tag, JSON_LINES + REVALIDATE_LINES + API_LINES);
}

/** Creates a body for a static file with its own cache headers. */
export function prepareFile(
  bytes: Buffer,
  type: string,
  securityLines: string,
  cacheControl: string,
): PreparedBody<never> {
  const etag = `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
  const own = { 'Content-Type': type, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' };
  return new PreparedBody(bytes, etag, toLines(own) + securityLines, Infinity);
}

/** Computes a weak tag over the content without timestamp fields. */
export function stableTag(json: string): string {
  return tagOf(json.replace(VOLATILE, ''));
}

export function tagOf(stable: string): string {
  return `W/"${createHash('sha1').update(stable).digest('base64url')}"`;
}

export function isUnchanged(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  // Weak comparison, so a W/ prefix makes no difference.
  const opaque = etag.slice(2);
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === opaque);
}

/** Files are compressed once and well; responses fast, because that takes most of the CPU of many calls. */
export function compress(bytes: Buffer, encoding: Encoding, isFile = false): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes, { level: isFile ? 6 : 1 });
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: isFile ? 5 : 1 } });
}

function toWire(bytes: Buffer, lines: string): WireForm {
  return {
    wire: bytes.length <= ONE_WRITE_BYTES ? bytes.toString('latin1') : bytes,
    byteLength: bytes.length,
    lines: `Content-Length: ${bytes.length}\r\n${lines}`,
  };
}
