// Converts the service's advice for the executor. Inputs that are stale or that the service does not trust
// block the advice.

import type { Hex, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { MICRO, toPips } from '../../domain/units.ts';
import { SourceError, UsageError } from '../../runtime/errors.ts';
import { readPrivateFile } from '../../runtime/private-files.ts';
import type { Advice, AdviceItem } from '../types.ts';

interface FeedAge {
  stale: boolean;
}

/** One row of /opportunities; fields that newer versions added are optional. */
export interface OpportunityRow {
  account: string;
  event_id: number;
  bucket: string;
  /** Absent in older versions, which support a single venue. */
  venue?: string;
  seconds_remaining: number;
  belief_prob: number;
  /** Of the side to trade, Yes for a sale; absent in older versions, where belief_prob includes the doubt. */
  win_probability?: number;
  verdict: string;
  token_id: string | null;
  limit_price: number | null;
  depth_shares: number | null;
  shares: number;
  gain_per_usd: number;
  /** Feeds by name. */
  feeds: object;
  edge_kind?: string | null;
  /** Our count minus the oracle's. */
  settlement_delta?: number | null;
  settlement_risk?: number | null;
}

export interface OpportunitiesAnswer {
  timestamp: number;
  data: readonly OpportunityRow[];
  /** Accounts with results outside their expected interval. */
  halts?: readonly { account: string; reason: string }[];
}

/** Advice beyond these limits is not followed. */
export interface TrustLimits {
  /** The venue that the executor trades on, by its name in the advice; the first one if absent. */
  venue?: string;
  /** How many posts our count may lead the slower oracle. Being behind always blocks: we missed posts. */
  maxCountLead: number;
  maxSettlementRisk: number;
}

export interface ServiceHealth {
  status: string;
}

/** Target of a sale, which is limited by the holding anyway. */
const EVERYTHING_MICRO = 1_000_000 * MICRO;

/** Throws if a field that money depends on is missing or unreadable; comparisons would silently be false. */
export function toAdvice(answer: OpportunitiesAnswer, health: ServiceHealth, limits: TrustLimits): Advice {
  expect('timestamp', Number.isFinite(answer.timestamp));
  expect('status', typeof health.status === 'string');
  const halted = new Map((answer.halts ?? []).map(({ account, reason }) => [account, reason]));
  return {
    madeTs: answer.timestamp,
    items: answer.data.flatMap((row) =>
      toItem(
        row,
        findForeign(row, limits) ??
          findSet(row) ??
          findStale(row.feeds) ??
          halted.get(row.account) ??
          findDoubt(row, limits),
      ),
    ),
    blockedBy: health.status === 'down' ? 'the service does not trust its data' : null,
  };
}

const EDGE_KINDS = ['fact', 'structure', 'model'] as const;

function toItem(row: OpportunityRow, blockedBy: string | null): AdviceItem[] {
  const isSale = row.verdict === 'EXIT';
  if (!isSale && row.verdict !== 'BUY_YES' && row.verdict !== 'BUY_NO') return [];
  if (row.token_id === null || row.limit_price === null) return [];
  const { belief_prob: blended } = row;
  const probability = row.win_probability ?? (row.verdict === 'BUY_NO' ? 1 - blended : blended);
  expect('probability', isWithin(probability, 1));
  expectReadable(row);
  return [
    {
      account: row.account,
      eventId: row.event_id,
      bucket: row.bucket,
      outcome: row.verdict === 'BUY_NO' ? 'No' : 'Yes',
      action: isSale ? 'SELL' : 'BUY',
      tokenId: row.token_id,
      limitPips: toPips(row.limit_price),
      targetMicro: isSale ? EVERYTHING_MICRO : Math.floor(row.shares) * MICRO,
      depthMicro: row.depth_shares === null ? null : Math.floor(row.depth_shares * MICRO),
      gainPerUsd: row.gain_per_usd,
      probability,
      secondsLeft: row.seconds_remaining,
      edgeKind: EDGE_KINDS.find((kind) => kind === row.edge_kind) ?? 'model',
      blockedBy,
    },
  ];
}

function expectReadable(row: OpportunityRow): void {
  expect('token_id', typeof row.token_id === 'string' && row.token_id !== '');
  expect('limit_price', isWithin(row.limit_price, 1));
  expect('shares', isWithin(row.shares));
  expect('depth_shares', row.depth_shares === null || isWithin(row.depth_shares));
  for (const name of ['event_id', 'seconds_remaining', 'gain_per_usd'] as const)
    expect(name, Number.isFinite(row[name]));
  for (const name of ['settlement_delta', 'settlement_risk'] as const)
    expect(name, (row[name] ?? null) === null || Number.isFinite(row[name]));
}

function isWithin(value: number | null, most = Number.MAX_SAFE_INTEGER / MICRO): boolean {
  return typeof value === 'number' && value >= 0 && value <= most;
}

function expect(name: string, isReadable: boolean): void {
  if (!isReadable) throw new SourceError(`advice: ${name} is missing or unreadable`, { isRetryable: false });
}

const FIRST_VENUE = 'market';

/** Orders go to one exchange, which has no book for contracts listed elsewhere. */
function findForeign({ venue = FIRST_VENUE }: OpportunityRow, { venue: own = FIRST_VENUE }: TrustLimits) {
  return venue === own ? null : `listed on ${venue}, where this trader cannot trade`;
}

/** Legs are ordered one by one with separate limits, and a partial set is a bet that was never advised. */
function findSet({ edge_kind: kind }: OpportunityRow): string | null {
  return kind === 'structure' ? 'part of a set, which this trader cannot buy as a whole' : null;
}

function findStale(feeds: OpportunityRow['feeds']): string | null {
  // The count on the market's page is for display only.
  const { ui: _, ...rests } = feeds as Record<string, FeedAge | null>;
  const stale = Object.entries(rests).filter(([, feed]) => feed?.stale !== false);
  return stale.length === 0 ? null : `stale: ${stale.map(([name]) => name).join(', ')}`;
}

function findDoubt(
  { settlement_delta: delta = null, settlement_risk: risk = null }: OpportunityRow,
  { maxCountLead, maxSettlementRisk }: TrustLimits,
): string | null {
  if (delta !== null && delta < 0) return `counts disagree: ours is ${-delta} below the oracle's`;
  if (delta !== null && delta > maxCountLead)
    return `counts disagree: ours is ${delta} above the oracle's (limit ${maxCountLead})`;
  return risk !== null && risk > maxSettlementRisk
    ? `settlement at risk: ${percent(risk)} (limit ${percent(maxSettlementRisk)})`
    : null;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

// The session key that signs orders, read from a file that only its owner can access or from the environment.
// Never logged.

const KEY = /^(0x)?[0-9a-fA-F]{64}$/;

export function readTradingKey(source: {
  file: string | undefined;
  value: string | undefined;
}): LocalAccount {
  const text = source.file === undefined ? source.value : readPrivateFile(source.file);
  if (text === undefined)
    throw new UsageError('no trading key: pass --key-file FILE (mode 0600) or set TALLYCAST_TRADING_KEY');
  const key = text.trim();
  // The error message must not repeat the key.
  if (!KEY.test(key)) throw new UsageError('the trading key is not 64 hexadecimal digits');
  return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex);
}
