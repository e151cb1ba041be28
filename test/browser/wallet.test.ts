// A visitor without a key pays for one view with a wallet, using the simulated chain and its facilitator.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { closeBrowser, openBrowser, visit } from './browser.ts';
import { openTestService, type TestService } from './service.ts';

let browser: Browser;
let service: TestService;

before(async () => {
  [browser, service] = await Promise.all([
    openBrowser(),
    openTestService(13, ['--payments', 'demo', '--accounts', '3']),
  ]);
});
after(async () => {
  closeBrowser();
  await service?.close();
});

/** Simulates a browser wallet's responses. */
async function answerWalletCall(
  account: ReturnType<typeof privateKeyToAccount>,
  { method, params }: { method: string; params?: unknown[] },
): Promise<unknown> {
  if (method === 'eth_requestAccounts') return [account.address];
  if (method === 'eth_chainId') return '0x14a34';
  if (method === 'eth_signTypedData_v4') return account.signTypedData(JSON.parse(params![1] as string));
  throw new Error(`the wallet does not support ${method}`);
}

async function fund(address: string): Promise<void> {
  const asked = await fetch(`${service.url}/api/v1/signals/account_a`);
  const { demo } = (await asked.json()) as { demo: { faucet_url: string } };
  const response = await fetch(demo.faucet_url, { method: 'POST', body: JSON.stringify({ address }) });
  assert.ok(response.ok);
}

describe('a browser wallet', () => {
  it('pays for one view of the signals per click', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await fund(account.address);
    const { page, close } = await visit(browser, service, { hash: '#/about' });
    await page.exposeFunction('askWallet', (call: { method: string; params?: unknown[] }) =>
      answerWalletCall(account, call),
    );
    await page.addInitScript(() => {
      const scope = window as unknown as Record<string, unknown>;
      scope.ethereum = { request: (call: unknown) => (scope.askWallet as (call: unknown) => unknown)(call) };
    });
    await page.goto(`${service.url}/#/signals`);
    await page.reload();
    const button = page.getByRole('button', { name: 'Pay $0.01 to view' });
    await button.click();
    await page.getByText('Paid view as of').waitFor();
    const payments = await service.app.store.payments.list({ limit: 10, offset: 0 });
    assert.deepEqual(
      payments.map(({ payer, state }) => [payer.toLowerCase(), state]),
      [[account.address.toLowerCase(), 'settled']],
    );
    await close();
  });
});

describe('a third account', () => {
  it('appears on the page like the first two, with its own count, feeds and record', async () => {
    const { page, errors, close } = await visit(browser, service, { hash: '#/health' });
    await page.getByText('Account C feeds').waitFor();
    await page.goto(`${service.url}/#/live/account_c`);
    await page.locator('.counter[data-source="own"] .figure').waitFor();
    await page.goto(`${service.url}/#/record`);
    const choice = page.getByRole('group', { name: 'Account' });
    await choice.getByText('Account C', { exact: true }).waitFor();
    assert.deepEqual(await choice.locator('label').allInnerTexts(), [
      'All accounts',
      'Account A',
      'Account B',
      'Account C',
    ]);
    await close();
    assert.deepEqual(errors, []);
  });
});
