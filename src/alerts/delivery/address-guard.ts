// Decides which addresses a customer's webhook may reach. Loopback, private, link-local, shared, multicast
// and reserved ranges are refused, even if a public name resolves to one of them.

import { BlockList, isIP } from 'node:net';

// One list per address family: in a combined list, the range of IPv4-mapped addresses would cover all of
// IPv4.
const REFUSED = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // the host of an Azure machine
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  REFUSED.ipv4.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Loopback, and IPv4 written as IPv6 (compatible, mapped, translated); otherwise a private address would
  // pass as public.
  ['::', 8],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  REFUSED.ipv6.addSubnet(network, prefix, 'ipv6');
}

export function isRefusedAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  return REFUSED[name].check(address, name);
}

/** Whether a URL's host name or address refers to this machine. */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Allowed only on the simulator, and never for the demo key, which every visitor can use. */
export function mayReachThisMachine(reach: { isLocalAllowed: boolean }, key: { isDemo: boolean }): boolean {
  return reach.isLocalAllowed && !key.isDemo;
}

/** Returns what is wrong with a receiver's URL; null if allowed. Host names are checked when resolved. */
export function findUrlFault(text: string, isLocalAllowed = false): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute https URL';
  if (isLocalAllowed && /^https?:$/.test(url.protocol) && isThisMachine(url.hostname)) return null;
  if (url.protocol !== 'https:') return 'must be an https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const host = url.hostname.replace(/^\[|[\].]$/g, '');
  if (isIP(host) !== 0 && isRefusedAddress(host)) return 'must not be on a private network';
  if (/^localhost$|\.(localhost|local|internal|home\.arpa)$/i.test(host) || !host.includes('.')) {
    return isIP(host) === 0 ? 'must be a public host name' : null;
  }
  return null;
}
