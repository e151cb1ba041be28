import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ExchangeOrder } from '../../simulator/exchange/types.ts';
import { usdMicroFor } from '../../src/domain/units.ts';
import type { OpportunityRow } from '../../src/trading/executor/read-advice.ts';
import { type Ran, runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { listCheapTokens, type OpenExchange, openExchange } from './open-exchange.ts';
import { type ScriptedAdvice, startScriptedAdvice } from './scripted-advice.ts';

const CHAT = 7;
const DEADLINE_MS = 60_000;

describe('tallycast trade --live on the simulator', { timeout: 5 * DEADLINE_MS }, () => {
  const folder = makeTempFolder('trade');
  const [data, keyFile] = [join(folder, 'live'), join(folder, 'key')];
  const stop = new AbortController();
  let exchange: OpenExchange;
  let service: ScriptedAdvice;
  let tokens: { tokenId: string; ask: number }[];
  let code: string;
  let wallet: string;
  let trading: Promise<Ran>;

  before(async () => {
    exchange = await openExchange();
    service = await startScriptedAdvice(exchange.server.urls.base);
    tokens = listCheapTokens();
    const key = generatePrivateKey();
    writeFileSync(keyFile, key, { mode: 0o600 });
    const session = privateKeyToAccount(key).address;
    wallet = exchange.simulator.exchange.wallets.setUp({ session }, Date.now());
  });
  after(async () => {
    stop.abort();
    await trading;
    service.close();
    await exchange.server.close();
  });

  const env = () => ({
    LOG_LEVEL: 'fatal',
    TELEGRAM_URL: `${exchange.server.urls.base}/telegram`,
    TALLYCAST_TRADING_TELEGRAM_TOKEN: `1:${'t'.repeat(35)}`,
    TALLYCAST_TRADING_TELEGRAM_CHAT: String(CHAT),
  });
  const start = (...more: string[]) => {
    const where = ['--url', service.url, '--key-file', keyFile, '--wallet', wallet, '--data', data];
    return runCommand(['trade', '--live', ...where, ...more], env(), stop.signal);
  };
  const manage = (action: string) => runCommand(['trade', action, '--data', data]);
  const orders = (): ExchangeOrder[] => exchange.simulator.exchange.core.records.all();
  const ordersOn = (index: number) => orders().filter(({ tokenId }) => tokenId === tokens[index]!.tokenId);

  function advise(...indexes: number[]): void {
    service.rows = indexes.map((index) => toRow(tokens[index]!));
  }

  async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
    const endTs = Date.now() + DEADLINE_MS;
    while (!(await isTrue())) {
      assert.ok(Date.now() < endTs, `waited for: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function say(text: string): Promise<void> {
    const body = JSON.stringify({ text, chat_id: CHAT });
    await fetch(`${exchange.server.urls.admin}/telegram`, { method: 'POST', body });
  }

  async function answers(): Promise<string[]> {
    const received = await fetch(`${exchange.server.urls.admin}/messages`);
    const { messages } = (await received.json()) as { messages: { text: string }[] };
    return messages.map(({ text }) => text);
  }

  const isHaltedBy = (reason: string) => async () => (await manage('status')).out.includes(reason);

  it('shows what it would do, sends nothing and asks the user to accept the settings', async () => {
    advise(0);
    const { out, code: exit } = await start();
    assert.equal(exit, 0);
    assert.match(out, /would do now: .*buy \d+ Yes of/s);
    code = /--accept ([0-9a-f]{8})/.exec(out)![1]!;
    assert.deepEqual(orders(), []);
  });

  it('rejects an acceptance code for other settings', async () => {
    const { err, code: exit } = await start('--accept', code, '--max-order', '3');
    assert.equal(exit, 2);
    assert.match(err, /is for other settings/);
  });

  it('rejects the acceptance code if the advice would come from another URL', async () => {
    const { err, code: exit } = await start(
      '--accept',
      code,
      '--url',
      service.url.replace('127.0.0.1', 'localhost'),
    );
    assert.equal(exit, 2);
    assert.match(err, /is for other settings/);
  });

  it('starts with the smallest orders that the exchange takes, which fill', async () => {
    trading = start('--accept', code);
    await until('a trade', () => exchange.simulator.exchange.core.records.trades().length > 0);
    for (const { originalMicro, pricePips } of orders())
      assert.ok(Math.floor(usdMicroFor(originalMicro, pricePips) / 1_000_000) === 1);
  });

  it('responds to /status and stops on /stop', async () => {
    await say('/status');
    await until('a response', async () => (await answers()).some((text) => /^live: .* USD/.test(text)));
    await say('/stop');
    await until('the halt', isHaltedBy('halted: stopped by Telegram'));
    advise(1);
    const settled = orders().length;
    await until('two more cycles', haveCyclesRun(2));
    assert.equal(orders().length, settled);
  });

  it('trades again after resume, and can be stopped by command or by file', async () => {
    await manage('resume');
    await until('an order on the second token', () => ordersOn(1).length > 0);
    await manage('stop');
    await until('the halt', isHaltedBy('halted: stopped by command'));
    await manage('resume');
    await until('no halt', async () => !(await isHaltedBy('halted')()));
    writeFileSync(join(data, 'STOP'), 'lunch\n');
    await until('the halt', isHaltedBy('halted: lunch'));
    assert.deepEqual(
      orders().filter(({ status }) => status === 'LIVE'),
      [],
    );
  });

  it('sells everything on /flatten', async () => {
    advise();
    await say('/flatten');
    await until('a sale', () => orders().some(({ action }) => action === 'SELL'));
    assert.ok(!existsSync(join(data, 'STOP')));
  });

  it('reports the results', async () => {
    stop.abort();
    assert.equal((await trading).code, 0);
    assert.match((await manage('report')).out, /Fills +\d+/);
    assert.match((await manage('csv')).out, /,BUY,/);
  });

  it('asks for acceptance again only if settings change', async () => {
    assert.match((await start('--max-order', '3')).out, /Nothing was sent/);
    const { out, code: exit } = await start();
    assert.equal(exit, 0);
    assert.equal(out, '', 'accepted settings are not shown again');
  });

  /** Checks whether this many more cycles have run; every cycle requests advice. */
  function haveCyclesRun(count: number): () => boolean {
    const from = service.asked;
    return () => service.asked >= from + count;
  }
});

function toRow({ tokenId, ask }: { tokenId: string; ask: number }): OpportunityRow {
  return {
    account: 'account_a',
    event_id: Number(tokenId.slice(-6)),
    bucket: 'bucket',
    seconds_remaining: 7200,
    belief_prob: ask + 0.1,
    verdict: 'BUY_YES',
    token_id: tokenId,
    limit_price: Math.round((ask + 0.01) * 100) / 100,
    depth_shares: null,
    shares: 50,
    gain_per_usd: 0.3,
    feeds: {},
  };
}
