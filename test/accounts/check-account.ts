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
  const { segment, hasRebalancing, publicView, allowsSell } = account;
  const wallet = `wallet=${service.wallet}`;
  const keys = {
    public: undefined,
    FREE: await service.issueKey('FREE'),
    PRO: await service.issueKey('PRO'),
  };
  const ask = async (path: string, key?: string) => {
    const headers: Record<string, string> = key ? { 'X-API-Key': key } : {};
    const response = await fetch(`${service.url}/api/v1${path}`, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies freely
    return { status: response.status, data: ((await response.json()) as any).data };
  };
  const records = ['overview', 'history', 'calibration', 'ledger'];
  /** Statuses without PRO, and with it. */
  const statuses: [path: string, other: number, pro: number][] = [
    ...[`/meta/${segment}`, `/meta/${segment}/tweets`, `/meta/${segment}/hourly`, `/prediction/${segment}`]
      .concat(records.map((record) => `/performance/${record}?account=${segment}`))
      .map((path): [string, number, number] => [path, 200, 200]),
    [`/signals/${segment}`, 401, 200],
    [`/signals/${segment}/ladder`, 401, 200],
    [`/portfolio/${segment}?${wallet}`, 401, 200],
    [
      `/portfolio/${segment}/rebalancing?${wallet}&bankroll=1000`,
      ...((hasRebalancing ? [401, 200] : [404, 404]) as [number, number]),
    ],
  ];
  for (const [tier, key] of Object.entries(keys)) {
    for (const [path, other, pro] of statuses)
      assert.equal((await ask(path, key)).status, tier === 'PRO' ? pro : other, `${tier} ${path}`);
    const stream = await listen(`${service.url}/api/v1/stream/${segment}`, key ? { key } : {});
    const [first] = await stream.hear(1);
    stream.cut();
    assert.deepEqual([first!.event, first!.data.account], ['snapshot', segment]);
  }
  const [shown] = (await ask(`/prediction/${segment}`)).data;
  assert.equal('seconds_remaining' in shown, publicView === 'wide', `public prediction of ${segment}`);
  assert.ok(!('forecast' in shown) && 'market_price' in shown.markets[0]);
  const predictions: { forecast: unknown }[] = (await ask(`/prediction/${segment}`, keys.PRO)).data;
  assert.ok(predictions.some(({ forecast }) => forecast !== null));
  const events: { signals: { action: string }[] }[] = (await ask(`/signals/${segment}`, keys.PRO)).data;
  const actions = events.flatMap(({ signals }) => signals.map(({ action }) => action));
  assert.ok(actions.length > 3 && (allowsSell || !actions.includes('SELL')), `signals of ${segment}`);
  const portfolio: { positions: object[] }[] = (
    await ask(`/portfolio/${segment}?${wallet}&bankroll=500`, keys.PRO)
  ).data;
  const [position] = portfolio.flatMap(({ positions }) => positions);
  assert.equal('sizing' in position!, hasRebalancing, `portfolio of ${segment}`);
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
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect schemas freely
async function listAgentTools(url: string): Promise<Map<string, any>> {
  const client = await connectAgent(url, null);
  const { tools } = await client.listTools();
  await client.close();
  return new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
}
