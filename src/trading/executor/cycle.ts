// One cycle of the executor: send a heartbeat, read the exchange, read the advice, then halt or act.

import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Books, Marks } from '../books/books.ts';
import { decide, type Plan, type Rules } from '../decide/decide.ts';
import { findHalts, type Halt, type LossLimits } from '../decide/halts.ts';
import type { Journal } from '../journal/journal.ts';
import type { Advice, AdviceItem, Venue, VenueBook } from '../types.ts';
import { type Bookkeeper, createBookkeeper } from './collect-fills.ts';
import { createExchangeView, type ExchangeView } from './exchange-view.ts';
import { findRepeatedRefusal } from './refusals.ts';
import { carryOut } from './send-orders.ts';
import { computeProfitUsd, describeSituation, listExits, listMarks, readDayProfitUsd } from './situation.ts';

export interface CycleParts {
  venue: Venue;
  journal: Journal;
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
  /** Plans, but neither places nor cancels orders. */
  isDryRun?: boolean;
}

export interface CycleReport {
  ts: number;
  halts: readonly Halt[];
  plan: Plan;
  openOrders: number;
  /** Profit since the start. */
  profitUsd: number;
  /** Prices at which the profit values the positions. */
  marks: Marks;
  cashMicro: number;
  /** What will end the permission to trade soon. */
  warning: string | null;
  /** Whether the books and prices behind these numbers were read. */
  isPriced: boolean;
  /** Whether every holding has a price; `profitUsd` takes the others at cost. */
  isValued: boolean;
}

export interface Executor {
  /** Ends early, without placing more orders, once the signal aborts. */
  cycle(signal?: AbortSignal): Promise<CycleReport>;
  books(): Books;
  /** Call when the exchange reports a change: the next cycle reads orders and fills again. */
  markChanged(): void;
  /** Cancels all orders, also while a cycle is running. */
  withdraw(): Promise<void>;
  /** Whether an order may be on the book, or may still arrive there. */
  mayHaveOrders(): boolean;
}

const EMPTY_PLAN: Plan = { cancels: [], placements: [], skipped: [] };

export function createExecutor(given: CycleParts): Executor {
  const { journal, clock, logger } = given;
  let signal = new AbortController().signal;
  const venue = makeInterruptible(given.venue, () => signal);
  const bookkeeper = createBookkeeper(venue, journal);
  const parts = { ...given, venue, bookkeeper };
  const view = createExchangeView(parts);
  const attempt = attemptTo.bind(null, logger);
  // Not interruptible: it must also succeed when a cycle was cut short.
  const { withdraw, withdrawAll } = createWithdrawal(given, view);
  let [advice, adviceHeardTs]: [Advice | null, number | null] = [null, null];
  let [quotes, isQuoted]: [ReadonlyMap<string, VenueBook>, boolean] = [new Map(), false];

  async function readAdvice(): Promise<void> {
    const given = await untilAborted(parts.readAdvice(), signal);
    [advice, adviceHeardTs] = [given, clock.now()];
  }

  const listItems = (): readonly AdviceItem[] => advice?.items ?? [];

  async function readQuotes(): Promise<void> {
    quotes = new Map();
    const wanted = listWanted(listItems(), bookkeeper.books());
    if (wanted.length > 0) quotes = new Map((await venue.books(wanted)).map((book) => [book.tokenId, book]));
  }

  function listHalts(totalUsd: number): Halt[] {
    const nowTs = clock.now();
    const facts = view.facts();
    const found = findHalts({
      ...facts,
      nowTs,
      killedBy: parts.readKillSwitch(),
      refusedOrders: findRepeatedRefusal(journal),
      adviceHeardTs,
      adviceMadeTs: advice?.madeTs ?? null,
      adviceBlockedBy: advice?.blockedBy ?? null,
      dayProfitUsd: readDayProfitUsd(journal, totalUsd, nowTs, isQuoted && facts.unreconciled === null),
      totalProfitUsd: totalUsd,
      limits: parts.limits,
    });
    return addKept(journal, found);
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

  async function turn(): Promise<CycleReport> {
    const isKnown = await learn();
    const marks = listMarks(bookkeeper.books(), quotes, bookkeeper.isLost);
    const totalUsd = computeProfitUsd(bookkeeper.books(), journal.entries(), marks);
    const halts = listHalts(totalUsd);
    // Before anything is written: the disk may be full.
    if (halts.length > 0) await attempt('order cancellation', withdrawAll);
    keepLossHalts(journal, halts, clock.now());
    // Without this cycle's fills, an order that has already filled would be placed again.
    const plan = halts.length > 0 || !isKnown ? EMPTY_PLAN : makePlan(parts, view, quotes, listItems);
    const isHalted = () => listHalts(totalUsd).length > 0;
    if (!parts.isDryRun) await attempt('order placement', () => carryOut(plan, { ...parts, view, isHalted }));
    return {
      ...{ ts: clock.now(), halts, plan },
      openOrders: journal.unreleased().filter(({ state }) => state === 'open').length,
      profitUsd: totalUsd,
      marks,
      cashMicro: bookkeeper.books().cashMicro,
      warning: view.facts().warning,
      isPriced: view.facts().unreconciled === null && quotes.size > 0,
      isValued: listHeld(bookkeeper.books()).every((tokenId) => marks.has(tokenId)),
    };
  }

  return {
    async cycle(until = new AbortController().signal) {
      signal = until;
      try {
        return await turn();
      } catch (error) {
        // The journal could not be written, so nothing may stay on the book.
        await attempt('order cancellation', withdraw);
        throw error;
      }
    },
    books: bookkeeper.books,
    markChanged: view.markChanged,
    withdraw,
    mayHaveOrders: mayHaveOrders.bind(null, journal),
  };
}

/** Tokens to read the books of. */
function listWanted(items: readonly AdviceItem[], books: Books): string[] {
  const followed = items.filter(({ blockedBy }) => blockedBy === null).map(({ tokenId }) => tokenId);
  return [...new Set([...followed, ...listHeld(books)])];
}

function listHeld({ positions }: Books): string[] {
  return [...positions.values()].flatMap(({ tokenId, confirmedMicro }) =>
    confirmedMicro > 0 ? [tokenId] : [],
  );
}

/** The venue, with every call failing once the signal aborts; the request itself ends by its own timeout. */
function makeInterruptible(venue: Venue, signal: () => AbortSignal): Venue {
  return new Proxy(venue, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function' || key === 'watch') return member;
      return (...args: unknown[]) => untilAborted(member.apply(target, args) as Promise<unknown>, signal());
    },
  });
}

function untilAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    call.then(resolve, reject);
  });
}

function makePlan(
  parts: CycleParts & { bookkeeper: Bookkeeper },
  view: ExchangeView,
  quotes: ReadonlyMap<string, VenueBook>,
  listItems: () => readonly AdviceItem[],
): Plan {
  const { journal, bookkeeper } = parts;
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
      nowTs: view.exchangeTs(),
    }),
    { ...parts.rules, isCanary: settled < parts.canaryFills },
  );
}

function createWithdrawal({ venue, journal, clock }: CycleParts, view: ExchangeView) {
  async function withdraw(): Promise<void> {
    view.markChanged();
    const done = new Set(await venue.cancelAll());
    for (const { orderId } of journal.unreleased())
      if (done.has(orderId))
        journal.setIntent(orderId, 'cancelled', 'all orders were cancelled', clock.now());
  }

  /** Also cancels if it is unknown whether any orders are open. */
  async function withdrawAll(): Promise<void> {
    const isUnknown = view.facts().exchangeHeardTs === null;
    if (view.open().length > 0 || isUnknown || mayHaveOrders(journal)) await withdraw();
  }

  return { withdraw, withdrawAll };
}

function mayHaveOrders(journal: Journal): boolean {
  return journal.unreleased().some(({ state }) => state !== 'refused');
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

function addKept(journal: Journal, found: readonly Halt[]): Halt[] {
  const kept = journal.halts().map(({ kind, reason }) => ({ kind, reason }) as Halt);
  return [...found, ...kept.filter(({ kind }) => !found.some((halt) => halt.kind === kind))];
}

/** Loss halts stay until an operator lifts them. */
function keepLossHalts(journal: Journal, halts: readonly Halt[], nowTs: number): void {
  const kept = journal.halts();
  for (const { kind, reason } of halts)
    if ((kind === 'day-loss' || kind === 'total-loss') && !kept.some((halt) => halt.kind === kind))
      journal.addHalt({ kind, reason, sinceTs: nowTs });
}
