// One cycle of the executor: send a heartbeat, read the exchange, read the advice, then halt or act.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { decide, type Plan, type Rules } from '../decide/decide.ts';
import { findHalts, type Halt, type LossLimits } from '../decide/halts.ts';
import type { HandOrders, WaitingHandOrder } from '../journal/hand-orders.ts';
import type { Journal } from '../journal/journal.ts';
import type { Advice, AdviceItem, Venue, VenueBook } from '../types.ts';
import type { Bookkeeper } from './collect-fills.ts';
import { createExchangeView, type ExchangeView } from './exchange-view.ts';
import { joinHandItems, refuseUnplaced } from './hand-items.ts';
import { carryOut } from './send-orders.ts';
import { computeProfitUsd, describeSituation, listExits, readDayProfitUsd } from './situation.ts';

export interface CycleParts {
  venue: Venue;
  journal: Journal;
  bookkeeper: Bookkeeper;
  clock: Clock;
  logger: Logger;
  rules: Omit<Rules, 'isCanary'>;
  limits: LossLimits;
  /** Settled fills required to end the canary stage; 0 skips the stage. */
  canaryFills: number;
  readAdvice(): Promise<Advice>;
  /** The operator's reason to stop; null if trading is not stopped. */
  readKillSwitch(): string | null;
  /** Whether the operator has requested that all positions be sold. */
  isFlattening(): boolean;
  /** Manual orders; absent if the trader does not accept them. */
  handOrders?: HandOrders;
}

export interface CycleReport {
  ts: number;
  halts: readonly Halt[];
  plan: Plan;
  openOrders: number;
  /** Profit since the start. */
  profitUsd: number;
  cashMicro: number;
  /** Whether the books and prices behind these numbers were read. */
  isPriced: boolean;
}

export interface Executor {
  cycle(): Promise<CycleReport>;
  /** Call when the exchange reports a change: the next cycle reads orders and fills again. */
  markChanged(): void;
  /** Cancels all orders, for a clean shutdown. */
  withdraw(): Promise<void>;
}

const EMPTY_PLAN: Plan = { cancels: [], placements: [], skipped: [] };

export function createExecutor(parts: CycleParts): Executor {
  const { venue, journal, bookkeeper, clock, logger } = parts;
  const view = createExchangeView(parts);
  const attempt = (what: string, run: () => Promise<void>) => attemptTo(logger, what, run);
  const { withdraw, withdrawAll } = createWithdrawal(parts, view);
  let advice: Advice | null = null;
  let adviceHeardTs: number | null = null;
  let quotes: ReadonlyMap<string, VenueBook> = new Map();
  let isQuoted = false;
  /** Requests seen in this cycle; books were read only for these. */
  let requests: readonly WaitingHandOrder[] = [];

  async function readAdvice(): Promise<void> {
    advice = await parts.readAdvice();
    adviceHeardTs = clock.now();
  }

  function listItems(): AdviceItem[] {
    const books = bookkeeper.cautiousBooks();
    const advised = advice?.items ?? [];
    return joinHandItems(advised, { requests, journal, books, open: view.open(), nowTs: clock.now() });
  }

  async function readQuotes(): Promise<void> {
    const held = [...bookkeeper.books().positions.values()].filter(
      ({ confirmedMicro }) => confirmedMicro > 0,
    );
    requests = parts.handOrders?.waiting() ?? [];
    const followed = listItems().filter(({ blockedBy }) => blockedBy === null);
    const wanted = new Set([...followed, ...held].map(({ tokenId }) => tokenId));
    quotes = new Map();
    if (wanted.size === 0) return;
    const books = await venue.books([...wanted]);
    quotes = new Map(books.map((book) => [book.tokenId, book]));
  }

  function listHalts(totalUsd: number): Halt[] {
    const nowTs = clock.now();
    const facts = view.facts();
    const isPriced = isQuoted && facts.unreconciled === null;
    const found = findHalts({
      ...facts,
      nowTs,
      killedBy: parts.readKillSwitch(),
      adviceHeardTs,
      adviceMadeTs: advice?.madeTs ?? null,
      adviceBlockedBy: advice?.blockedBy ?? null,
      dayProfitUsd: readDayProfitUsd(journal, totalUsd, nowTs, isPriced),
      totalProfitUsd: totalUsd,
      limits: parts.limits,
    });
    return keepHalts(journal, found, nowTs);
  }

  async function learn(): Promise<boolean> {
    // A manual stop takes effect before anything else.
    if (parts.readKillSwitch() !== null) await attempt('order cancellation', withdrawAll);
    const [isKnown] = await Promise.all([
      attempt('exchange read', view.learn),
      attempt('heartbeat', view.beat),
      attempt('access check', view.askAccess),
      attempt('advice read', readAdvice),
    ]);
    const [, isRead] = await Promise.all([
      attempt('reconciliation', view.reconcileIfDue),
      attempt('order book read', readQuotes),
    ]);
    isQuoted = isKnown && isRead;
    return isKnown;
  }

  return {
    async cycle() {
      const isKnown = await learn();
      const totalUsd = computeProfitUsd(bookkeeper.books(), journal.entries(), quotes, bookkeeper.isLost);
      const halts = listHalts(totalUsd);
      // Without this cycle's fills, an order that has already filled would be placed again.
      const plan = halts.length > 0 || !isKnown ? EMPTY_PLAN : makePlan(parts, view, quotes, listItems);
      if (halts.length > 0 || isKnown) refuseUnplaced(parts.handOrders, requests, plan, halts);
      if (halts.length > 0) await attempt('order cancellation', withdrawAll);
      else {
        const isHalted = () => listHalts(totalUsd).length > 0;
        await attempt('order placement', () => carryOut(plan, { ...parts, view, isHalted }));
      }
      return {
        ts: clock.now(),
        halts,
        plan,
        openOrders: view.open().length,
        profitUsd: totalUsd,
        cashMicro: bookkeeper.books().cashMicro,
        isPriced: view.facts().unreconciled === null && quotes.size > 0,
      };
    },
    markChanged: view.markChanged,
    withdraw,
  };
}

function makePlan(
  parts: CycleParts,
  view: ExchangeView,
  quotes: ReadonlyMap<string, VenueBook>,
  listItems: () => AdviceItem[],
): Plan {
  const { journal, bookkeeper, clock } = parts;
  const books = bookkeeper.cautiousBooks();
  const items = parts.isFlattening() ? listExits(journal, books, quotes) : listItems();
  const settled = journal.fills().filter(({ status }) => status === 'confirmed').length;
  return decide(
    describeSituation({
      items,
      journal,
      books,
      quotes,
      listed: view.open(),
      refused: view.refused(),
      nowTs: clock.now(),
    }),
    { ...parts.rules, isCanary: settled < parts.canaryFills },
  );
}

function createWithdrawal({ venue, journal }: CycleParts, view: ExchangeView) {
  async function withdraw(): Promise<void> {
    view.markChanged();
    await venue.cancelAll();
  }

  /** Also cancels if it is unknown whether any orders are open. */
  async function withdrawAll(): Promise<void> {
    const mayBeOpen = journal.intents(['planned', 'unknown', 'open']).length > 0;
    if (view.open().length > 0 || view.facts().exchangeHeardTs === null || mayBeOpen) await withdraw();
  }

  return { withdraw, withdrawAll };
}

/** A failed read leaves old data in place; halts depend on the data's age. */
async function attemptTo(logger: Logger, what: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    logger.warn({ error: errorMessage(error) }, `${what} failed`);
    return false;
  }
}

/** Loss halts stay until an operator lifts them. */
function keepHalts(journal: Journal, found: readonly Halt[], nowTs: number): Halt[] {
  const kept = journal.halts().map(({ kind, reason }) => ({ kind, reason }) as Halt);
  for (const { kind, reason } of found)
    if ((kind === 'day-loss' || kind === 'total-loss') && !kept.some((halt) => halt.kind === kind))
      journal.addHalt({ kind, reason, sinceTs: nowTs });
  return [...found, ...kept.filter(({ kind }) => !found.some((halt) => halt.kind === kind))];
}
