// One turn of the executor: say that it lives, learn what happened, look at the advice, stop or act. Everything that it
// knows between turns is in the journal or in `state`.

import { MICRO, usdMicroFor } from '../../domain/micro-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { type Books, heldMicro } from '../books/books.ts';
import { decide, type OpenOrder, type Placement, type Plan, type Rules } from '../decide/decide.ts';
import { findHalts, type Halt, type LossLimits } from '../decide/halts.ts';
import type { Intent, Journal } from '../journal/journal.ts';
import type { Advice, AdviceItem, Venue, VenueBook, VenueOrder } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';
import { listExposures, reservedMicro, unresolvedMicro } from './exposures.ts';
import { reconcile, resolveIntents } from './reconcile.ts';

export interface CycleParts {
  venue: Venue;
  journal: Journal;
  bookkeeper: Bookkeeper;
  clock: Clock;
  logger: Logger;
  rules: Omit<Rules, 'isCanary'>;
  limits: LossLimits;
  /** Settled fills until the canary stage is over; 0 for none. */
  canaryFills: number;
  readAdvice(): Promise<Advice>;
  /** Reason to stop that a person gave; null for none. */
  readKillSwitch(): string | null;
  /** Whether a person asked for every position to be sold. */
  isFlattening(): boolean;
}

export interface CycleReport {
  ts: number;
  halts: readonly Halt[];
  plan: Plan;
  openOrders: number;
  /** Profit since the start, with positions at the best bid, or at cost where nothing is bid. */
  profitUsd: number;
  cashMicro: number;
  /** Whether books and prices behind these figures were read. */
  isPriced: boolean;
}

export interface Executor {
  cycle(): Promise<CycleReport>;
  /** Withdraws everything; for an orderly end. */
  withdraw(): Promise<void>;
}

const EMPTY_PLAN: Plan = { cancels: [], placements: [], skipped: [] };
const BEAT_EVERY_MS = 4_000;
const RECONCILE_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

interface State {
  unreconciled: string | null;
  reconciledTs: number | null;
  accessRefused: string | null;
  hasAccess: boolean;
  advice: Advice | null;
  adviceHeardTs: number | null;
  lastBeatTs: number | null;
  exchangeHeardTs: number | null;
  open: VenueOrder[];
  books: Map<string, VenueBook>;
}

export function createExecutor(parts: CycleParts): Executor {
  const { venue, journal, bookkeeper, clock, logger } = parts;
  const state: State = {
    unreconciled: 'not reconciled yet',
    reconciledTs: null,
    accessRefused: null,
    hasAccess: false,
    advice: null,
    adviceHeardTs: null,
    lastBeatTs: null,
    exchangeHeardTs: null,
    open: [],
    books: new Map(),
  };

  /** What fails leaves the facts old; the halts follow from that. */
  async function attempt(what: string, run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      logger.warn({ error: errorMessage(error) }, `${what} failed`);
      return false;
    }
  }

  async function beat(): Promise<void> {
    const nowTs = clock.now();
    if (state.lastBeatTs !== null && nowTs - state.lastBeatTs < BEAT_EVERY_MS) return;
    await venue.heartbeat();
    state.lastBeatTs = nowTs;
  }

  async function askAccess(): Promise<void> {
    if (state.hasAccess) return;
    const { isAllowed, reason } = await venue.checkAccess();
    state.accessRefused = isAllowed ? null : reason;
    state.hasAccess = isAllowed;
  }

  async function learn(): Promise<void> {
    const nowTs = clock.now();
    state.open = await venue.openOrders();
    await bookkeeper.collect(nowTs);
    await resolveIntents(venue, journal, nowTs);
    closeIntents(nowTs);
    state.exchangeHeardTs = nowTs;
  }

  /** What is not open any more was filled, withdrawn, or expired; its fills say which. */
  function closeIntents(nowTs: number): void {
    const live = new Set(state.open.map(({ orderId }) => orderId));
    for (const { orderId } of journal.intents(['open']))
      if (!live.has(orderId)) journal.setIntent(orderId, 'closed', 'not open any more', nowTs);
  }

  async function reconcileIfDue(): Promise<void> {
    const nowTs = clock.now();
    const isDue = state.reconciledTs === null || nowTs - state.reconciledTs >= RECONCILE_EVERY_MS;
    if (!isDue && state.unreconciled === null) return;
    state.unreconciled = await reconcile(venue, journal, bookkeeper, nowTs);
    if (state.unreconciled === null) state.reconciledTs = nowTs;
    else logger.warn({ reason: state.unreconciled }, 'not reconciled');
  }

  async function readAdvice(): Promise<void> {
    state.advice = await parts.readAdvice();
    state.adviceHeardTs = clock.now();
  }

  async function readBooks(): Promise<void> {
    const wanted = new Set([
      ...(state.advice?.items ?? []).map(({ tokenId }) => tokenId),
      ...[...bookkeeper.books().positions.values()]
        .filter(({ confirmedMicro }) => confirmedMicro > 0)
        .map(({ tokenId }) => tokenId),
    ]);
    state.books.clear();
    await Promise.all(
      [...wanted].map((tokenId) =>
        attempt('reading a book', async () => void state.books.set(tokenId, await venue.book(tokenId))),
      ),
    );
  }

  function profitUsd(): number {
    const books = bookkeeper.books();
    const startMicro = journal
      .entries()
      .reduce((sum, entry) => sum + (entry.kind === 'start' ? entry.cashMicro : 0), 0);
    let valueMicro = books.cashMicro;
    for (const { tokenId, costMicro } of books.positions.values()) {
      const bid = state.books.get(tokenId)?.bids[0]?.pricePips;
      const held = heldMicro(books, tokenId);
      valueMicro += bid === undefined ? costMicro : usdMicroFor(held, bid);
    }
    return (valueMicro - startMicro) / MICRO;
  }

  /** What was lost before this day began does not count against the day. */
  function dayProfitUsd(totalUsd: number, nowTs: number): number {
    const key = `profit at ${Math.floor(nowTs / DAY_MS)}`;
    const noted = journal.note(key);
    if (noted !== null) return totalUsd - Number(noted);
    journal.setNote(key, String(totalUsd));
    return 0;
  }

  function halts(totalUsd: number): Halt[] {
    const nowTs = clock.now();
    const kept = journal.halts().map(({ kind, reason }) => ({ kind, reason, needsPerson: true }) as Halt);
    const found = findHalts({
      nowTs,
      killedBy: parts.readKillSwitch(),
      unreconciled: state.unreconciled,
      accessRefused: state.accessRefused ?? (state.hasAccess ? null : 'access was not checked yet'),
      adviceHeardTs: state.adviceHeardTs,
      adviceMadeTs: state.advice?.madeTs ?? null,
      adviceBlockedBy: state.advice?.blockedBy ?? null,
      lastBeatTs: state.lastBeatTs,
      exchangeHeardTs: state.exchangeHeardTs,
      dayProfitUsd: dayProfitUsd(totalUsd, nowTs),
      totalProfitUsd: totalUsd,
      limits: parts.limits,
    });
    for (const { kind, reason } of found)
      if ((kind === 'day-loss' || kind === 'total-loss') && !kept.some((halt) => halt.kind === kind))
        journal.addHalt({ kind, reason, sinceTs: nowTs });
    return [...found, ...kept.filter(({ kind }) => !found.some((halt) => halt.kind === kind))];
  }

  function plan(): Plan {
    const books = bookkeeper.books();
    const nowTs = clock.now();
    const intents = journal.intents();
    const byId = new Map(intents.map((intent) => [intent.orderId, intent]));
    const open = state.open.map((order) => toOpenOrder(order, byId.get(order.orderId)));
    return decide(
      {
        items: parts.isFlattening() ? listExits(intents, books, state.books) : (state.advice?.items ?? []),
        books: state.books,
        open,
        heldMicro: (tokenId) => heldMicro(books, tokenId),
        sellableMicro: (tokenId) => books.positions.get(tokenId)?.confirmedMicro ?? 0,
        exposures: listExposures(intents, open, books.positions.values()),
        spentTodayUsd: spentToday(intents, open, nowTs),
        cashMicro: books.cashMicro - reservedMicro(open),
        unresolved: new Set(
          intents
            .filter(({ state: at }) => at === 'planned' || at === 'unknown')
            .map(({ tokenId }) => tokenId),
        ),
      },
      {
        ...parts.rules,
        isCanary: journal.fills().filter(({ status }) => status === 'confirmed').length < parts.canaryFills,
      },
    );
  }

  function spentToday(intents: readonly Intent[], open: readonly OpenOrder[], nowTs: number): number {
    const dayTs = Math.floor(nowTs / DAY_MS) * DAY_MS;
    const bought = journal
      .fills()
      .filter((fill) => fill.ts >= dayTs && fill.action === 'BUY' && fill.status !== 'failed')
      .reduce((sum, fill) => sum + usdMicroFor(fill.sizeMicro, fill.pricePips), 0);
    return (bought + reservedMicro(open) + unresolvedMicro(intents)) / MICRO;
  }

  async function act({ cancels, placements }: Plan): Promise<void> {
    if (cancels.length > 0) await venue.cancel(cancels.map(({ orderId }) => orderId));
    for (const { orderId, reason } of cancels) journal.setIntent(orderId, 'open', reason, clock.now());
    for (const placement of placements) if (parts.readKillSwitch() === null) await place(placement);
  }

  async function place({ item, action, pricePips, sizeMicro, isNegRisk }: Placement): Promise<void> {
    const nowTs = clock.now();
    const prepared = await venue.prepare({ tokenId: item.tokenId, action, pricePips, sizeMicro, isNegRisk });
    const { orderId } = prepared;
    journal.addIntent({
      orderId,
      createdTs: nowTs,
      tokenId: item.tokenId,
      action,
      pricePips,
      sizeMicro,
      state: 'planned',
      reason: '',
      updatedTs: nowTs,
      account: item.account,
      eventId: item.eventId,
      bucket: item.bucket,
      outcome: item.outcome,
      edgeKind: item.edgeKind,
      advisedPips: item.limitPips,
      probability: item.probability,
      gainPerUsd: item.gainPerUsd,
    });
    const outcome = await venue.send(prepared);
    const at = outcome.kind === 'accepted' ? 'open' : outcome.kind;
    const reason = outcome.kind === 'accepted' ? '' : outcome.reason;
    journal.setIntent(orderId, at, reason, clock.now());
    logger.info(
      { orderId, action, price: pricePips / 10_000, shares: sizeMicro / MICRO, state: at, reason },
      'order',
    );
  }

  async function withdraw(): Promise<void> {
    await venue.cancelAll();
  }

  return {
    async cycle() {
      // A person who stops it does not wait for anything else to answer.
      if (parts.readKillSwitch() !== null) await attempt('withdrawing orders', () => withdrawAll(state.open));
      const [isKnown] = await Promise.all([
        attempt('reading the exchange', learn),
        attempt('heartbeat', beat),
        attempt('access check', askAccess),
        attempt('reading advice', readAdvice),
      ]);
      await attempt('reconciling', reconcileIfDue);
      await attempt('reading books', readBooks);
      const totalUsd = profitUsd();
      const found = halts(totalUsd);
      // Without this turn's fills an order that was filled would be placed again.
      const next = found.length > 0 || !isKnown ? EMPTY_PLAN : plan();
      if (found.length > 0) await attempt('withdrawing orders', () => withdrawAll(state.open));
      else await attempt('placing orders', () => act(next));
      return {
        ts: clock.now(),
        halts: found,
        plan: next,
        openOrders: state.open.length,
        profitUsd: totalUsd,
        cashMicro: bookkeeper.books().cashMicro,
        isPriced: state.unreconciled === null && state.books.size > 0,
      };
    },
    withdraw,
  };

  /** Also when it is not known whether any are open. */
  async function withdrawAll(open: readonly VenueOrder[]): Promise<void> {
    const isUnsure =
      state.exchangeHeardTs === null || journal.intents(['planned', 'unknown', 'open']).length > 0;
    if (open.length > 0 || isUnsure) await withdraw();
  }
}

/** Everything that is held, at what is bid for it now. */
function listExits(
  intents: readonly Intent[],
  books: Books,
  quotes: ReadonlyMap<string, VenueBook>,
): AdviceItem[] {
  const byToken = new Map(intents.map((intent) => [intent.tokenId, intent]));
  return [...books.positions.values()].flatMap(({ tokenId, confirmedMicro }) => {
    const [intent, best] = [byToken.get(tokenId), quotes.get(tokenId)?.bids[0]];
    if (!intent || !best || confirmedMicro <= 0) return [];
    return {
      ...intent,
      outcome: intent.outcome === 'No' ? 'No' : 'Yes',
      action: 'SELL',
      limitPips: best.pricePips,
      targetMicro: confirmedMicro,
      depthMicro: null,
      secondsLeft: 0,
      edgeKind: 'flatten',
      blockedBy: null,
    } satisfies AdviceItem;
  });
}

function toOpenOrder(order: VenueOrder, intent: Intent | undefined): OpenOrder {
  return {
    orderId: order.orderId,
    tokenId: order.tokenId,
    action: order.action,
    pricePips: order.pricePips,
    openMicro: order.sizeMicro - order.matchedMicro,
    eventId: intent?.eventId ?? 0,
    account: intent?.account ?? '',
  };
}
