// The address a request counts against: the peer's, or the one reported by trusted proxies. IPv6 counts per
// /64.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';

export function resolveClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const reported =
    trustedHops === 0 || forwardedFor === undefined
      ? null
      : normaliseAddress(pickEntry(forwardedFor, trustedHops));
  return reported ?? normaliseAddress(peer ?? '') ?? 'unknown';
}

/** Protocol used by the caller; a forwarded protocol counts only from a trusted proxy. */
export function resolveClientProtocol(
  forwardedProto: string | undefined,
  trustedHops: number,
): 'http' | 'https' {
  if (trustedHops === 0 || forwardedProto === undefined) return 'http';
  return pickEntry(forwardedProto, trustedHops).toLowerCase() === 'https' ? 'https' : 'http';
}

/** Each trusted proxy appends one entry; anything further left comes from the caller. */
function pickEntry(list: string, trustedHops: number): string {
  if (!list.includes(',')) return list.trim();
  const entries = list.split(',');
  return entries[Math.max(0, entries.length - trustedHops)]!.trim();
}

export function normaliseAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = withoutPort(text);
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  const groups = groupsOf(bare);
  return findIPv4(groups) ?? `${groups.slice(0, 4).map(toHex).join(':')}::/64`;
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
}

/** IPv6 prefixes that embed an IPv4 address: IPv4-mapped and NAT64. */
const IPV4_PREFIXES = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** Every spelling of an IPv4 address is the same caller. */
function findIPv4(groups: readonly number[]): string | null {
  if (!IPV4_PREFIXES.includes(groups.slice(0, 6).map(toHex).join(':'))) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Expands the address to eight numeric groups. */
function groupsOf(address: string): number[] {
  const [left = '', right] = address.split('%')[0]!.split('::');
  const [head, tail] = [readGroups(left), readGroups(right ?? '')];
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<number>(Math.max(0, zeros)).fill(0), ...tail];
}

/** A dotted suffix covers two groups. */
function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

function toHex(group: number): string {
  return group.toString(16);
}

// Checks whether a request comes from this service's own page. A request from another site
// shows in Origin or Sec-Fetch-Site, DNS rebinding in Host.

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
