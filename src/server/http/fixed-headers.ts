// Constant headers for API responses and pages, built once.

const EXPOSED_HEADERS =
  'ETag, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Warning, WWW-Authenticate, X-Request-Id, PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Deprecation, Sunset';

/** A JSON response must not be executed, framed, sniffed or read by another page. */
export const OWN_PAGE_LINES = toLines({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
});

/** The same, for responses that any page may read. */
export const API_LINES =
  OWN_PAGE_LINES +
  toLines({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS });

/** Pages load only from this service; no inline scripts, framing or plug-ins. */
export const PAGE_LINES = toLines({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
});

export const PREFLIGHT_LINES = toLines({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'X-API-Key, x402, PAYMENT-SIGNATURE, X-PAYMENT, Content-Type, Accept, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '86400',
  'X-Content-Type-Options': 'nosniff',
});

/** Cacheable, but revalidated on every use; responses vary by key. */
export const REVALIDATE_LINES = toLines({
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept-Encoding, X-API-Key',
});

export const NO_STORE_LINES = toLines({ 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, X-API-Key' });

/** Proxies must neither keep nor hold back live updates. */
export const STREAM_LINES = toLines({
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
});

export const JSON_LINES = toLines({ 'Content-Type': 'application/json' });

export function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Splits header lines for writeHead, which takes alternating names and values. */
export function splitLines(lines: string): string[] {
  const pairs: string[] = [];
  for (const line of lines.split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(': ');
    pairs.push(line.slice(0, colon), line.slice(colon + 2));
  }
  return pairs;
}
