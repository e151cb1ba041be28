// Writes a little of everything into a store, so that a copy can be compared.

import type { Store } from '../../src/store/ports.ts';
import {
  HOUR_MS,
  START_TS,
  sampleAdvice,
  sampleAlert,
  sampleDelivery,
  sampleDraft,
  sampleEntry,
  sampleEvent,
  sampleForecast,
  sampleKey,
  samplePastPrices,
  samplePayment,
  samplePost,
  sampleQuote,
  sampleRule,
  sampleScore,
  sampleSignal,
  sampleUsage,
  sampleWebhook,
} from './samples.ts';

export async function fillStore(store: Store): Promise<void> {
  const settlement = {
    eventId: 101,
    accountId: 'a',
    winningLabel: null,
    source: 'oracle',
    settledTs: START_TS,
  };
  await Promise.all([
    store.posts.recordCaptures(
      Array.from({ length: 2_500 }, (_, i) =>
        samplePost({ postId: String(1_000 + i), createdTs: START_TS + i, text: i % 3 ? `🚀 ${i}` : null }),
      ),
    ),
    store.counts.record([{ eventId: 101, feed: 'oracle', count: 3, observedTs: START_TS }]),
    store.events.upsert([sampleEvent()]),
    store.quotes.record([sampleQuote(), sampleQuote({ observedTs: Date.UTC(2025, 0, 1), bid: 1 / 3 })]),
    store.oraclePosts.record('a', [
      { postId: '1', createdTs: START_TS, importedTs: null, listedTs: START_TS },
    ]),
    store.past.putPrices(samplePastPrices()),
    store.forecasts.record([sampleForecast(), sampleForecast({ eventId: 102, baselines: null })]),
    store.scores.upsert([sampleScore()]),
    store.signals.record([sampleSignal()]),
    store.settlements.record({ ...settlement, finalCount: 3 }),
    store.happenings.put([sampleAdvice()]),
    store.annotations.add({ ts: START_TS, label: 'x', commit: 'y' }),
    store.keys.insert(sampleKey()),
    store.waitlist.register(sampleEntry()),
    store.usage.append([sampleUsage(), sampleUsage()]),
    store.payments.insert(samplePayment(), '{}'),
    store.cursors.put('posts:a', '5'),
    store.snapshots.append([{ name: 'a', version: 5, ts: 4, body: '{}' }], []),
    store.snapshots.put('a', 4, '{}'),
    store.webhooks.insert(sampleWebhook()),
    store.webhooks.enqueue([sampleDelivery()]),
    store.rules.insert(sampleRule()),
    store.alerts.add(sampleAlert(), []),
    store.watch.advance('a', '{}', [], []),
    store.allowances.put([
      { caller: 'other:ip', process: 'p', entries: [[START_TS, 1]], expiresTs: START_TS, savedTs: START_TS },
    ]),
    store.origin.claim('live'),
  ]);
  await store.seals.append([sampleDraft(), sampleDraft({ recordedTs: START_TS + HOUR_MS })]);
  await store.seals.sealNext(START_TS + 1);
}

/** Reads enough of the store to notice missing data. */
export async function describeContent(store: Store): Promise<unknown> {
  return {
    posts: await store.posts.listRecent('a', 10_000, 0),
    counts: [await store.counts.latest([101]), await store.counts.history(101, 'oracle')],
    events: await store.events.find(101),
    quotes: [await store.quotes.latest(['yes0']), await store.quotes.standingAt('yes0', START_TS - 1)],
    oraclePosts: await store.oraclePosts.list('a', 0, START_TS * 2),
    past: await store.past.findPrices(101),
    forecasts: await store.forecasts.latest([101, 102]),
    scores: await store.scores.list({}),
    signals: await store.signals.list({}),
    settlements: await store.settlements.latest([101]),
    happenings: await store.happenings.listLasting('a'),
    annotations: await store.annotations.list(0),
    keys: await store.keys.list(),
    usage: await store.usage.totals('key-1', 0, START_TS * 2),
    payments: await store.payments.list({ limit: 10, offset: 0 }),
    cursor: await store.cursors.find('posts:a'),
    snapshot: [
      await store.snapshots.find('a'),
      await store.snapshots.observationsAfter([{ name: 'a', version: 4 }]),
    ],
    webhooks: [await store.webhooks.listForKey('key-1'), await store.webhooks.findDelivery('delivery-1')],
    rules: [await store.rules.listForKey('key-1'), await store.rules.readRevision()],
    alerts: await store.alerts.listPage('key-1', { after: null, limit: 10 }),
    mark: await store.watch.findMark('a'),
    origin: await store.origin.find(),
    seals: [await store.seals.findHour(START_TS), await store.seals.readOpen()],
  };
}
