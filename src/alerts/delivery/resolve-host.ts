// Resolves receivers' names over the network, never in the thread pool: a few unanswered names there would block
// every other lookup of the process, and with it all feeds.

import { Resolver } from 'node:dns/promises';

export type ResolveHost = (host: string) => Promise<string[]>;

export const RESOLVE_WITHIN_MS = 2_000;

/** `servers`: the system's by default. */
export function createHostResolver(servers?: readonly string[], withinMs = RESOLVE_WITHIN_MS): ResolveHost {
  return async (host) => {
    // One resolver per name: cancelling it ends only its queries.
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
  return isSilent
    ? `no name server answered for ${host} in time`
    : `the name ${host} has no address (${code})`;
}
