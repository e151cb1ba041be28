// The guide on platforms that reject requests: X without credit or access, no X at all, Truth Social behind a
// 403. In each case the doctor and the running service must say what is lost and what replaces it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFault } from '../../simulator/faults/fault-registry.ts';
import { waitUntil } from '../support/boot.ts';
import { type GuideConfig, type GuideStage, openGuideStage } from './guide-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
type Json = any;

interface Refusal {
  fault: string;
  /** Lines the doctor prints; it exits 0 because the capability is degraded, not lost. */
  doctor: readonly RegExp[];
  /** Expected in `problems` or `notes` of health while the service is up. */
  health: RegExp;
}

interface Expected {
  segment: string;
  leader: string;
  refusals: readonly Refusal[];
}

async function ask(stage: GuideStage, path: string): Promise<Json> {
  const response = await fetch(`${stage.url}/api/v1${path}`).catch(() => null);
  return response?.ok ? response.json() : null;
}

async function assertLed(stage: GuideStage, { segment, leader }: Expected, problem: RegExp): Promise<void> {
  await waitUntil(async () => {
    const health = await ask(stage, '/health');
    return health !== null && problem.test([...health.problems, ...health.notes].join('\n'));
  });
  await waitUntil(async () => {
    const meta = await ask(stage, `/meta/${segment}`);
    return (
      meta?.data.length > 0 &&
      meta.data.every(
        ({ real_counter, feeds }: Json) => typeof real_counter === 'number' && feeds.own.source === leader,
      )
    );
  });
}

async function followGuide(stage: GuideStage, expected: Expected): Promise<void> {
  for (const { fault, doctor, health } of expected.refusals) {
    if (fault) stage.simulator.faults.add(parseFault(fault), stage.simulator.now());
    const { code, lines } = await stage.outputOf(['doctor']);
    for (const line of doctor) assert.match(lines.join('\n'), line);
    assert.equal(code, 0, lines.join('\n'));
    stage.start();
    await assertLed(stage, expected, health);
    await stage.stopService();
    stage.simulator.faults.clear(null, stage.simulator.now());
  }
}

describe('the configuration in the guide', () => {
  it('runs account A from the oracle if X has no credit or no access, and says why', async () => {
    const stage = await openGuideStage();
    const late = /degraded +account_a posts +oracle leads: .*about 180 s late; it cannot identify replies/;
    try {
      await followGuide(stage, {
        segment: 'account_a',
        leader: 'oracle',
        refusals: [
          {
            fault: 'x-no-credit',
            doctor: [/degraded +account_a posts +x: out of credit/, /top up the account/i, late],
            health: /account_a: .*out of credit.*using oracle/,
          },
          {
            fault: 'x-forbidden',
            doctor: [/degraded +account_a posts +x: .*\(403\)/, /permissions of X_BEARER_TOKEN/, late],
            health: /account_a: .*403.*using oracle/,
          },
        ],
      });
    } finally {
      await stage.close();
    }
  });

  it('runs both accounts from the oracle without X and without credentials, and labels the delay', async () => {
    const onlyOracle = (config: GuideConfig) => ({
      ...config,
      accounts: config.accounts.map((account: object) => ({ ...account, postSources: [{ kind: 'oracle' }] })),
    });
    const stage = await openGuideStage(onlyOracle, {
      ...{ X_BEARER_TOKEN: '', CRYPTO_API_KEY: '', CRYPTO_API_SECRET: '', CRYPTO_API_PASSPHRASE: '' },
    });
    try {
      const doctor = [
        /ok +account_a posts +oracle leads: .*about 180 s late; it cannot identify replies/,
        /ok +account_b posts +oracle leads/,
        /degraded +crypto +reference prices are off: CRYPTO_API_KEY/,
      ];
      const refusals = [{ fault: '', doctor, health: /reference prices are off/ }];
      await followGuide(stage, { segment: 'account_a', leader: 'oracle', refusals });
    } finally {
      await stage.close();
    }
  });

  it('runs account B from its mirror if Truth Social returns 403, and says why', async () => {
    const stage = await openGuideStage();
    try {
      const doctor = [
        /degraded +account_b posts +rss leads: .*it cannot identify replies/,
        /degraded +account_b posts +mastodon: .*403.*HTML/,
        /another network/,
      ];
      const refusals = [
        { fault: 'mastodon-blocked', doctor, health: /account_b: mastodon: .*403.*using rss/ },
      ];
      await followGuide(stage, { segment: 'account_b', leader: 'rss', refusals });
    } finally {
      await stage.close();
    }
  });
});
