// One source missing at a time, on the whole service: what is still served, and what is reported.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field.
type Json = any;

async function served(booted: BootedService, segment: string) {
  const key = await booted.issueKey('PRO');
  const ask = async (path: string): Promise<Json> => {
    const response = await fetch(`${booted.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  return {
    meta: (await ask(`/meta/${segment}`)).data,
    prediction: (await ask(`/prediction/${segment}`)).data,
    signals: (await ask(`/signals/${segment}`)).data,
    health: await ask('/health'),
  };
}

/** Counts without backfill are stale, and at these speeds the backfill takes minutes of simulated time. */
const hasPast = (booted: BootedService, segment: string) => () =>
  booted.app.board.find(segment.slice('account_'.length))?.isPastMissing !== true;

/** Counters, forecast and signals, led by the named source. */
async function assertUseful(booted: BootedService, segment: string, source: string): Promise<Json> {
  await waitUntil(hasPast(booted, segment));
  const all = await served(booted, segment);
  assert.ok(all.meta.length > 0, 'events');
  for (const { real_counter, feeds } of all.meta) {
    assert.equal(typeof real_counter, 'number');
    assert.equal(feeds.own.source, source);
    assert.equal(feeds.own.stale, false);
  }
  assert.ok(
    all.prediction.some(({ forecast }: Json) => forecast !== null),
    'a forecast',
  );
  assert.ok(all.signals.length > 0, 'signals');
  return all;
}

const boot = (args: string[], env: Record<string, string> = {}) =>
  bootService({ args: ['--simulator-speed', '60', ...args], env, until: 'forecasts' });

const leads = (booted: BootedService, accountId: string, source: string) => () =>
  booted.app.board
    .find(accountId)
    ?.feeds.some(
      ({ feed, source: from, updatedTs }) => feed === 'own' && from === source && updatedTs !== null,
    ) ?? false;

describe('one source missing', () => {
  it('no X credit: account A continues from the oracle, labelled, and account B is unaffected', async () => {
    const booted = await boot(['--fault', 'x-no-credit']);
    try {
      await waitUntil(leads(booted, 'a', 'oracle'));
      await waitUntil(leads(booted, 'b', 'mastodon'));
      const { meta, health } = await assertUseful(booted, 'account_a', 'oracle');
      assert.ok(meta[0].feeds.own.lag_s >= 60, 'its lag is told');
      assert.match(health.problems.join(), /account_a: .*out of credit.*posts come from oracle/);
      assert.equal(health.sources.account_a[0].state, 'stopped');
      await assertUseful(booted, 'account_b', 'mastodon');
    } finally {
      await booted.stop();
    }
  });

  it('Mastodon blocked: account B continues from the oracle, and account A is unaffected', async () => {
    const booted = await boot(['--fault', 'mastodon-blocked']);
    try {
      await waitUntil(leads(booted, 'b', 'oracle'));
      const { health } = await assertUseful(booted, 'account_b', 'oracle');
      assert.match(health.problems.join(), /account_b: mastodon: .*403.*HTML/);
      await assertUseful(booted, 'account_a', 'x');
    } finally {
      await booted.stop();
    }
  });

  it('only the oracle configured: everything runs, with source and lag reported', async () => {
    const booted = await boot([], { ACCOUNT_A_POST_SOURCES: 'oracle', ACCOUNT_B_POST_SOURCES: 'oracle' });
    try {
      for (const segment of ['account_a', 'account_b']) await assertUseful(booted, segment, 'oracle');
      const { health } = await served(booted, 'account_a');
      assert.deepEqual(
        health.sources.account_a.map(({ name, state }: Json) => `${name} ${state}`),
        ['oracle leads'],
      );
    } finally {
      await booted.stop();
    }
  });

  it('oracle stalled for two days: counts and forecasts continue, its age is reported, no advice', async () => {
    const booted = await boot(['--fault', 'oracle-stall=48h', '--simulator-speed', '1200']);
    try {
      await waitUntil(hasPast(booted, 'account_a'));
      // An answer may be a real second old, which is 20 simulated minutes: one of the next ones has
      // everything.
      await waitUntil(async () => {
        const { meta, prediction, signals, health } = await served(booted, 'account_a');
        const buckets = signals.flatMap(({ signals }: Json) => signals);
        return (
          meta.length > 0 &&
          meta.every(({ real_counter, feeds }: Json) => real_counter !== null && !feeds.own.stale) &&
          meta.every(({ feeds }: Json) => feeds.oracle.stale) &&
          prediction.some(({ forecast }: Json) => forecast !== null) &&
          buckets.length > 0 &&
          buckets.every(({ suggested_bet }: Json) => suggested_bet === 0) &&
          /account_a: feed oracle is stale/.test(health.problems.join())
        );
      });
    } finally {
      await booted.stop();
    }
  });
});
