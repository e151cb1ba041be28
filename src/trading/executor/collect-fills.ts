// Records fills from the exchange in the journal, with their fees, and settles decided markets.

import type { FeeAsset } from '../../domain/taker-fee.ts';
import {
  type BookEntry,
  type BookedFill,
  type Books,
  bookFill,
  computeBooks,
  computeCautiousBooks,
} from '../books/books.ts';
import type { Journal } from '../journal/journal.ts';
import type { Fill, MarketTerms, Venue } from '../types.ts';
import { forgetRedemption, readRedemptions, redeem } from './redeem.ts';

export interface Bookkeeper {
  /** Reads new fills; afterwards the books include everything the exchange reported by then. */
  collect(exchangeTs: number): Promise<void>;
  /** Like `collect`, but reads the fills of the last day and every market's result again. */
  collectAfresh(exchangeTs: number): Promise<void>;
  /** Tokens with changes in the books that have not been compared with the exchange yet. */
  changed(): ReadonlySet<string>;
  markCompared(tokenId: string): void;
  books(): Books;
  /** The books with unsettled sales treated as failed. */
  cautiousBooks(): Books;
  /** Why a fill in the last read cannot be true; null if none. Such a fill is not booked. */
  contradiction(): string | null;
  /** Whether the market was decided against the token; the exchange lists it until it is redeemed. */
  isLost(tokenId: string): boolean;
  addEntry(entry: BookEntry): void;
  /** Books a token's fees in the asset that fits the balances better. */
  learnFees(tokenId: string, errorOf: (books: Books) => number): void;
}

const CURSOR = 'fills-since';
/** Trades settle within seconds; status changes are picked up this far back. */
const LOOK_BACK_MS = 10 * 60_000;
/** How far back to search for the trade behind a difference. */
const SEARCH_BACK_MS = 86_400_000;
/** A market's fees and result are read again after this long, for a few markets per cycle. */
const TERMS_AGE_MS = 60_000;
const TERMS_PER_TURN = 3;
/** A payout that was requested arrives within seconds. */
const PENDING_AGE_MS = 3_000;

export function createBookkeeper(venue: Venue, journal: Journal): Bookkeeper {
  const known = new Map<string, { terms: MarketTerms; ts: number }>();
  let cached: { books?: Books; cautious?: Books } = {};
  const changed = new Set<string>();
  let nowTs = 0;
  let contradiction: string | null = null;

  async function readTerms(tokenId: string): Promise<MarketTerms> {
    const fresh = await venue.terms(tokenId);
    known.set(tokenId, { terms: fresh, ts: nowTs });
    return fresh;
  }

  function noteChange(tokenId: string | null): void {
    cached = {};
    if (tokenId !== null) changed.add(tokenId);
  }

  function books(): Books {
    cached.books ??= computeBooks(journal.entries(), journal.fills());
    return cached.books;
  }

  function cautiousBooks(): Books {
    cached.cautious ??= computeCautiousBooks(journal.entries(), journal.fills());
    return cached.cautious;
  }

  function addEntry(entry: BookEntry): void {
    journal.addEntry(entry);
    noteChange('tokenId' in entry ? entry.tokenId : null);
  }

  async function collectFills(lookBackMs: number): Promise<void> {
    // Never later than the exchange's time: a fill before the cursor would never be read.
    const since = Math.min(Number(journal.note(CURSOR) ?? 0), nowTs - lookBackMs);
    const fills = await venue.fillsSince(since);
    const doubts = new Map(fills.map((fill) => [fill, findFillContradiction(journal, fill)]));
    contradiction = [...doubts.values()].find((doubt) => doubt !== null) ?? null;
    for (const fill of fills.filter((one) => doubts.get(one) === null)) {
      const terms = known.get(fill.tokenId)?.terms ?? (await readTerms(fill.tokenId));
      const booked = bookFill(fill, terms.fee, feeAssetFor(journal, terms));
      if (!journal.saveFill(booked)) continue;
      noteChange(fill.tokenId);
      if (fill.status === 'failed') claimAgain(journal, fill.orderId, nowTs);
    }
    const open = fills.filter(({ status }) => status === 'provisional').map(({ ts }) => ts);
    const next = Math.min(nowTs - LOOK_BACK_MS, ...open);
    if (next !== since) journal.setNote(CURSOR, String(next));
  }

  /** A won position is paid once the exchange shows no shares left; until then it is redeemed. */
  async function isPaid(tokenId: string): Promise<boolean> {
    const sharesMicro = await venue.sharesMicro(tokenId);
    if (sharesMicro === 0) return true;
    const hasChanged = await redeem(venue, journal, tokenId, sharesMicro, nowTs);
    return hasChanged && (await venue.sharesMicro(tokenId)) === 0;
  }

  /** Books the result of decided markets: the payout, or the loss. */
  async function settle(tokenIds: readonly string[]): Promise<void> {
    for (const tokenId of tokenIds) {
      const { confirmedMicro } = books().positions.get(tokenId)!;
      const { winningTokenId } = await readTerms(tokenId);
      if (winningTokenId === null) continue;
      const hasWon = winningTokenId === tokenId;
      // Lost shares of a venue that pays on request stay where they are.
      if ((hasWon || !venue.redemption) && !(await isPaid(tokenId))) continue;
      const how = hasWon ? ('redeemed' as const) : ('written-off' as const);
      addEntry({
        kind: 'settlement',
        ts: nowTs,
        tokenId,
        sharesMicro: confirmedMicro,
        paidMicro: hasWon ? confirmedMicro : 0,
        ...(venue.redemption ? { how } : {}),
      });
      forgetRedemption(journal, tokenId);
    }
  }

  /** Least recently read first. */
  function listDue(): string[] {
    const readTs = (tokenId: string) => known.get(tokenId)?.ts ?? 0;
    return listSettled(books()).sort((a, b) => readTs(a) - readTs(b));
  }

  return {
    async collect(ts) {
      nowTs = ts;
      await collectFills(LOOK_BACK_MS);
      const redemptions = readRedemptions(journal);
      const ageOf = (tokenId: string) => ts - (known.get(tokenId)?.ts ?? 0);
      const isPending = (tokenId: string) => Boolean(redemptions[tokenId]?.id);
      const held = listDue();
      const due = held.filter((tokenId) => !isPending(tokenId) && ageOf(tokenId) >= TERMS_AGE_MS);
      // Until a payout is booked, cash differs from the exchange's.
      const pending = held.filter((tokenId) => isPending(tokenId) && ageOf(tokenId) >= PENDING_AGE_MS);
      await settle([...pending, ...due.slice(0, TERMS_PER_TURN)]);
    },
    async collectAfresh(ts) {
      nowTs = ts;
      await collectFills(SEARCH_BACK_MS);
      await settle(listDue());
    },
    changed: () => changed,
    markCompared: (tokenId) => void changed.delete(tokenId),
    books,
    cautiousBooks,
    contradiction: () => contradiction,
    isLost: (tokenId) => ![null, undefined, tokenId].includes(known.get(tokenId)?.terms.winningTokenId),
    addEntry,
    learnFees(tokenId, errorOf) {
      const terms = known.get(tokenId)?.terms;
      if (terms && !terms.isFeeStated && learnFeeAsset(journal, tokenId, terms, errorOf)) noteChange(tokenId);
    },
  };
}

function listSettled({ positions }: Books): string[] {
  return [...positions.values()]
    .filter(({ confirmedMicro, provisionalMicro }) => confirmedMicro > 0 && provisionalMicro === 0)
    .map(({ tokenId }) => tokenId);
}

/** A fill is of the order that was signed, and never changes afterwards. */
function findFillContradiction(journal: Journal, fill: Fill): string | null {
  const intent = journal.findIntent(fill.orderId);
  if (intent && (fill.tokenId !== intent.tokenId || fill.action !== intent.action))
    return `the exchange shows a fill of order ${fill.orderId} with other terms than were signed`;
  const known = journal.findFill(fill.fillId);
  const isSame = !known || (known.sizeMicro === fill.sizeMicro && known.pricePips === fill.pricePips);
  return isSame ? null : `the exchange has changed the fill ${fill.fillId} that it had reported`;
}

/** The money of a failed trade stays reserved until its order has expired and the balances agree. */
function claimAgain(journal: Journal, orderId: string, nowTs: number): void {
  if (journal.findIntent(orderId)?.isReleased) journal.setIntent(orderId, 'open', 'its trade failed', nowTs);
}

// Learns from the balances in which asset a market charges its fee, and books the fills accordingly.

const NOTE = 'fee-assets';
const LATEST = 'latest';
/** How close the balances must be for the asset to be certain. */
const CERTAIN_MICRO = 1_000;

/** The asset by market, and the one learned last. */
function readLearned(journal: Journal): Record<string, FeeAsset> {
  return JSON.parse(journal.note(NOTE) ?? '{}') as Record<string, FeeAsset>;
}

/** An unknown market probably charges as the one that was learned last. */
function feeAssetFor(journal: Journal, { conditionId, feePaidIn }: MarketTerms): FeeAsset {
  const learned = readLearned(journal);
  return learned[conditionId] ?? learned[LATEST] ?? feePaidIn;
}

/**
 * Compares the balances with both ways of booking a token's fees. `errorOf` is the distance of books from the
 * exchange. True if the fills were booked again.
 */
function learnFeeAsset(
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
