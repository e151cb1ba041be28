// Base URLs of the simulated platforms on one host.

export const MARKET_SOCKET_PATH = '/clob/ws/market';
export const USER_SOCKET_PATH = '/clob/ws/user';
export const KALSHI_SOCKET_PATH = '/kalshi/trade-api/ws/v2';

export interface SimulatorUrls {
  base: string;
  x: string;
  mastodon: string;
  /** Up to and including the oracle's /api. */
  oracle: string;
  gamma: string;
  clob: string;
  data: string;
  marketWs: string;
  userWs: string;
  /** Prefix of /{handle}/feed. */
  rss: string;
  kalshi: string;
  kalshiWs: string;
  rollcall: string;
  /** Prefix of /{slug}. */
  marketPage: string;
  admin: string;
}

export function makeUrls(authority: string): SimulatorUrls {
  const base = `http://${authority}`;
  return {
    base,
    x: `${base}/x`,
    mastodon: `${base}/mastodon`,
    oracle: `${base}/oracle/api`,
    gamma: `${base}/gamma`,
    clob: `${base}/clob`,
    data: `${base}/data`,
    marketWs: `ws://${authority}${MARKET_SOCKET_PATH}`,
    userWs: `ws://${authority}${USER_SOCKET_PATH}`,
    rss: `${base}/rss`,
    kalshi: `${base}/kalshi/trade-api/v2`,
    kalshiWs: `ws://${authority}${KALSHI_SOCKET_PATH}`,
    rollcall: `${base}/rollcall`,
    marketPage: `${base}/event`,
    admin: `${base}/admin`,
  };
}
