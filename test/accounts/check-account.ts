// HTTP checks that work for any account on a running service.

import assert from 'node:assert/strict';
import type { Account } from '../../src/domain/account.ts';
import type { Tier } from '../../src/store/ports.ts';
import { listen } from '../stream/sse.ts';
import { connectAgent } from '../support/agent.ts';

export interface AskedService {
  url: string;
  /** A wallet with positions in every account's events. */
  wallet: string;
  issueKey(tier: Tier): Promise<string>;
}

export async function checkAccount(service: AskedService, account: Account): Promise<void> {
  const { segment } = account;
  const wallet = `wallet=${service.wallet}`;
  const free = await service.issueKey('FREE');
  const pro = await service.issueKey('PRO');
  const ask = async (path: string, key?: string) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      headers: key ? { 'X-API-Key': key } : {},
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
    return { status: response.status, json: (await response.json()) as any };
  };
  const reported = (path: string) => `${path} of ${segment}`;
  const rebalancing = `/portfolio/${segment}/rebalancing?${wallet}&bankroll=1000`;

  for (const key of [undefined, free]) {
    const meta = await ask(`/meta/${segment}`, key);
    assert.ok(meta.status === 200 && meta.json.data.length >= 2, reported('meta'));
    const tweets = (await ask(`/meta/${segment}/tweets?limit=40`, key)).json;
    assert.deepEqual([tweets.limit, tweets.data[0].is_counted], [15, null], reported('tweets'));
    assert.equal((await ask(`/meta/${segment}/hourly`, key)).json.data.length, meta.json.data.length);
    const [prediction] = (await ask(`/prediction/${segment}`, key)).json.data;
    assert.equal(
      'seconds_remaining' in prediction,
      account.publicView === 'wide',
      reported('public prediction'),
    );
    assert.ok(!('forecast' in prediction) && 'market_price' in prediction.markets[0]);
    for (const path of [
      `/signals/${segment}`,
      `/signals/${segment}/ladder`,
      `/portfolio/${segment}?${wallet}`,
    ]) {
      assert.equal((await ask(path, key)).status, 401, path);
    }
    assert.equal(
      (await ask(rebalancing, key)).status,
      account.hasRebalancing ? 401 : 404,
      reported('rebalancing'),
    );
  }

  const tweets = (await ask(`/meta/${segment}/tweets?limit=40&offset=1`, pro)).json;
  assert.deepEqual(
    [tweets.data.length, typeof tweets.data[0].is_counted],
    [40, 'boolean'],
    reported('tweets'),
  );
  const predictions = (await ask(`/prediction/${segment}`, pro)).json.data;
  assert.ok(
    predictions.some((record: { forecast: unknown }) => record.forecast !== null),
    reported('prediction'),
  );
  const signals = (await ask(`/signals/${segment}?bankroll=500`, pro)).json.data;
  assert.ok(
    signals.some((event: { signals: unknown[] }) => event.signals.length > 3),
    reported('signals'),
  );
  const actions = signals.flatMap((event: { signals: { action: string }[] }) =>
    event.signals.map(({ action }) => action),
  );
  assert.ok(account.allowsSell || !actions.includes('SELL'), reported('signals'));
  assert.ok((await ask(`/signals/${segment}/ladder`, pro)).json.data.length > 0, reported('ladder'));
  const portfolio = (await ask(`/portfolio/${segment}?${wallet}&bankroll=500`, pro)).json.data;
  const positions = portfolio.flatMap((event: { positions: object[] }) => event.positions);
  assert.ok(positions.length >= 1, reported('portfolio'));
  assert.equal('sizing' in positions[0], account.hasRebalancing, reported('portfolio'));
  assert.equal(
    (await ask(rebalancing, pro)).status,
    account.hasRebalancing ? 200 : 404,
    reported('rebalancing'),
  );
  for (const record of ['overview', 'history', 'calibration', 'ledger']) {
    assert.equal((await ask(`/performance/${record}?account=${segment}`)).status, 200, reported(record));
  }
  for (const key of [undefined, pro]) {
    const stream = await listen(`${service.url}/api/v1/stream/${segment}`, key ? { key } : {});
    const [first] = await stream.hear(1);
    stream.cut();
    assert.deepEqual([first!.event, first!.data.account], ['snapshot', segment]);
  }
}

export async function checkAccountLists(
  { url }: Pick<AskedService, 'url'>,
  accounts: readonly Account[],
): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
  const get = async (path: string) => (await fetch(url + path)).json() as Promise<any>;
  const segments = accounts.map(({ segment }) => segment);
  assert.deepEqual(
    (await get('/config.json')).accounts,
    accounts.map(({ segment, displayName, hasRebalancing }) => ({
      ...{ segment, label: displayName },
      ...(hasRebalancing && { rebalancing: true }),
    })),
  );
  const paths = Object.keys((await get('/openapi.json')).paths);
  for (const { segment, hasRebalancing } of accounts) {
    for (const path of ['meta', 'prediction', 'signals', 'portfolio', 'stream']) {
      assert.ok(paths.includes(`/api/v1/${path}/${segment}`), `${path} ${segment}`);
    }
    assert.equal(paths.includes(`/api/v1/portfolio/${segment}/rebalancing`), hasRebalancing);
  }
  assert.deepEqual(Object.keys((await get('/api/v1/health')).feeds), segments);
  const tools = await listAgentTools(url);
  assert.deepEqual(tools.get('get_signals').properties.account.enum, segments);
  const rebalanced = accounts.filter(({ hasRebalancing }) => hasRebalancing).map(({ segment }) => segment);
  assert.deepEqual(
    tools.get('get_rebalancing')?.properties.account?.enum,
    rebalanced.length > 1 ? rebalanced : undefined,
  );
  assert.equal(tools.has('get_rebalancing'), rebalanced.length > 0);
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect schemas freely
async function listAgentTools(url: string): Promise<Map<string, any>> {
  const client = await connectAgent(url, null);
  const { tools } = await client.listTools();
  await client.close();
  return new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
}
