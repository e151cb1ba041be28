// Queries for all ports, and which of their methods write. Engines differ only in where a call runs.

import type { AccountId } from '../../domain/account.ts';
import type { Connection } from '../engine.ts';
import { ORACLE_POSTS } from '../tables-results.ts';
import { createAlertQueries, createWatchQueries } from './alerts.ts';
import { createAllowanceQueries } from './allowances.ts';
import { createCountQueries } from './counts.ts';
import { createEventQueries, createSettlementQueries } from './events.ts';
import { createForecastQueries } from './forecasts.ts';
import { createHappeningQueries } from './happenings.ts';
import { createOriginQueries } from './instance.ts';
import { createKeyQueries } from './keys.ts';
import { insertNew } from './many-rows.ts';
import { createPastQueries } from './past.ts';
import { createPaymentQueries } from './payments.ts';
import { createPostQueries } from './posts.ts';
import { createQuoteQueries } from './quotes.ts';
import { createRuleQueries } from './rules.ts';
import { createAnnotationQueries, createScoreQueries } from './scores.ts';
import { createSealQueries } from './seals.ts';
import { createSignalQueries } from './signals.ts';
import { createSnapshotQueries } from './snapshots.ts';
import { createUsageQueries } from './usage.ts';
import { createWaitlistQueries } from './waitlist.ts';
import { createWebhookQueries } from './webhooks.ts';

/** A post as the oracle lists it; only the first listing of each post is stored. */
export interface OracleListing {
  postId: string;
  createdTs: number;
  /** When the oracle says it imported the post. */
  importedTs: number | null;
  /** When we first saw it in the oracle's list. */
  listedTs: number;
}

function createOraclePostQueries(connection: Connection) {
  const { db } = connection;
  return {
    /** Posts already recorded stay unchanged. */
    async record(accountId: AccountId, listings: readonly OracleListing[]) {
      const rows = listings.map((listing) => ORACLE_POSTS.toRow({ accountId, ...listing }));
      await insertNew(connection, 'oracle_posts', ORACLE_POSTS.sqlTypes, rows);
    },

    /** Posts created in [fromTs, untilTs), earliest first. */
    async list(accountId: AccountId, fromTs: number, untilTs: number) {
      const rows = await db
        .selectFrom('oracle_posts')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('created_ts', '>=', fromTs)
        .where('created_ts', '<', untilTs)
        .orderBy('created_ts')
        .orderBy('post_id')
        .execute();
      return rows.map((row) => {
        const { accountId: _, ...listing } = ORACLE_POSTS.fromRow(row);
        return listing;
      });
    },
  };
}

// Saved feed positions.

function createCursorQueries({ db }: Connection) {
  return {
    async find(name: string) {
      const row = await db.selectFrom('cursors').select('value').where('name', '=', name).executeTakeFirst();
      return row?.value;
    },

    async put(name: string, value: string) {
      await db
        .insertInto('cursors')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
  };
}

export const QUERY_FACTORIES = {
  posts: createPostQueries,
  counts: createCountQueries,
  events: createEventQueries,
  quotes: createQuoteQueries,
  oraclePosts: createOraclePostQueries,
  past: createPastQueries,
  forecasts: createForecastQueries,
  scores: createScoreQueries,
  signals: createSignalQueries,
  settlements: createSettlementQueries,
  happenings: createHappeningQueries,
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
  oraclePosts: ['record'],
  past: ['putPrices'],
  forecasts: ['record', 'dropDistributions', 'thin'],
  scores: ['upsert'],
  signals: ['record', 'settle'],
  settlements: ['record'],
  happenings: ['put', 'prune'],
  annotations: ['add'],
  keys: ['insert', 'revoke', 'rotate'],
  waitlist: ['register'],
  usage: ['append', 'prune'],
  payments: ['insert', 'transition', 'prune'],
  cursors: ['put'],
  snapshots: ['put', 'append'],
  webhooks: ['insert', 'remove', 'completeLink', 'enqueue', 'note', 'disable', 'prune'],
  rules: ['insert', 'replace', 'remove'],
  alerts: ['add', 'prune'],
  watch: ['advance'],
  allowances: ['put', 'prune'],
  origin: ['claim'],
  seals: ['append', 'sealNext'],
};

/** Only the ingest leader writes these; its writes are refused once a newer leader has taken over. */
export const FENCED_PORTS: ReadonlySet<PortName> = new Set<PortName>([
  'posts',
  'counts',
  'events',
  'quotes',
  'oraclePosts',
  'past',
  'forecasts',
  'scores',
  'signals',
  'settlements',
  'happenings',
  'cursors',
  'snapshots',
  'watch',
  'seals',
]);
