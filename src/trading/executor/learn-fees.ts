// Learns from the balances in which asset a market charges its fee, and books the fills accordingly.

import type { FeeAsset } from '../../domain/taker-fee.ts';
import { type BookedFill, type Books, bookFill, computeBooks } from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { MarketTerms } from '../types.ts';

const NOTE = 'fee-assets';
const LATEST = 'latest';
/** How close the balances must be for the asset to be certain. */
const CERTAIN_MICRO = 1_000;

/** The asset by market, and the one learned last. */
function readLearned(journal: Journal): Record<string, FeeAsset> {
  return JSON.parse(journal.note(NOTE) ?? '{}') as Record<string, FeeAsset>;
}

/** An unknown market probably charges as the one that was learned last. */
export function feeAssetFor(journal: Journal, { conditionId, feePaidIn }: MarketTerms): FeeAsset {
  const learned = readLearned(journal);
  return learned[conditionId] ?? learned[LATEST] ?? feePaidIn;
}

/**
 * Compares the balances with both ways of booking a token's fees. `errorOf` is the distance of books from the
 * exchange. True if the fills were booked again.
 */
export function learnFeeAsset(
  journal: Journal,
  tokenId: string,
  terms: MarketTerms,
  errorOf: (books: Books) => number,
): boolean {
  if (readLearned(journal)[terms.conditionId] !== undefined) return false;
  const charged = journal.fills().filter((fill) => isCharged(fill) && fill.tokenId === tokenId);
  if (charged.length === 0) return false;
  const current = feeAssetFor(journal, terms);
  const other: FeeAsset = current === 'shares' ? 'usd' : 'shares';
  const rebooked = new Map(charged.map((fill) => [fill.fillId, bookFill(fill, terms.fee, other)]));
  const trial = journal.fills().map((fill) => rebooked.get(fill.fillId) ?? fill);
  const errors = {
    current: errorOf(computeBooks(journal.entries(), journal.fills())),
    other: errorOf(computeBooks(journal.entries(), trial)),
  };
  const isOther = errors.other < errors.current;
  if (Math.min(errors.other, errors.current) <= CERTAIN_MICRO) {
    const asset = isOther ? other : current;
    journal.setNote(
      NOTE,
      JSON.stringify({ ...readLearned(journal), [terms.conditionId]: asset, [LATEST]: asset }),
    );
  }
  if (isOther) for (const fill of rebooked.values()) journal.setFees(fill);
  return isOther;
}

/** Only a taker's purchase can be charged in either asset. */
function isCharged({ isTaker, action, status, feeUsdMicro, feeSharesMicro }: BookedFill): boolean {
  return isTaker && action === 'BUY' && status === 'confirmed' && feeUsdMicro + feeSharesMicro > 0;
}
