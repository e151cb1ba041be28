// Endpoints 10 to 12: a wallet's positions, and which of them to change.

import {
  PortfolioAnswer,
  PortfolioQuery,
  RebalancingAnswer,
  RebalancingQuery,
  UnsizedPortfolioQuery,
} from '../../contract/portfolio.ts';
import type { Account } from '../../domain/account.ts';
import { listActive, type MarketEvent } from '../../domain/market-event.ts';
import type { OutcomeSide, UnreadPosition, WalletPosition } from '../../domain/position.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import type { Adviser } from '../../trade/advice/adviser.ts';
import { createHolderSignals, valuePortfolio } from '../../trade/positions/portfolio.ts';
import { rebalancePositions } from '../../trade/positions/rebalance.ts';
import type { EventSignals, PricedEvent } from '../../trade/types.ts';
import type { RouteContext } from '../context.ts';
import { ApiError, RETRY_AFTER_S } from '../http/error-responses.ts';
import type { PreparedBody } from '../http/prepared-body.ts';
import { createPreparedViews, type PreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { linkToMarket, nextBoundaryTs } from '../records/events.ts';
import { mayBeOf, presentPortfolio, presentRebalancing } from '../views/portfolio.ts';

const CACHE_MS = 5 * MINUTE_MS;
const CACHE_ENTRIES = 1_000;
const FETCH_TIMEOUT_MS = 10 * SECOND_MS;
const WALLET = /^0x[0-9a-fA-F]{40}$/;

export function portfolioRoutes(context: RouteContext): Route[] {
  const fetchPositions = createPositionFetcher(context);
  return context.accounts.flatMap((account) => {
    const portfolio = portfolioRoute(context, account, fetchPositions);
    return account.hasRebalancing
      ? [portfolio, rebalancingRoute(context, account, fetchPositions)]
      : [portfolio];
  });
}

interface Holdings {
  positions: WalletPosition[];
  unread: UnreadPosition[];
}

/** `mark` identifies the response's inputs; positions are fetched again when it changes. */
type FetchPositions = (wallet: string, account: Account, mark: string) => Promise<Holdings>;

function portfolioRoute(context: RouteContext, account: Account, fetchPositions: FetchPositions): Route {
  const views = createPreparedViews();
  const linkTo = (event: MarketEvent) => linkToMarket(context.settings, event);
  const cached = createWalletCache(
    context,
    account,
    fetchPositions,
    (priced, { positions, unread }, { bankroll }, adviseFor) => {
      // Each position's size depends on all holdings.
      const isSized = bankroll !== undefined && unread.length === 0;
      const advice = isSized ? { bankrollUsd: bankroll, signals: adviseFor(bankroll) } : null;
      return valuePortfolio(priced, positions, advice);
    },
  );
  return defineLooseRoute({
    path: `${API_PREFIX}/portfolio/${account.segment}`,
    access: 'PRO',
    isPayable: true,
    // Without sizing, bankroll is ignored like any unknown parameter.
    query: (account.hasRebalancing ? PortfolioQuery : UnsizedPortfolioQuery) as typeof PortfolioQuery,
    document: {
      operationId: `getPortfolio_${account.segment}`,
      tag: 'Portfolio',
      summary: `A wallet's open positions in events of ${account.segment}`,
      ok: PortfolioAnswer,
      also: [400],
    },
    handle({ query, nowTs }) {
      checkWallet(query.wallet);
      const key = `${query.wallet} ${query.bankroll}`;
      return answerOnce(views, key, context.board.find(account.accountId), nowTs, async () => {
        const { snapshot, active, result, unread } = await cached(query, nowTs);
        const bankrollUsd = query.bankroll ?? context.settings.defaultBankrollUsd;
        const adviser = context.adviserOf(account);
        const priced = snapshot ? adviser.price(snapshot, nowTs) : [];
        const signalFor = createHolderSignals(priced, adviser.advise(snapshot, bankrollUsd, nowTs));
        return presentPortfolio(query.wallet, snapshot, active, result, unread, signalFor, linkTo, nowTs);
      });
    },
  });
}

function rebalancingRoute(context: RouteContext, account: Account, fetchPositions: FetchPositions): Route {
  const views = createPreparedViews();
  const cached = createWalletCache(
    context,
    account,
    fetchPositions,
    (priced, { positions, unread }, request, adviseFor) => {
      if (unread.length > 0) throw unreadHoldings(unread.length);
      const bankrollUsd = request.bankroll!;
      const { rules } = context.adviserOf(account);
      const advice = { bankrollUsd, signals: adviseFor(bankrollUsd), rules };
      return rebalancePositions(priced, positions, advice, request.threshold!);
    },
  );
  return defineLooseRoute({
    path: `${API_PREFIX}/portfolio/${account.segment}/rebalancing`,
    access: 'PRO',
    isPayable: true,
    query: RebalancingQuery,
    document: {
      operationId: `getRebalancing_${account.segment}`,
      tag: 'Portfolio',
      summary: `Positions in events of ${account.segment} that need ADD_MORE or TRIM`,
      ok: RebalancingAnswer,
      also: [400],
    },
    handle({ query, nowTs }) {
      checkWallet(query.wallet);
      const request = { bankroll: query.bankroll, threshold: query.threshold! };
      const key = `${query.wallet} ${request.bankroll} ${request.threshold}`;
      return answerOnce(views, key, context.board.find(account.accountId), nowTs, async () => {
        const { snapshot, active, result } = await cached(query, nowTs);
        return presentRebalancing(snapshot, active, result, request, nowTs);
      });
    },
  });
}

/** Repeated requests within a second, with unchanged content, get the same bytes without waiting. */
function answerOnce<T>(
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

function checkWallet(wallet: string): void {
  if (!WALLET.test(wallet)) {
    throw new ApiError(400, 'wallet is not a valid address: 0x followed by 40 hex characters');
  }
}

interface WalletRequest {
  wallet: string;
  bankroll?: number;
  threshold?: number;
}

interface WalletResult<T> {
  snapshot: AccountSnapshot | undefined;
  active: EventState[];
  result: T[];
  /** Unreadable holdings that may belong to active events. */
  unread: UnreadPosition[];
}

/** Results are valid for five minutes or until the active events have new forecasts. */
function createWalletCache<T>(
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
  const recent = createRecentResults<string, Promise<Pick<WalletResult<T>, 'result' | 'unread'>>>(
    CACHE_ENTRIES,
    CACHE_MS,
  );
  const adviser = context.adviserOf(account);
  return async (request, nowTs) => {
    const snapshot = context.board.find(account.accountId);
    const active = listActive(snapshot, nowTs);
    if (active.length === 0) return { snapshot, active, result: [], unread: [] };
    const wallet = request.wallet.toLowerCase();
    const key = `${wallet} ${request.bankroll} ${request.threshold}`;
    const mark = markOf(adviser, snapshot!, active, nowTs);
    const pending = recent.get(key, mark, context.wallClock.now(), async () => {
      const { positions, unread: all } = await fetchPositions(wallet, account, mark);
      const unread = all.filter(({ tokenId }) => active.some((state) => mayBeOf(state, tokenId)));
      const adviseFor = (bankrollUsd: number) => adviser.advise(snapshot, bankrollUsd, nowTs);
      const result = compute(adviser.price(snapshot!, nowTs), { positions, unread }, request, adviseFor);
      return { result, unread };
    });
    try {
      return { snapshot, active, ...(await pending) };
    } catch (error) {
      recent.drop(key);
      throw error;
    }
  };
}

/** Rebalancing depends on all holdings, so there is no result if some are unknown. */
function unreadHoldings(count: number): ApiError {
  const detail = `${count} position(s) of this wallet could not be read, so rebalancing cannot be computed. Try again shortly.`;
  return new ApiError(503, detail, { 'Retry-After': String(RETRY_AFTER_S) });
}

/**
 * Identifies the forecasts behind a result and whether their feeds are stale; a change invalidates the cache.
 */
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

/** All requests for a wallet share one market request, regardless of bankroll. */
function createPositionFetcher(context: RouteContext): FetchPositions {
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
