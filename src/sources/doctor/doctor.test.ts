import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, json, NOW_TS } from '../../../test/support/scripted-sources.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { createRandom } from '../../runtime/random.ts';
import type { SourcesOptions } from '../create-sources.ts';
import { createSources } from '../create-sources.ts';
import { checkSources, type DoctorOptions } from '../doctor.ts';
import type { Fetch } from '../http-transport.ts';

const base = 'http://upstream';

function options(fetch: Fetch): SourcesOptions {
  return {
    accounts: [{ ...ACCOUNT, market: { seriesSlugs: ['s'], tagId: null, slugPrefix: null } }],
    urls: {
      xApi: base,
      mastodon: base,
      oracle: base,
      marketGamma: base,
      marketClob: base,
      marketWs: 'ws://upstream',
      marketData: base,
    },
    xBearerToken: 'secret-token',
    fetch,
    createSocket: () => {
      throw new Error('no socket here');
    },
    clock: createManualClock(NOW_TS),
    random: createRandom(1),
    oracleCallSpacingMs: 0,
  };
}

async function check(fetch: Fetch, more: Partial<DoctorOptions> = {}) {
  const built = options(fetch);
  return checkSources(createSources(built), { clock: built.clock, ...more });
}

describe('doctor', () => {
  it('reports the setting behind each refusal, never the credential', async () => {
    const findings = await check(async () => json({ title: 'Unauthorized' }, 401));
    const posts = findings.find(({ subject }) => subject === 'account_a posts')!;
    assert.equal(posts.verdict, 'problem');
    assert.equal(posts.advice, 'Set X_BEARER_TOKEN to a valid credential.');
    assert.ok(!JSON.stringify(findings).includes('secret-token'));
  });

  it('reports when no source responds', async () => {
    const findings = await check(async () => {
      throw new TypeError('fetch failed');
    });
    const oracle = findings.find(({ subject }) => subject === 'account_a counts')!;
    assert.match(oracle.advice!, /ORACLE_BASE_URL/);
    assert.equal(findings.filter(({ verdict }) => verdict === 'ok').length, 0);
  });

  it("refers to the entry in the configuration's list for a listed account", async () => {
    const findings = await check(async () => json({}, 404), {
      nameField: ({ accountId }, field) => `accounts[2] "${accountId}": ${field}`,
    });
    const advice = findings.map((finding) => finding.advice ?? '').join('\n');
    for (const field of ['HANDLE', 'PLATFORM_USER_ID', 'SERIES']) {
      assert.ok(advice.includes(`accounts[2] "a": ${field}`), `${field} is not in: ${advice}`);
    }
    assert.ok(!advice.includes('ACCOUNT_A_'));
  });

  it('reports what works', async () => {
    const answers: Record<string, unknown> = {
      '/2/users/1001/tweets': {
        data: [{ id: '1956000000000000000', author_id: '1001', conversation_id: '1956000000000000000' }],
        meta: {},
      },
      '/users/somebody/trackings': { success: true, data: [] },
      '/v2/positions': { data: [], pagination: { has_more: false, next_cursor: null } },
      '/events/keyset': { events: [] },
      '/series': [],
    };
    const findings = await check(async (url) => json(answers[new URL(url).pathname] ?? {}, 200));
    const verdicts = findings.map(({ subject, verdict }) => `${subject}: ${verdict}`);
    assert.deepEqual(verdicts, [
      'account_a counts: problem',
      'account_a posts: ok',
      'account_a events: warning',
      'account_a prices: warning',
      'account_a settlements: ok',
      'positions: ok',
      'crypto: warning',
    ]);
  });
});
