// Payloads we read from version 2 of the market's data service: snake_case, with empty strings for absent
// values.

import type { UnreadPosition } from '../../domain/position.ts';
import type { SourceError } from '../../runtime/errors.ts';
import {
  asArray,
  asRecord,
  readConditionId,
  readCount,
  readFlag,
  readName,
  readNumber,
  ShapeError,
  toPrice,
  type WireRecord,
} from '../wire-reader.ts';

export type PositionWire = Exclude<ReturnType<typeof readPosition>, string>;
export type PositionPage = ReturnType<typeof readPositionPage>;

/** Statuses of shares that are held. MERGEABLE shares are open, and the other side is held too. */
const HELD_STATUS: ReadonlySet<string> = new Set([
  'OPEN',
  'MERGEABLE',
  'REDEEMABLE',
  'REDEEMABLE_LOST',
  'CLOSED',
]);

/** Throws if an unknown number of rows would be lost; single unreadable rows are returned in `unread`. */
export function readPositionPage(value: unknown) {
  const envelope = asRecord(value);
  const pagination = envelope && asRecord(envelope.pagination);
  // For a wallet without holdings the list may be null.
  const list = envelope && (envelope.data === null ? [] : asArray(envelope.data));
  if (!list || !pagination) throw unexpectedShape('it is not a page of positions');
  const nextCursor = readName(pagination, 'next_cursor');
  const hasMore = readFlag(pagination, 'has_more') ?? nextCursor !== null;
  if (hasMore && nextCursor === null) throw unexpectedShape('it announces a next page but has no cursor');
  const rows: PositionWire[] = [];
  const unread: UnreadPosition[] = [];
  for (const row of list) {
    const position = readPosition(row);
    if (typeof position === 'string') unread.push({ tokenId: readTokenId(row), reason: position });
    else rows.push(position);
  }
  return { rows, unread, nextCursor: hasMore ? nextCursor : null };
}

/** Returns the reason if the row cannot be valued. */
export function readPosition(value: unknown) {
  const record = asRecord(value);
  const tokenId = readTokenId(value);
  const conditionId = record && readConditionId(record, 'condition_id');
  const size = record && readNumber(record, 'current_size');
  if (!record || !tokenId || !conditionId || size === null || size < 0)
    return 'a row has no token, condition or size';
  const status = readName(record, 'status');
  if (status !== null && !HELD_STATUS.has(status))
    return `a row has the unknown status '${status.slice(0, 40)}'`;
  const money = readMoney(record, size, status);
  if (typeof money === 'string') return money;
  return {
    tokenId,
    conditionId,
    size,
    ...money,
    isRedeemable: readFlag(record, 'redeemable') ?? status?.startsWith('REDEEMABLE') ?? false,
    eventId: readCount(record, 'event_id'),
    eventSlug: readName(record, 'event_slug'),
    outcome: readName(record, 'outcome'),
    outcomeIndex: readCount(record, 'outcome_index'),
  };
}

/**
 * `costUsd` includes fees; null if only the average price is known. A missing amount, or one that is not a price,
 * would silently value the holding at zero.
 */
function readMoney(record: WireRecord, size: number, status: string | null) {
  const costUsd = readCost(record);
  const avgPrice = readShare(record, 'avg_price', costUsd, size);
  if (avgPrice === null) return 'a row has no usable avg_price, entry_cost_usdc or total_cost_usdc';
  // Lost shares are worth nothing, even if a price is quoted.
  if (status === 'REDEEMABLE_LOST') return { avgPrice, costUsd, currentPrice: 0, currentValue: 0 };
  const stated = readNumber(record, 'current_value');
  const currentPrice = readShare(record, 'current_price', stated, size);
  if (currentPrice === null) return 'a row has no usable current_price or current_value';
  return { avgPrice, costUsd, currentPrice, currentValue: stated ?? size * currentPrice };
}

function readCost(record: WireRecord): number | null {
  const total = readNumber(record, 'total_cost_usdc');
  if (total !== null) return total;
  const entry = readNumber(record, 'entry_cost_usdc');
  return entry === null ? null : entry + (readNumber(record, 'entry_fees_usdc') ?? 0);
}

/**
 * The stated price, otherwise the total divided by the size; null if the stated price is invalid or both are
 * missing.
 */
function readShare(record: WireRecord, key: string, wholeUsd: number | null, size: number): number | null {
  const value = record[key];
  if (value !== null && value !== undefined && value !== '') return toPrice(value);
  if (size === 0) return 0;
  return wholeUsd === null ? null : Math.min(1, Math.max(0, wholeUsd / size));
}

function readTokenId(value: unknown): string | null {
  const record = asRecord(value);
  const tokenId = record && readName(record, 'token_id');
  return tokenId && /^\d{1,90}$/.test(tokenId) ? tokenId : null;
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`wallet: the list of positions is incomplete: ${what}`);
}
