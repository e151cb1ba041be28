// Signals at the scored horizons, and their results.

import type { AccountId } from '../../domain/account.ts';
import type { EdgeKind } from '../../domain/standing-advice.ts';
import type { EntryDraft } from '../../sealing/entry.ts';
import type { Connection } from '../engine.ts';
import type { SignalsTable } from '../schema.ts';
import { toFlag } from '../schema.ts';
import { batchesOf } from './many-rows.ts';
import { packText, unpackText } from './packing.ts';
import { appendEntries } from './seals.ts';

export interface SignalRecord {
  eventId: number;
  accountId: AccountId;
  horizonH: number;
  bucketLabel: string;
  tokenId: string;
  confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  /** null for a plain bucket signal, otherwise the strategy's name. */
  strategy: string | null;
  modelProbability: number;
  /** The kind of edge and the blended win probability; null in older records. */
  edgeKind: EdgeKind | null;
  winProbability: number | null;
  marketPrice: number;
  /** Executable cost per share, including the fee. */
  costPerShare: number;
  feePerShare: number;
  shares: number;
  stakeUsd: number;
  asofTs: number;
  /** null until the event settles. */
  won: boolean | null;
  pnlUsd: number | null;
  /** Midpoint one hour and 24 h after the fill, minus the fill price, per share; null while unknown. */
  closingLineValue: number | null;
  settledTs: number | null;
}

/** Inputs to an account's signals at one time, as serialised by the job that computed the signals. */
export interface SignalGrounds {
  accountId: AccountId;
  asofTs: number;
  content: string;
}

const COLUMN_COUNT = 20;

export function createSignalQueries({ db }: Connection) {
  async function settleOne(signal: SignalRecord): Promise<void> {
    const row = toRow(signal);
    await db
      .updateTable('signals')
      .set({
        won: row.won,
        pnl_usd: row.pnl_usd,
        closing_line_value: row.closing_line_value,
        settled_ts: row.settled_ts,
      })
      .where('event_id', '=', row.event_id)
      .where('horizon_h', '=', row.horizon_h)
      .where('bucket_label', '=', row.bucket_label)
      .where('strategy', '=', row.strategy)
      .execute();
  }

  /** The first inputs written stay; later writes are ignored. */
  async function recordGrounds({ accountId, asofTs, content }: SignalGrounds): Promise<void> {
    await db
      .insertInto('signal_grounds')
      .values({ account_id: accountId, asof_ts: asofTs, content: packText(content) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  return {
    /** Stores and logs the first write per event, horizon, bucket and strategy; `log` has one draft each. */
    async record(signals: readonly SignalRecord[], grounds?: SignalGrounds, log: readonly EntryDraft[] = []) {
      if (grounds) await recordGrounds(grounds);
      const inserted = new Set<string>();
      for (const batch of batchesOf(signals, COLUMN_COUNT)) {
        const rows = await db
          .insertInto('signals')
          .values(batch.map(toRow))
          .onConflict((conflict) => conflict.doNothing())
          .returning(['event_id', 'horizon_h', 'bucket_label', 'strategy'])
          .execute();
        for (const row of rows) inserted.add(keyOf(row));
      }
      const isNew = (_: unknown, i: number) => inserted.has(keyOf(toRow(signals[i]!)));
      await appendEntries(db, log.filter(isNew));
    },

    async settle(signals: readonly SignalRecord[]) {
      for (const signal of signals) await settleOne(signal);
    },

    async findGrounds(accountId: AccountId, asofTs: number) {
      const row = await db
        .selectFrom('signal_grounds')
        .select('content')
        .where('account_id', '=', accountId)
        .where('asof_ts', '=', asofTs)
        .executeTakeFirst();
      return row ? unpackText(row.content) : null;
    },

    async pruneGrounds(beforeTs: number) {
      const { numDeletedRows } = await db
        .deleteFrom('signal_grounds')
        .where('asof_ts', '<', beforeTs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async list({
      accountId,
      eventId,
      settledOnly,
    }: {
      accountId?: AccountId | undefined;
      eventId?: number;
      settledOnly?: boolean;
    }) {
      let query = db.selectFrom('signals').selectAll();
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (eventId !== undefined) query = query.where('event_id', '=', eventId);
      if (settledOnly) query = query.where('settled_ts', 'is not', null);
      const rows = await query
        .orderBy('asof_ts')
        .orderBy('event_id')
        .orderBy('horizon_h')
        .orderBy('bucket_label')
        .orderBy('strategy')
        .execute();
      return rows.map(fromRow);
    },
  };
}

function keyOf(row: Pick<SignalsTable, 'event_id' | 'horizon_h' | 'bucket_label' | 'strategy'>): string {
  return JSON.stringify([row.event_id, row.horizon_h, row.bucket_label, row.strategy]);
}

function toRow(signal: SignalRecord): SignalsTable {
  return {
    event_id: signal.eventId,
    horizon_h: signal.horizonH,
    bucket_label: signal.bucketLabel,
    strategy: signal.strategy ?? '',
    account_id: signal.accountId,
    token_id: signal.tokenId,
    confidence: signal.confidence,
    model_probability: signal.modelProbability,
    edge_kind: signal.edgeKind,
    win_probability: signal.winProbability,
    market_price: signal.marketPrice,
    cost_per_share: signal.costPerShare,
    fee_per_share: signal.feePerShare,
    shares: signal.shares,
    stake_usd: signal.stakeUsd,
    asof_ts: signal.asofTs,
    won: signal.won === null ? null : toFlag(signal.won),
    pnl_usd: signal.pnlUsd,
    closing_line_value: signal.closingLineValue,
    settled_ts: signal.settledTs,
  };
}

function fromRow(row: SignalsTable): SignalRecord {
  return {
    eventId: row.event_id,
    horizonH: row.horizon_h,
    bucketLabel: row.bucket_label,
    strategy: row.strategy === '' ? null : row.strategy,
    accountId: row.account_id,
    tokenId: row.token_id,
    confidence: row.confidence as SignalRecord['confidence'],
    modelProbability: row.model_probability,
    edgeKind: row.edge_kind as SignalRecord['edgeKind'],
    winProbability: row.win_probability,
    marketPrice: row.market_price,
    costPerShare: row.cost_per_share,
    feePerShare: row.fee_per_share,
    shares: row.shares,
    stakeUsd: row.stake_usd,
    asofTs: row.asof_ts,
    won: row.won === null ? null : row.won === 1,
    pnlUsd: row.pnl_usd,
    closingLineValue: row.closing_line_value,
    settledTs: row.settled_ts,
  };
}
