// Measures the cost of a captured post with an increasing number of alert rules. The rules never match and
// use a hundred different thresholds, so only evaluation is measured.

import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/ports.ts';
import { youngAnchorTs } from '../../../test/support/boot.ts';
import type { BenchOptions } from '../core/bench.ts';
import type { BenchRow } from '../core/row.ts';
import { startWholeService, waitUntilCaughtUp } from '../load/whole-service.ts';
import { measureCaptureCpuMs, measureRequestCpuUs, settleMs } from './at-rest.ts';
import { seriesRow } from './series.ts';

const RULES_PER_KEY = 10;

export async function measureRules(options: BenchOptions): Promise<BenchRow[]> {
  const sizes = options.isQuick ? [10, 100] : [100, 10_000];
  const costs: { captureMs: number; metaUs: number }[] = [];
  let service = await startWholeService(options, {
    simulatorArgs: ['--anchor', String(youngAnchorTs())],
    isAtOnce: true,
  });
  let inserted = 0;
  try {
    await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
    for (const rules of sizes) {
      options.say(`${rules} rules`);
      await service.stopService();
      await insertRules(service.dataDir, inserted, rules);
      inserted = rules;
      service = await service.restart();
      await waitUntilCaughtUp(options, service.url, service.keys.INTERNAL);
      await wait(settleMs(options));
      const metaUs = await measureRequestCpuUs(options, service, '/api/v1/meta/account_a');
      costs.push({ metaUs, captureMs: await measureCaptureCpuMs(options, service) });
    }
  } finally {
    await service.stop();
  }
  const row = (what: string, values: number[], grows: 'not' | 'linearly') =>
    seriesRow({ of: 'webhook rules', what, sizes, costs: values, grows });
  return [
    row(
      'CPU ms per captured post',
      costs.map(({ captureMs }) => captureMs),
      'linearly',
    ),
    row(
      '/meta CPU µs/request',
      costs.map(({ metaUs }) => metaUs),
      'not',
    ),
  ];
}

async function insertRules(dataDir: string, from: number, to: number): Promise<void> {
  const store = await openStore({ dataDir, clock: systemClock, logger: silentLogger });
  for (let first = from; first < to; first += RULES_PER_KEY) await insertKey(store, first);
  await store.close();
}

async function insertKey(store: Store, first: number): Promise<void> {
  const keyId = `rules-${first}`;
  const channelIds = [`hook-${first}`];
  await store.keys.insert({
    ...{ keyId, digest: keyId, tier: 'PRO', label: '', firstCharacters: '', lastCharacters: '' },
    ...{ createdTs: 0, revokedTs: null, expiresTs: null },
  });
  await store.webhooks.insert({
    ...{ webhookId: channelIds[0]!, keyId, kind: 'webhook', label: '', url: 'https://example.com/' },
    ...{ secret: 'whsec_cHJvb2Y=', topics: [], createdTs: 0, disabledTs: null, link: null },
  });
  const base = {
    keyId,
    accountId: 'a',
    eventId: null,
    channelIds,
    quiet: null,
    mostPerHour: 10,
    createdTs: 0,
  };
  await Promise.all(
    Array.from({ length: RULES_PER_KEY }, (_, i) =>
      store.rules.insert({
        ...base,
        ruleId: `rule-${first + i}`,
        kind: 'activity',
        threshold: 1_000 + ((first + i) % 100),
      }),
    ),
  );
}
