// Every source adapter on a simulator over real HTTP and websockets.

import { WebSocket } from 'ws';
import type { SimulatorServer } from '../../simulator/server.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { completeProfile } from '../../src/domain/account-profile.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { createSources, type SourcesOptions } from '../../src/sources/create-sources.ts';
import type { SocketLike } from '../../src/sources/socket-session.ts';
import type { Sources } from '../../src/sources/source.ts';

export const NETWORK: Pick<SourcesOptions, 'fetch' | 'createSocket'> = {
  fetch,
  createSocket: (url) => new WebSocket(url) as unknown as SocketLike,
};

interface SimulatedSourcesOptions extends Partial<SourcesOptions> {
  clock: Clock;
  /** Kinds of post sources by account; the platform's own by default. */
  kinds?: Record<string, string[]>;
}

export function openSimulatedSources(
  { accounts }: Simulator,
  { urls }: SimulatorServer,
  { kinds = {}, ...options }: SimulatedSourcesOptions,
): Sources {
  return createSources({
    accounts: accounts.map(({ accountId, handle, platformUserId, platform, seriesSlugs }, place) => {
      const market = { seriesSlugs, tagId: null, slugPrefix: null };
      const baseUrl = `${urls.rss}/${handle}/feed`;
      const postSources = kinds[accountId]?.map((kind) =>
        kind === 'rss' ? { kind, options: { baseUrl } } : { kind },
      );
      const own = { accountId, handle, platformUserId, platform, market };
      return completeProfile({ ...own, ...(postSources && { postSources }) }, place);
    }),
    urls: {
      xApi: urls.x,
      mastodon: urls.mastodon,
      oracle: urls.oracle,
      marketGamma: urls.gamma,
      marketClob: urls.clob,
      marketWs: urls.marketWs,
      marketData: urls.data,
    },
    xBearerToken: 'simulator',
    random: createRandom(1),
    oracleCallSpacingMs: 0,
    ...NETWORK,
    ...options,
  });
}
