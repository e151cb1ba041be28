// X's own client and a Mastodon client, both unmodified, read the simulator over real HTTP: timeline, single posts,
// activity and statuses.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from '@xdevplatform/xdk';
import { createRestAPIClient } from 'masto';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { createSimulatorClock } from '../../simulator/simulator-clock.ts';
import { DAY_MS } from '../../src/domain/units.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import { createJudge } from './judge.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const x = createJudge();
const mastodon = createJudge();

let simulator: Simulator;
let server: SimulatorServer;
/** The client identifies a server by its origin, so the simulated Mastodon gets its own port here. */
let front: LocalServer;

before(async () => {
  simulator = createSimulator({
    seed: 7,
    anchorTs: START_TS - 40 * DAY_MS - (START_TS % DAY_MS),
    clock: createSimulatorClock(START_TS, 1),
  });
  server = await startSimulatorServer(simulator);
  front = await serve((incoming, outgoing) => {
    const url = `http://simulator/mastodon${incoming.url}`;
    void simulator.fetch(new Request(url)).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    });
  });
});

after(async () => {
  await server.close();
  front.close();
  x.verdict("X's own client");
  mastodon.verdict('masto');
});

describe("X's own client", () => {
  const account = () => simulator.accounts.find(({ platform }) => platform === 'x')!;
  const open = () => new Client({ baseUrl: server.urls.x, bearerToken: 'simulator', retry: false });

  it('reads the simulated timeline page by page, and single posts', async () => {
    const client = open();
    const ids: string[] = [];
    let paginationToken: string | undefined;
    for (let page = 0; page < 5; page++) {
      const answer = await x.check('timeline', () =>
        client.users.getPosts(account().platformUserId, {
          maxResults: 100,
          postFields: ['created_at', 'conversation_id'],
          ...(paginationToken === undefined ? {} : { paginationToken }),
        }),
      );
      for (const post of answer?.data ?? []) {
        ids.push(post.id!);
        assert.ok(typeof post.text === 'string');
      }
      paginationToken = answer?.meta?.nextToken;
    }
    assert.equal(new Set(ids).size, 500);
    const byIds = await x.check('posts by ids', () => client.posts.getByIds(ids.slice(0, 100)));
    assert.deepEqual(
      byIds?.data?.map(({ id }) => id),
      ids.slice(0, 100),
    );
    const missing = await x.check('posts by ids, one gone', () => client.posts.getByIds(['1', ids[0]!]));
    assert.equal(missing?.errors?.length, 1);
  });

  it('reads the account and the versions of an edited post', async () => {
    const client = open();
    const { handle, platformUserId } = account();
    const user = await x.check('user by name', () => client.users.getByUsername(handle));
    assert.equal(user?.data?.id, platformUserId);
    const edited = simulator
      .truePosts(START_TS - 30 * DAY_MS, START_TS)
      .find((post) => post.accountId === account().accountId && post.editIds.length > 0 && !post.deletedTs)!;
    const version = edited.editIds.at(-1)!;
    const found = await x.check('an edited post', () => client.posts.getByIds([version]));
    const post = found?.data?.[0] as {
      id?: string;
      editHistoryPostIds?: string[];
      editHistoryTweetIds?: string[];
    };
    assert.equal(post.id, version);
    assert.deepEqual(post.editHistoryTweetIds ?? post.editHistoryPostIds, [edited.id, ...edited.editIds]);
  });

  it('gets an error without credit', async () => {
    simulator.faults.add(parseFault('x-no-credit'), simulator.now());
    try {
      const ask = () => open().users.getPosts(account().platformUserId, { maxResults: 5 });
      await assert.rejects(ask, (error: { status?: number }) => error.status === 402);
    } finally {
      simulator.faults.clear(null, simulator.now());
    }
  });

  it('subscribes to activity and receives pushes', async () => {
    const client = open();
    const { platformUserId, accountId } = account();
    for (const eventType of ['post.create', 'post.delete'] as const) {
      await x.check('subscription made', () =>
        client.activity.createSubscription({ eventType, filter: { userId: platformUserId }, tag: 'judge' }),
      );
    }
    const listed = await x.check('subscriptions', () => client.activity.getSubscriptions());
    assert.ok((listed?.data?.length ?? 0) >= 2);
    const stream = await client.stream.activity();
    const seen: string[] = [];
    const done = new Promise<void>((resolve, reject) => {
      stream.on('data', (message: { data: { event_type: string; payload: { id: string } } }) => {
        const { event_type, payload } = message.data;
        if (payload.id === injected) seen.push(event_type);
        if (seen.length === 2) resolve();
      });
      stream.on('error', reject);
    });
    const injected = simulator.injectPost({ accountId, deleteAfterMs: 300 }).id;
    await x.check('activity', () => done);
    stream.close();
    assert.deepEqual(seen, ['post.create', 'post.delete']);
  });
});

describe('a Mastodon client', () => {
  const account = () => simulator.accounts.find(({ platform }) => platform === 'mastodon')!;
  const open = () => createRestAPIClient({ url: front.url });

  it('reads the account, single statuses, and statuses page by page', async () => {
    const api = open();
    const found = await mastodon.check('lookup', () => api.v1.accounts.lookup({ acct: account().handle }));
    assert.equal(found?.id, account().platformUserId);
    const ids: string[] = [];
    let maxId: string | undefined;
    for (let page = 0; page < 5; page++) {
      const statuses = await mastodon.check('statuses', () =>
        api.v1.accounts.$select(account().platformUserId).statuses.list({
          limit: 40,
          excludeReplies: true,
          ...(maxId === undefined ? {} : { maxId }),
        }),
      );
      for (const status of statuses ?? []) {
        assert.ok(Number.isFinite(Date.parse(status.createdAt)));
        assert.equal(status.account.id, account().platformUserId);
        ids.push(status.id);
      }
      maxId = ids.at(-1);
    }
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length >= 150, `${ids.length} statuses`);
    const again = await mastodon.check('account', () =>
      api.v1.accounts.$select(account().platformUserId).fetch(),
    );
    assert.equal(again?.acct, found?.acct);
    const several = await mastodon.check('statuses by ids', () =>
      api.v1.statuses.fetch({ id: ids.slice(0, 20) }),
    );
    assert.deepEqual(several?.map(({ id }) => id).sort(), ids.slice(0, 20).sort());
    for (const id of ids.slice(0, 10)) {
      const status = await mastodon.check('status', () => api.v1.statuses.$select(id).fetch());
      assert.equal(status?.id, id);
    }
  });
});
