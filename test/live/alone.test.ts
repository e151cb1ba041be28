// What the whole service still serves and reports while the oracle stalls. Platforms that reject requests are in
// guide-refused.test.ts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BootedService, bootService, waitUntil } from '../support/boot.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked field by field.
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

/** Counts are stale until the backfill is complete, which takes minutes of simulated time at these speeds. */
const hasPast = (booted: BootedService, segment: string) => () =>
  booted.app.board.find(segment.slice('account_'.length))?.isPastMissing !== true;

describe('a service with a stalled oracle', () => {
  it('keeps counting and forecasting, reports the stale oracle and stops advice', async () => {
    const booted = await bootService({
      args: ['--fault', 'oracle-stall=48h', '--simulator-speed', '1200'],
      until: 'forecasts',
    });
    try {
      await waitUntil(hasPast(booted, 'account_a'));
      // A response may be a real second old, which is 20 simulated minutes, so poll until one has everything.
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
