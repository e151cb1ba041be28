// Whether a request comes from this service's own page. What a foreign page sends carries its Origin and Sec-Fetch-Site;
// a page whose name was rebound to this machine carries that name as Host.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** `publicUrl` is where the operator says the page is; empty where that is not known. */
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

/** An address, or this machine by name: neither can be rebound by a name server. */
export function isOwnName(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(name) !== 0 || name === 'localhost';
}

/** Without the port that goes without saying, as an origin is written. */
function normalise(host: string): string {
  return URL.parse(`http://${host}`)?.host ?? host;
}
