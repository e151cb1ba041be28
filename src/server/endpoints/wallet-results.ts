// A wallet's holdings, cached, and their valuation. All requests for a wallet share one market request.

import { Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { listActive } from '../../domain/market-event.ts';
import type { OutcomeSide, UnreadPosition, WalletPosition } from '../../domain/position.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { Adviser } from '../../trade/advice/adviser.ts';
import type { EventSignals, PricedEvent } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { ApiError } from '../http/error-responses.ts';
import type { PreparedBody } from '../http/prepared-body.ts';
import type { PreparedViews } from '../http/prepared-view.ts';
import { nextBoundaryTs } from '../records/events.ts';

export const Wallet = Type.String({ description: '0x followed by 40 hex characters, any case' });

const CACHE_MS = 5 * MINUTE_MS;
const CACHE_ENTRIES = 1_000;
const FETCH_TIMEOUT_MS = 10 * SECOND_MS;
const WALLET = /^0x[0-9a-fA-F]{40}$/;

interface Holdings {
  positions: WalletPosition[];
  unread: UnreadPosition[];
}

/** `mark` identifies the response's inputs; positions are fetched again when it changes. */
export type FetchPositions = (wallet: string, account: Account, mark: string) => Promise<Holdings>;

/** Repeated requests within a second, with unchanged content, get the same bytes without waiting. */
export function answerOnce<T>(
  views: PreparedViews<T>,
  key: string,
  snapshot: AccountSnapshot | undefined,
  nowTs: number,
  present: () => Promise<T>,
): PreparedBody<T> | Promise<PreparedBody<T>> {
  const version = [snapshot, nextBoundaryTs(snapshot, nowTs)];
  return (
    views.find(key, version, nowTs) ??
    present().then((content) => views.get(key, version, nowTs, () => content))
  );
}

export function checkWallet(wallet: string): void {
  if (!WALLET.test(wallet)) {
    throw new ApiError(400, 'wallet is not a valid address: 0x followed by 40 hex characters');
  }
}

interface WalletRequest {
  wallet: string;
  bankroll?: number;
  threshold?: number;
}

export interface WalletResult<T> {
  snapshot: AccountSnapshot | undefined;
  active: EventState[];
  result: T[];
  /** Unreadable holdings that may belong to active events. */
  unread: UnreadPosition[];
}

/** Values the wallet now; only its holdings may be up to five minutes old. */
export function createWalletView<T>(
  context: RouteContext,
  account: Account,
  fetchPositions: FetchPositions,
  compute: (
    priced: readonly PricedEvent[],
    holdings: Holdings,
    request: WalletRequest,
    adviseFor: (bankrollUsd: number) => EventSignals[],
  ) => T[],
): (request: WalletRequest, nowTs: number) => Promise<WalletResult<T>> {
  const adviser = context.adviserOf(account);
  return async (request, nowTs) => {
    const snapshot = context.board.find(account.accountId);
    const active = listActive(snapshot, nowTs);
    if (active.length === 0) return { snapshot, active, result: [], unread: [] };
    const wallet = request.wallet.toLowerCase();
    const mark = markOf(adviser, snapshot!, active, nowTs);
    const { positions, unread: all } = await fetchPositions(wallet, account, mark);
    const unread = all.filter(({ tokenId }) => active.some((state) => mayBeOf(state, tokenId)));
    const adviseFor = (bankrollUsd: number) => adviser.advise(snapshot, bankrollUsd, nowTs);
    const result = compute(adviser.price(snapshot!, nowTs), { positions, unread }, request, adviseFor);
    return { snapshot, active, result, unread };
  };
}

/** Whether a holding of this token may belong to the event; an unreadable token may belong to any event. */
export function mayBeOf({ event }: EventState, tokenId: string | null): boolean {
  if (tokenId === null) return true;
  return event.buckets.some(({ yesTokenId, noTokenId }) => tokenId === yesTokenId || tokenId === noTokenId);
}

/** Identifies the forecasts behind a result and whether their feeds are stale; after a change, holdings are read again. */
function markOf(
  adviser: Adviser,
  snapshot: AccountSnapshot,
  active: readonly EventState[],
  nowTs: number,
): string {
  const forecasts = active.map(({ event, forecast }) => `${event.eventId}@${forecast?.asofTs ?? '-'}`);
  const freshness = adviser.price(snapshot, nowTs).map(({ blindness }) => (blindness ? 'stale' : 'fresh'));
  return [...forecasts, ...freshness].join(' ');
}

/** Fetches a wallet once, regardless of bankroll. */
export function createPositionFetcher(context: RouteContext): FetchPositions {
  const { wallClock, walletSource } = context;
  const recent = createRecentResults<string, Promise<Holdings>>(CACHE_ENTRIES, CACHE_MS);

  async function fetchNow(wallet: string, accountId: string): Promise<Holdings> {
    const timeout = new AbortController();
    const cancel = wallClock.after(FETCH_TIMEOUT_MS, () => timeout.abort());
    const unread: UnreadPosition[] = [];
    try {
      const { signal } = timeout;
      const onUnread = (one: UnreadPosition) => void unread.push(one);
      const findSide = (tokenId: string) => sideOf(context.board.find(accountId), tokenId);
      const positions = await walletSource.fetchPositions(wallet, signal, onUnread, findSide);
      return { positions, unread };
    } finally {
      cancel();
    }
  }

  return async (wallet, { accountId }, mark) => {
    const key = `${accountId} ${wallet}`;
    try {
      return await recent.get(key, mark, wallClock.now(), () => fetchNow(wallet, accountId));
    } catch (error) {
      recent.drop(key);
      throw error;
    }
  };
}

/** Finds a token's side (Yes or No) in the listed events, because the market omits it for some holdings. */
function sideOf(snapshot: AccountSnapshot | undefined, tokenId: string): OutcomeSide | null {
  for (const { event } of snapshot?.events ?? []) {
    for (const { yesTokenId, noTokenId } of event.buckets) {
      if (tokenId === yesTokenId) return 'Yes';
      if (tokenId === noTokenId) return 'No';
    }
  }
  return null;
}
