// Runs each kind of post source through its own proxy, over real sockets, and checks the address, host name
// and credential of each request.

import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { completeProfile } from '../domain/account-profile.ts';
import { createManualClock } from '../runtime/clock.ts';
import { createRandom } from '../runtime/random.ts';
import { createPostSourceFactory, NO_SETTINGS } from './create-post-sources.ts';
import type { OracleSource, PostSource, PostSourceKind } from './source.ts';

const NOW_TS = Date.UTC(2026, 10, 2, 12);
const EMPTY_FEED = '<rss version="2.0"><channel><title>none</title></channel></rss>';
/** An empty response for each kind. */
const ANSWERS: Record<Exclude<PostSourceKind, 'oracle'>, string> = {
  x: '{"data":[],"meta":{"result_count":0}}',
  mastodon: '[]',
  rss: EMPTY_FEED,
  rollcall: '{"error":false,"data":[]}',
};
const KINDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

interface Asked {
  /** Absolute URL, as sent to a proxy. */
  url: string;
  headers: IncomingHttpHeaders;
}

let proxy: Server;
let proxyUrl: string;
let asked: Asked[] = [];
let answer = '';

const straight: string[] = [];
const factory = createPostSourceFactory({
  settings: { x: { ...NO_SETTINGS, baseUrl: 'http://of-all.example', userAgent: 'for all' } },
  fetch: async (address) => {
    straight.push(String(address));
    return new Response(answer);
  },
  clock: createManualClock(NOW_TS),
  random: createRandom(1),
});

function open(kind: keyof typeof ANSWERS, options: Record<string, string>): PostSource {
  const platform = kind === 'mastodon' ? 'mastodon' : 'x';
  const profile = { accountId: 'a', handle: 'somebody', platformUserId: '1001', platform } as const;
  const account = completeProfile({ ...profile, postSources: [{ kind, options }] }, 0);
  answer = ANSWERS[kind];
  asked = [];
  straight.length = 0;
  return factory.create(account, {} as OracleSource)[0]!;
}

const ask = (source: PostSource) => source.fetchLatest(null, new AbortController().signal);

describe('post source', () => {
  before(async () => {
    proxy = createServer((incoming, outgoing) => {
      asked.push({ url: incoming.url ?? '', headers: incoming.headers });
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  for (const kind of KINDS) {
    it(`${kind}: uses its own proxy, address, user agent and credential`, async () => {
      const baseUrl = `http://${kind}.example/base`;
      const own = { baseUrl, credential: `secret of ${kind}`, userAgent: `reader of ${kind}`, periodS: '77' };
      const source = open(kind, { ...own, proxy: proxyUrl });
      await ask(source);
      assert.equal(source.periodMs, 77_000);
      assert.ok(asked.length >= 1);
      for (const { url, headers } of asked) {
        assert.ok(url.startsWith(baseUrl), url);
        assert.equal(headers['user-agent'], `reader of ${kind}`);
        assert.equal(headers.authorization, `Bearer secret of ${kind}`);
      }
      assert.deepEqual(straight, []);
    });

    it(`${kind}: connects directly without a proxy`, async () => {
      const source = open(kind, { baseUrl: `http://${kind}.example/straight` });
      await ask(source);
      assert.deepEqual(asked, []);
      assert.ok(straight.length >= 1);
      assert.ok(straight.every((url) => url.startsWith(`http://${kind}.example/straight`)));
    });
  }

  it('uses the defaults of its kind if its entry sets none', async () => {
    await ask(open('x', {}));
    assert.ok(straight.every((url) => url.startsWith('http://of-all.example')));
  });

  it("reports the source's name when its proxy is down", async () => {
    const source = open('rss', { baseUrl: 'http://rss.example/dead', proxy: 'http://127.0.0.1:1' });
    await assert.rejects(ask(source), /rss/);
  });
});
