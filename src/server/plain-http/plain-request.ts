// Parses the most common request: a complete, plain GET without a body. Returns null for anything else, so
// that Node parses it. The result is always what Node would return.

import { MAX_HEADER_LINES } from '../http/head-faults.ts';

export interface PlainRequest {
  url: string;
  /** Alternating names and values, as sent. */
  rawHeaders: string[];
}

const MAX_BYTES = 8_192;
const WHOLE = /^GET (\/[!-~]*) HTTP\/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[\t -~]*\r\n)+)\r\n$/;

export function readPlainRequest(bytes: Buffer): PlainRequest | null {
  if (bytes.length > MAX_BYTES) return null;
  const whole = WHOLE.exec(bytes.toString('latin1'));
  if (whole === null) return null;
  const rawHeaders = readLines(whole[2]!);
  return rawHeaders && { url: whole[1]!, rawHeaders };
}

function readLines(lines: string): string[] | null {
  const rawHeaders: string[] = [];
  let hosts = 0;
  for (let from = 0; from < lines.length; ) {
    const colon = lines.indexOf(':', from);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(from, colon);
    const value = lines.slice(colon + 1, end).trim();
    if (isOfConsequence(name, value)) return null;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    rawHeaders.push(name, value);
    from = end + 2;
  }
  return hosts === 1 && rawHeaders.length <= 2 * MAX_HEADER_LINES ? rawHeaders : null;
}

/** Headers that control the connection or announce a body. */
const CONSEQUENTIAL = new Set([
  'te',
  'expect',
  'upgrade',
  'trailer',
  'content-length',
  'http2-settings',
  'proxy-connection',
  'transfer-encoding',
]);

function isOfConsequence(name: string, value: string): boolean {
  // Comparing lengths first avoids case folding for nearly all names.
  switch (name.length) {
    case 2:
    case 6:
    case 7:
    case 14:
    case 16:
    case 17:
      return CONSEQUENTIAL.has(name.toLowerCase());
    case 10:
      return name.toLowerCase() === 'connection' && value.toLowerCase() !== 'keep-alive';
    default:
      return false;
  }
}

/** Node keeps the first duplicate of these headers and joins others. */
const KEPT_ONCE = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host'],
  ...['if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards'],
  ...['proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'],
]);

/** Headers by lower-case name, like Node's. */
export function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const before = headers[name];
    const value = rawHeaders[i + 1]!;
    if (typeof before !== 'string') headers[name] = value;
    else if (!KEPT_ONCE.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}
