// Checks every endpoint of every account for each tier on both engines, with one, two and five accounts, and
// checks that the page, the OpenAPI document and the agent tools list them.

import { it } from 'node:test';
import { readAccountList } from '../../src/config/read-accounts.ts';
import { WALLET } from '../api/fixture.ts';
import { startHarness } from '../api/harness.ts';
import { ENGINE_NAMES } from '../store/engines.ts';
import { checkAccount, checkAccountLists } from './check-account.ts';

/** Covers two platforms, three counting rules and different profile fields. */
const FIVE = [
  { id: 'a' },
  { id: 'b' },
  { id: 'c', platform: 'x', allowsSell: true, countingRule: { replies: true } },
  {
    id: 'd',
    platform: 'mastodon',
    publicView: 'wide',
    hasRebalancing: false,
    countingRule: { reposts: false },
  },
  { id: 'night_owl', segment: 'night-owl', displayName: 'Night Owl', marketTimeZone: 'America/New_York' },
];

const LISTS = { one: [{ id: 'solo', platform: 'mastodon' }], two: FIVE.slice(0, 2), five: FIVE };

for (const engine of ENGINE_NAMES) {
  for (const [name, list] of Object.entries(LISTS)) {
    it(`the API serves every account and tier with ${name} configured on ${engine}`, async () => {
      const accounts = readAccountList(list);
      const harness = await startHarness({ accounts, engine });
      const service = {
        url: `http://127.0.0.1:${harness.port}`,
        wallet: WALLET,
        issueKey: async (tier: 'FREE' | 'PRO' | 'INTERNAL') => (await harness.issue(tier)).key,
      };
      try {
        for (const account of accounts) await checkAccount(service, account);
        await checkAccountLists(service, accounts);
      } finally {
        await harness.close();
      }
    });
  }
}
