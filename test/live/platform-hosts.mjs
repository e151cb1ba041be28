// Preloaded with --import: maps the platforms' host names to the simulator at PLATFORM_SIMULATOR. Nothing
// else changes, so the configuration is the same as for the real platforms.

import http from 'node:http';
import https from 'node:https';

const simulator = new URL(process.env.PLATFORM_SIMULATOR);

/** Maps a host to the simulator's path for its root, or for all its paths if it has only one. */
const HOSTS = {
  'api.x.com': '/x',
  'truthsocial.com': '/mastodon',
  'xtracker.polymarket.com': '/oracle',
  'gamma-api.polymarket.com': '/gamma',
  'clob.polymarket.com': '/clob',
  'data-api.polymarket.com': '/data',
  'ws-subscriptions-clob.polymarket.com': '/clob',
  'trumpstruth.org': '=/rss/realDonaldTrump/feed',
};

function pathInSimulator(host, path) {
  const prefix = HOSTS[host];
  if (prefix === undefined) return null;
  return prefix.startsWith('=') ? prefix.slice(1) : `${prefix}${path}`;
}

const plainFetch = globalThis.fetch;
globalThis.fetch = (address, init) => {
  const url = new URL(address);
  const path = pathInSimulator(url.host, `${url.pathname}${url.search}`);
  return plainFetch(path === null ? address : new URL(path, simulator), init);
};

const plainRequest = https.request;
https.request = (options, ...rest) => {
  const path = pathInSimulator(options.host, options.path);
  if (path === null) return plainRequest(options, ...rest);
  const { createConnection: _, agent: __, ...kept } = options;
  return http.request(
    { ...kept, protocol: 'http:', host: simulator.hostname, port: simulator.port, defaultPort: 80, path },
    ...rest,
  );
};
https.get = (...args) => {
  const request = https.request(...args);
  request.end();
  return request;
};
