// Requests the payout of won positions, one at a time, and keeps what was requested in the journal.

import { errorMessage } from '../../runtime/errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { Venue } from '../types.ts';

export interface Request {
  /** null if the request was not accepted. */
  id: string | null;
  ts: number;
  reason: string;
}

const NOTE = 'redemptions';
const RETRY_MS = 5 * 60_000;
/** A request without a result counts as lost. */
const LOST_MS = 60 * 60_000;

export function readRedemptions(journal: Journal): Record<string, Request> {
  return JSON.parse(journal.note(NOTE) ?? '{}') as Record<string, Request>;
}

function saveRedemption(journal: Journal, tokenId: string, request: Request | undefined): void {
  const { [tokenId]: _, ...others } = readRedemptions(journal);
  journal.setNote(NOTE, JSON.stringify(request ? { ...others, [tokenId]: request } : others));
}

/** Call once the position is booked as paid or lost. */
export function forgetRedemption(journal: Journal, tokenId: string): void {
  if (readRedemptions(journal)[tokenId]) saveRedemption(journal, tokenId, undefined);
}

/** True once the position was paid out, so that the balances must be read again. */
export async function redeem(
  { redemption }: Venue,
  journal: Journal,
  tokenId: string,
  sharesMicro: number,
  nowTs: number,
): Promise<boolean> {
  if (!redemption) return false;
  const save = saveRedemption.bind(null, journal, tokenId);
  const known = readRedemptions(journal)[tokenId];
  if (known?.id) {
    const hasPaid = await redemption.hasPaid(known.id);
    if (hasPaid) save(undefined);
    else if (hasPaid === false) save({ ...known, id: null, reason: 'the redemption failed' });
    if (hasPaid !== null) return hasPaid;
    if (nowTs - known.ts < LOST_MS) return false;
  } else if (known && nowTs - known.ts < RETRY_MS) return false;
  try {
    save({ id: await redemption.send(tokenId, sharesMicro), ts: nowTs, reason: '' });
  } catch (error) {
    save({ id: null, ts: nowTs, reason: errorMessage(error) });
  }
  return false;
}
