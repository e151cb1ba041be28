// Which address a request counts for: the peer's, or what the trusted proxies say; IPv6 by its /64.

import { isIPv4, isIPv6 } from 'node:net';

export function resolveClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const own = normaliseAddress(peer ?? '') ?? 'unknown';
  if (trustedHops === 0 || forwardedFor === undefined) return own;
  // Each trusted proxy appended one entry; what stands left of those was written by the caller.
  const entries = forwardedFor.split(',');
  const entry = entries[Math.max(0, entries.length - trustedHops)]!;
  return normaliseAddress(entry.trim()) ?? own;
}

/** By which protocol the caller came: the peer's word counts only where it is a proxy that is trusted. */
export function resolveClientProtocol(
  forwardedProto: string | undefined,
  trustedHops: number,
): 'http' | 'https' {
  if (trustedHops === 0 || forwardedProto === undefined) return 'http';
  const entries = forwardedProto.split(',');
  const entry = entries[Math.max(0, entries.length - trustedHops)]!;
  return entry.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

export function normaliseAddress(text: string): string | null {
  const bare = withoutPort(text);
  if (isIPv4(bare)) return bare;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  return isIPv6(bare) ? networkOf(bare) : null;
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
}

/** The first four groups, written out in full. */
function networkOf(address: string): string {
  const bare = address.split('%')[0]!.toLowerCase();
  const [left = '', right] = bare.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  // A dotted tail stands for two groups.
  const tailGroups = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0);
  const zeros = right === undefined ? 0 : 8 - head.length - tailGroups;
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
