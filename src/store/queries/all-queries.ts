// Queries for all ports, and which of their methods write. Engines differ only in where a call runs.

import { createAlertQueries, createWatchQueries } from './alerts.ts';
import { createAllowanceQueries } from './allowances.ts';
import { createBookQueries } from './books.ts';
import { createCountQueries } from './counts.ts';
import { createCursorQueries } from './cursors.ts';
import { createEventQueries } from './events.ts';
import { createForecastQueries } from './forecasts.ts';
import { createInstanceKeyQueries, createOriginQueries } from './instance.ts';
import { createKeyQueries } from './keys.ts';
import { createOraclePostQueries } from './oracle-posts.ts';
import { createPastQueries } from './past.ts';
import { createPaymentQueries } from './payments.ts';
import { createPostQueries } from './posts.ts';
import { createQuoteQueries } from './quotes.ts';
import { createRuleQueries } from './rules.ts';
import { createAnnotationQueries, createScoreQueries } from './scores.ts';
import { createSealQueries } from './seals.ts';
import { createSettlementQueries } from './settlements.ts';
import { createSignalQueries } from './signals.ts';
import { createSnapshotQueries } from './snapshots.ts';
import { createTrialQueries } from './trials.ts';
import { createUsageQueries } from './usage.ts';
import { createWaitlistQueries } from './waitlist.ts';
import { createWebhookQueries } from './webhooks.ts';

export const QUERY_FACTORIES = {
  posts: createPostQueries,
  counts: createCountQueries,
  events: createEventQueries,
  quotes: createQuoteQueries,
  books: createBookQueries,
  oraclePosts: createOraclePostQueries,
  past: createPastQueries,
  instanceKey: createInstanceKeyQueries,
  forecasts: createForecastQueries,
  scores: createScoreQueries,
  signals: createSignalQueries,
  settlements: createSettlementQueries,
  trials: createTrialQueries,
  annotations: createAnnotationQueries,
  keys: createKeyQueries,
  waitlist: createWaitlistQueries,
  usage: createUsageQueries,
  payments: createPaymentQueries,
  cursors: createCursorQueries,
  snapshots: createSnapshotQueries,
  webhooks: createWebhookQueries,
  rules: createRuleQueries,
  alerts: createAlertQueries,
  watch: createWatchQueries,
  allowances: createAllowanceQueries,
  origin: createOriginQueries,
  seals: createSealQueries,
};

export type PortName = keyof typeof QUERY_FACTORIES;
export type Ports = { [P in PortName]: ReturnType<(typeof QUERY_FACTORIES)[P]> };

export const WRITE_METHODS: { [P in PortName]: readonly (keyof Ports[P])[] } = {
  posts: ['recordCaptures', 'recordDeletions', 'settleDoubts'],
  counts: ['record'],
  events: ['upsert'],
  quotes: ['record', 'dropMonths', 'shorten'],
  books: ['record', 'compact'],
  oraclePosts: ['record'],
  past: ['putPrices', 'putTrades'],
  instanceKey: ['claim'],
  forecasts: ['record', 'dropDistributions', 'thin'],
  scores: ['upsert'],
  signals: ['record', 'settle'],
  settlements: ['record'],
  trials: ['register', 'setStatus', 'recordBets', 'settleBets', 'putSpeedWorth'],
  annotations: ['add'],
  keys: ['insert', 'revoke', 'rotate'],
  waitlist: ['register'],
  usage: ['append', 'prune'],
  payments: ['reserve', 'transition', 'prune'],
  cursors: ['put'],
  snapshots: ['put'],
  webhooks: ['insert', 'remove', 'completeLink', 'enqueue', 'note', 'disable', 'prune'],
  rules: ['insert', 'replace', 'remove'],
  alerts: ['add', 'prune'],
  watch: ['advance'],
  allowances: ['take', 'giveBack', 'prune', 'settle'],
  origin: ['claim'],
  seals: ['append', 'sealNext', 'noteAnchor'],
};

/** Only the ingest leader writes these; its writes are refused once a newer leader has taken over. */
export const FENCED_PORTS: ReadonlySet<PortName> = new Set<PortName>([
  'posts',
  'counts',
  'events',
  'quotes',
  'books',
  'oraclePosts',
  'past',
  'forecasts',
  'scores',
  'signals',
  'settlements',
  'trials',
  'cursors',
  'snapshots',
  'watch',
  'seals',
]);
