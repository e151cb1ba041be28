// One, two and five accounts: every endpoint of every account per tier, on both engines, and how page,
// document and agents list them.

import { it } from 'node:test';
import { readAccountList } from '../../src/config/read-accounts.ts';
import { WALLET } from '../api/fixture.ts';
import { startHarness } from '../api/harness.ts';
import { ENGINE_NAMES } from '../store/engines.ts';
import { createDatabase } from '../support/postgres.ts';
import { LISTS } from './accounts.ts';
import { checkAccount, checkWhatIsTold } from './check-account.ts';

for (const engine of ENGINE_NAMES) {
  for (const [name, list] of Object.entries(LISTS)) {
    it(`${name} on ${engine}: every endpoint of every account answers its tier`, async () => {
      const accounts = readAccountList(list);
      const database = engine === 'postgres' ? await createDatabase() : null;
      const harness = await startHarness({ accounts, ...(database ? { databaseUrl: database.url } : {}) });
      const service = {
        url: `http://127.0.0.1:${harness.port}`,
        wallet: WALLET,
        issueKey: async (tier: 'FREE' | 'PRO' | 'INTERNAL') => (await harness.issue(tier)).key,
      };
      try {
        for (const account of accounts) await checkAccount(service, account);
        await checkWhatIsTold(service, accounts);
      } finally {
        await harness.close();
        await database?.drop();
      }
    });
  }
}
