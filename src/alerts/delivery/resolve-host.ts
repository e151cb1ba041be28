// Resolves receivers' host names without the thread pool, where a few slow lookups would block every other
// lookup in the process, and thus all feeds.

import { Resolver } from 'node:dns/promises';

export type ResolveHost = (host: string) => Promise<string[]>;

export const RESOLVE_WITHIN_MS = 2_000;

/** `servers` defaults to the system's name servers. */
export function createHostResolver(servers?: readonly string[], withinMs = RESOLVE_WITHIN_MS): ResolveHost {
  return async (host) => {
    // One resolver per host name, so that cancelling it ends only its own queries.
    const resolver = new Resolver({ timeout: withinMs, tries: 1 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), withinMs);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (addresses.length === 0) throw new Error(describeFailure(found[0], host));
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  };
}

function describeFailure(outcome: PromiseSettledResult<string[]>, host: string): string {
  const code = outcome.status === 'rejected' ? (outcome.reason as NodeJS.ErrnoException).code : 'ENODATA';
  const isSilent = code === 'ETIMEOUT' || code === 'ECANCELLED';
  return isSilent ? `DNS lookup of ${host} timed out` : `DNS lookup of ${host} failed (${code})`;
}
