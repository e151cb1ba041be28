// The platform's record of each condition's payout. Only a resolved row counts: a proposed outcome may still
// be disputed.

import type { HttpTransport } from '../http-transport.ts';
import { chunk } from '../retry.ts';
import { asArray, asRecord, readConditionId, readName, toNumber } from '../wire-reader.ts';
import { unexpectedShape } from './wire.ts';

/** Each outcome's share of the payout, by condition. */
export type Payouts = ReadonlyMap<string, readonly number[]>;

/** Maximum events per request. */
const EVENTS_PER_CALL = 20;
/** Payouts are in millionths. */
const ONE_UNIT = 1_000_000;

export async function fetchPayouts(
  data: HttpTransport,
  eventIds: readonly number[],
  signal: AbortSignal,
): Promise<Payouts> {
  const payouts = new Map<string, readonly number[]>();
  for (const ids of chunk(eventIds, EVENTS_PER_CALL)) {
    const answer = await data.getJson('/v2/resolutions', { event_id: ids.join(',') }, signal);
    for (const [conditionId, shares] of readPayouts(answer)) payouts.set(conditionId, shares);
  }
  return payouts;
}

/** Unreadable rows are ignored; a response that is not a list of rows is a failure. */
export function readPayouts(answer: unknown): Map<string, readonly number[]> {
  const envelope = asRecord(answer);
  const rows = envelope && (envelope.data === null ? [] : asArray(envelope.data));
  if (!rows) throw unexpectedShape('the list of resolutions');
  const payouts = new Map<string, readonly number[]>();
  for (const row of rows.map(asRecord)) {
    const conditionId = row && readConditionId(row, 'condition_id');
    const shares = row && readShares(row.payouts);
    if (conditionId && shares && readName(row, 'status') === 'resolved') {
      payouts.set(conditionId, shares);
    }
  }
  return payouts;
}

function readShares(value: unknown): number[] | null {
  const amounts = asArray(value)?.map(toNumber) ?? [];
  if (amounts.length !== 2 || amounts.some((amount) => amount === null || amount < 0)) return null;
  return amounts.map((amount) => amount! / ONE_UNIT);
}
