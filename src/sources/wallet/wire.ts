// Payloads of the market's data API that we read.

import { asRecord, readCount, readFlag, readName, readNumber, readPrice } from '../wire-reader.ts';

export interface PositionWire {
  proxyWallet: string | null;
  asset: string;
  conditionId: string;
  size: number;
  avgPrice: number;
  initialValue: number | null;
  currentValue: number | null;
  curPrice: number;
  isRedeemable: boolean;
  eventId: number | null;
  eventSlug: string | null;
  outcome: string | null;
  outcomeIndex: number | null;
}

/** null where token, condition or size is missing. */
export function readPosition(value: unknown): PositionWire | null {
  const record = asRecord(value);
  if (!record) return null;
  const asset = readName(record, 'asset');
  const conditionId = readName(record, 'conditionId');
  const size = readNumber(record, 'size');
  if (!asset || !conditionId || size === null || size < 0) return null;
  return {
    proxyWallet: readName(record, 'proxyWallet'),
    asset,
    conditionId,
    size,
    avgPrice: readPrice(record, 'avgPrice') ?? 0,
    initialValue: readNumber(record, 'initialValue'),
    currentValue: readNumber(record, 'currentValue'),
    curPrice: readPrice(record, 'curPrice') ?? 0,
    isRedeemable: readFlag(record, 'redeemable') ?? false,
    eventId: readCount(record, 'eventId'),
    eventSlug: readName(record, 'eventSlug'),
    outcome: readName(record, 'outcome'),
    outcomeIndex: readCount(record, 'outcomeIndex'),
  };
}
