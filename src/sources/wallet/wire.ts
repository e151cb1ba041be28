// Payloads of the market's data service, second version, that we read: snake_case, empty strings for what is absent.

import type { UnreadPosition } from '../../domain/position.ts';
import { canonicalConditionId } from '../condition-id.ts';
import { asArray, asRecord, readCount, readFlag, readName, readNumber, readPrice } from '../wire-reader.ts';
import { unexpectedShape } from './errors.ts';

export interface PositionWire {
  tokenId: string;
  conditionId: string;
  size: number;
  avgPrice: number;
  entryCostUsd: number | null;
  currentValue: number | null;
  currentPrice: number;
  isRedeemable: boolean;
  eventId: number | null;
  eventSlug: string | null;
  outcome: string | null;
  outcomeIndex: number | null;
}

export interface PositionPage {
  rows: PositionWire[];
  unread: UnreadPosition[];
  nextCursor: string | null;
}

/** Throws for anything that would leave the list short by nobody knows what, such as a next page that is not named. */
export function readPositionPage(value: unknown): PositionPage {
  const envelope = asRecord(value);
  const pagination = envelope && asRecord(envelope.pagination);
  // A wallet without holdings may have null in place of a list.
  const list = envelope && (envelope.data === null ? [] : asArray(envelope.data));
  if (!list || !pagination) throw unexpectedShape('it is no page of positions');
  const nextCursor = readName(pagination, 'next_cursor');
  const hasMore = readFlag(pagination, 'has_more') ?? nextCursor !== null;
  if (hasMore && nextCursor === null) throw unexpectedShape('it names no next page though there is one');
  const rows: PositionWire[] = [];
  const unread: UnreadPosition[] = [];
  for (const row of list) {
    const position = readPosition(row);
    if (position) rows.push(position);
    else unread.push({ tokenId: readTokenId(row), reason: 'a row has no token, condition or size' });
  }
  return { rows, unread, nextCursor: hasMore ? nextCursor : null };
}

/** null where token, condition or size is missing. */
export function readPosition(value: unknown): PositionWire | null {
  const record = asRecord(value);
  const tokenId = readTokenId(value);
  if (!record) return null;
  const conditionId = readName(record, 'condition_id');
  const size = readNumber(record, 'current_size');
  if (!tokenId || !conditionId || size === null || size < 0) return null;
  const entryCostUsd = readNumber(record, 'entry_cost_usdc');
  const currentValue = readNumber(record, 'current_value');
  return {
    tokenId,
    conditionId: canonicalConditionId(conditionId),
    size,
    avgPrice: readPrice(record, 'avg_price') ?? pricePerShare(entryCostUsd, size),
    entryCostUsd,
    currentValue,
    currentPrice: readPrice(record, 'current_price') ?? pricePerShare(currentValue, size),
    isRedeemable: readFlag(record, 'redeemable') ?? readName(record, 'status') === 'REDEEMABLE',
    eventId: readCount(record, 'event_id'),
    eventSlug: readName(record, 'event_slug'),
    outcome: readName(record, 'outcome'),
    outcomeIndex: readCount(record, 'outcome_index'),
  };
}

function readTokenId(value: unknown): string | null {
  const record = asRecord(value);
  const tokenId = record && readName(record, 'token_id');
  return tokenId && /^\d{1,90}$/.test(tokenId) ? tokenId : null;
}

/** What the whole says of one share; 0 where it says nothing. */
function pricePerShare(wholeUsd: number | null, size: number): number {
  return wholeUsd !== null && size > 0 ? Math.min(1, Math.max(0, wholeUsd / size)) : 0;
}
