// Sample rows for the store suites; each test passes only what differs.

import type { AdviceHappening } from '../../src/domain/happening.ts';
import type { MarketEvent } from '../../src/domain/market-event.ts';
import type { CapturedPost } from '../../src/domain/post.ts';
import type { Quote } from '../../src/domain/quote.ts';
import type { PastPrices } from '../../src/domain/venue-past.ts';
import type { EntryDraft } from '../../src/sealing/entry.ts';
import type {
  Alert,
  AlertRule,
  ApiKeyRecord,
  ForecastRecord,
  ForecastScore,
  PaymentRecord,
  SignalRecord,
  UsageRow,
  WaitlistEntry,
  WebhookDelivery,
  WebhookEndpoint,
} from '../../src/store/ports.ts';

export const START_TS = Date.UTC(2026, 10, 2, 17);
export const HOUR_MS = 3_600_000;

export function sampleAdvice(change: Partial<AdviceHappening> = {}): AdviceHappening {
  return {
    ...{
      accountId: 'a',
      eventId: 101,
      kind: 'advice',
      bucketLabel: '40-49',
      fromTs: START_TS,
      endedTs: null,
    },
    content: {
      ...{ verdict: 'buy-yes', edgeKind: 'fact', limitPrice: 0.57, winProbability: 0.9 },
      ...{ sentence: 'Buy 12 Yes of 40-49 at 57¢ or less', endedBecause: null, endPrice: null },
    },
    ...change,
  };
}

export function samplePost(change: Partial<CapturedPost> = {}): CapturedPost {
  const postId = change.postId ?? '1850000000000000001';
  return {
    ...{ accountId: 'a', postId, rootPostId: postId, createdTs: START_TS, firstSeenTs: START_TS + 2_000 },
    ...{ deletedTs: null, isCounted: true, isReply: false, isQuote: false, isRetweet: false },
    ...{ isSelfReply: false, isCommunity: false, text: 'Good morning, 世界 🚀' },
    ...change,
  };
}

export function sampleEvent(change: Partial<MarketEvent> = {}): MarketEvent {
  return {
    ...{ eventId: 101, accountId: 'a', title: 'Posts from November 2 to November 9?' },
    slug: 'posts-nov-2-nov-9',
    image: 'https://example.test/a.png',
    window: { startTs: START_TS, endTs: START_TS + 168 * HOUR_MS },
    buckets: [sampleBucket('<40', 0, 39), sampleBucket('40+', 40, null)],
    isClosed: false,
    ...change,
  };
}

function sampleBucket(label: string, lo: number, hi: number | null): MarketEvent['buckets'][number] {
  return {
    label,
    lo,
    hi,
    marketId: `m${lo}`,
    conditionId: `c${lo}`,
    yesTokenId: `yes${lo}`,
    noTokenId: `no${lo}`,
    isOpen: true,
    tickSize: 0.001,
    minOrderShares: 5,
    fee: { rate: 0.02, exponent: 1 },
    listedPrice: 0.25,
  };
}

export function sampleQuote(change: Partial<Quote> = {}): Quote {
  return {
    ...{ tokenId: 'yes0', bid: 0.1, ask: 0.12, bidShares: 100.5, askShares: null, lastTradePrice: 0.11 },
    observedTs: START_TS,
    ...change,
  };
}

const PAST_READING = { eventId: 101, readTs: START_TS + HOUR_MS, untilTs: START_TS + 60_000, isWhole: false };

export function samplePastPrices(change: Partial<PastPrices> = {}): PastPrices {
  const points = [
    { ts: START_TS, prices: [0.125, null] },
    { ts: START_TS + 1_000, prices: [1 / 3, 0.8749] },
    { ts: START_TS + 61_000, prices: [null, 0] },
  ];
  return { ...PAST_READING, points, ...change };
}

export function sampleForecast(change: Partial<ForecastRecord> = {}): ForecastRecord {
  return {
    ...{ eventId: 101, accountId: 'a', asofTs: START_TS, countSoFar: 3, p5: 20, p50: 33, p95: 51 },
    ...{ distributionFrom: 3, distribution: [0.1, 0.2, 0.3, 1 / 3, 0.2 / 3] },
    ...{ bucketProbabilities: [0.7, 0.3], marketPrices: [0.65, null] },
    baselines: {
      poisson: { p50: 30, distributionFrom: 3, distribution: [0.5, 0.5] },
      persistence: { p50: 31.5, distributionFrom: 4, distribution: [0.25, 0.25, 0.5] },
    },
    modelVersion: '1.0.0',
    buildCommit: 'abc',
    ...change,
  };
}

export function sampleScore(change: Partial<ForecastScore> = {}): ForecastScore {
  return {
    ...{ eventId: 101, accountId: 'a', horizonH: 24, endTs: START_TS + 168 * HOUR_MS, finalCount: 36 },
    ...{ p50: 33, errorPercent: 8.333333333333334, crps: 2.5, logScore: 3.2, bucketLogScore: 0.35 },
    ...{ pitLow: 0.61, pitHigh: 0.66, isInside50: true, isInside90: true },
    buckets: [{ probability: 0.7, won: true, marketPrice: 0.65 }],
    baselines: { market: { crps: null, bucketLogScore: 0.4, p50: null } },
    modelVersion: '1.0.0',
    scoredTs: START_TS + 170 * HOUR_MS,
    ...change,
  };
}

export function sampleSignal(change: Partial<SignalRecord> = {}): SignalRecord {
  return {
    ...{ eventId: 101, accountId: 'a', horizonH: 24, bucketLabel: '<40', tokenId: 'yes0' },
    ...{ confidence: 'HIGH', strategy: null, modelProbability: 0.7, edgeKind: 'model', winProbability: 0.65 },
    ...{ marketPrice: 0.6, costPerShare: 0.62, feePerShare: 0.01, shares: 80, stakeUsd: 50 },
    ...{ asofTs: START_TS, won: null, pnlUsd: null, closingLineValue: null, settledTs: null },
    ...change,
  };
}

export function sampleKey(change: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    ...{ keyId: 'key-1', digest: 'd1', tier: 'PRO', label: 'desk', firstCharacters: 'tc_p' },
    ...{ lastCharacters: 'wxyz', createdTs: START_TS, revokedTs: null, expiresTs: null },
    ...change,
  };
}

export function sampleEntry(change: Partial<WaitlistEntry> = {}): WaitlistEntry {
  return {
    ...{ type: 'human', useCase: 'research', name: null, wallet: null, email: 'someone@example.test' },
    createdTs: START_TS,
    ...change,
  };
}

export function sampleUsage(change: Partial<UsageRow> = {}): UsageRow {
  return {
    ...{ ts: START_TS, keyId: 'key-1', endpoint: '/api/v1/:account/meta', method: 'GET', status: 200 },
    ...{ responseMs: 1.5, bytes: 1_000, message: null, requests: 1 },
    ...change,
  };
}

export function samplePayment(change: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    ...{ paymentId: 'pay-1', network: 'eip155:84532', asset: '0xAsset', payer: '0xPayer', nonce: '0x01' },
    ...{ payTo: '0xMe', amount: '10000', route: 'GET /api/v1/:account/signals', request: 'digest' },
    ...{ state: 'settling', transaction: null, reason: null, validBefore: 1_800_000_000 },
    payload: '{"payload":{},"requirements":{}}',
    createdTs: START_TS,
    updatedTs: START_TS,
    ...change,
  };
}

export function sampleWebhook(change: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    ...{ webhookId: 'hook-1', keyId: 'key-1', kind: 'webhook', label: '' },
    url: 'https://example.test/hook',
    ...{ secret: 'whsec_1', createdTs: START_TS, disabledTs: null, link: null },
    ...change,
  };
}

export function sampleRule(change: Partial<AlertRule> = {}): AlertRule {
  return {
    ...{ ruleId: 'rule-1', keyId: 'key-1', kind: 'price_moved', accountId: 'a', eventId: 101 },
    ...{ threshold: 0.05, channelIds: ['hook-1'] },
    quiet: { fromMinute: 1_320, toMinute: 420, zone: 'Europe/Zurich' },
    mostPerHour: 20,
    createdTs: START_TS,
    ...change,
  };
}

export function sampleAlert(change: Partial<Alert> = {}): Alert {
  return {
    ...{ alertId: 'ntc_1', keyId: 'key-1', kind: 'price_moved', what: 'moved', accountId: 'a', eventId: 101 },
    ...{ title: 'A title', text: 'A line', link: '/#/live' },
    data: { bucket: '20-39' },
    ...{ ruleIds: ['rule-1'], happenedTs: START_TS, createdTs: START_TS, dueTs: START_TS },
    ...change,
  };
}

export function sampleDelivery(change: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    deliveryId: 'delivery-1',
    webhookId: 'hook-1',
    topic: 'signal',
    body: '{"a":1}',
    ...{ attempts: 0, nextAttemptTs: START_TS, status: 'pending', lastResponse: null, createdTs: START_TS },
    updatedTs: START_TS,
    ...change,
  };
}

export function sampleDraft(change: Partial<EntryDraft> = {}): EntryDraft {
  const recordedTs = change.recordedTs ?? START_TS;
  return {
    ...{ kind: 'advice', account: 'a', event: 101, asofTs: recordedTs, recordedTs, isRecomputed: false },
    content: { bucket: '<40', advice: 'buy-yes', blended: 0.7 },
    ...change,
  };
}
