// Checks whether a request comes from this service's own page. A request from another site
// shows in Origin or Sec-Fetch-Site, DNS rebinding in Host.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** `publicUrl` is the configured address of the page; empty if unknown. */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const host = headers.host?.toLowerCase() ?? '';
  const publicHost = URL.parse(publicUrl)?.host;
  if (host !== publicHost && !isOwnName(host)) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin)?.host;
  return origin !== undefined && origin !== '' && (origin === normalise(host) || origin === publicHost);
}

/** An IP address or localhost: neither can be rebound through DNS. */
export function isOwnName(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(name) !== 0 || name === 'localhost';
}

/** Drops the default port, as an Origin header does. */
function normalise(host: string): string {
  return URL.parse(`http://${host}`)?.host ?? host;
}
