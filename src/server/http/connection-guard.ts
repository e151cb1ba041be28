// Limits open connections, in total and per address, so that idle connections cannot exhaust the file
// descriptors that the store and the feeds need.

import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolveClientAddress } from '../../access/client-address.ts';

export interface ConnectionLimits {
  total: number;
  perAddress: number;
}

export interface ConnectionGuard {
  /** Counts the connection until it closes; closes it immediately if it exceeds a limit. */
  admit(socket: Socket): boolean;
  open(): number;
  refused(): number;
}

/** Share of file descriptors available to connections; the rest is for store, feeds, deliveries and files. */
const SHARE_OF_DESCRIPTORS = 0.7;
const MAX_CONNECTIONS = 20_000;
/** Used if the system reports no limit. */
const USUAL_DESCRIPTORS = 1_024;
const SHARE_OF_ADDRESS = 1 / 32;
const MIN_PER_ADDRESS = 32;

/** Behind proxies, callers share a few addresses, so only the total is limited. */
export function chooseConnectionLimits(trustedProxyHops: number, descriptors = readDescriptorLimit()) {
  const total = Math.min(MAX_CONNECTIONS, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  const fair = Math.max(MIN_PER_ADDRESS, Math.floor(total * SHARE_OF_ADDRESS));
  return { total, perAddress: trustedProxyHops > 0 ? total : Math.min(fair, total) };
}

function readDescriptorLimit(): number {
  try {
    const line = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return Number(line?.[1] ?? USUAL_DESCRIPTORS);
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

export function createConnectionGuard(limits: ConnectionLimits): ConnectionGuard {
  const byAddress = new Map<string, number>();
  let open = 0;
  let refused = 0;

  function forget(address: string): void {
    open -= 1;
    const left = byAddress.get(address)! - 1;
    if (left === 0) byAddress.delete(address);
    else byAddress.set(address, left);
  }

  return {
    admit(socket) {
      const address = resolveClientAddress(socket.remoteAddress, undefined, 0);
      const own = byAddress.get(address) ?? 0;
      if (open >= limits.total || own >= limits.perAddress) {
        refused += 1;
        socket.destroy();
        return false;
      }
      open += 1;
      byAddress.set(address, own + 1);
      socket.once('close', () => forget(address));
      return true;
    },
    open: () => open,
    refused: () => refused,
  };
}
