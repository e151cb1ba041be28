// The market channel: books on subscribing, then every level change, trade and settlement.

import { MICRO, PIPS } from '../../src/domain/units.ts';
import { createRepeat } from '../../src/runtime/repeat.ts';
import type { SimulatedExchange } from '../exchange/simulated-exchange.ts';
import { tickAt } from '../exchange/simulated-markets.ts';
import type { TapePrint } from '../exchange/types.ts';
import { PRICE_STEP_MS } from '../market/latest-prices.ts';
import type { MarketPrice } from '../market/listed-event.ts';
import type { BookLevel, YesBook } from '../market/quotes.ts';
import { makeConditionId, makeTokenId } from '../platform-ids.ts';
import { speedOf } from '../simulator-clock.ts';
import type { MarketRef, SimulatorState } from '../simulator-state.ts';
import {
  type BookSummary,
  isSameBook,
  readTokenPrice,
  summariseBook,
  type TokenBook,
  toWorstFirst,
} from '../trading/token-book.ts';
import { parseMessage, type SocketHandler, type SocketPeer, type SocketSession } from './simulator-socket.ts';

/** Minimum real time between two checks, for fast simulators. */
const MIN_LOOK_WALL_MS = 250;

/** Trades older than this many checks are not pushed, for example after the machine has slept. */
const PUSHED_LOOKS = 2;

/** How often a new market starts somewhere on the platform. */
const BROADCAST_MS = 7_000;

interface Subscribed {
  ref: MarketRef;
  book: YesBook;
  printedTs: number;
  isTouched: boolean;
  price: MarketPrice;
  ts: number;
}

export function createMarketSocket(state: SimulatorState, exchange: SimulatedExchange): SocketHandler {
  return (peer) => openSession(state, exchange, peer);
}

function openSession(state: SimulatorState, exchange: SimulatedExchange, peer: SocketPeer): SocketSession {
  const tokens = new Map<string, Subscribed>();
  let wantsCustom = false;
  let broadcastTs = state.now() + BROADCAST_MS;
  const looking = createRepeat({
    clock: state.clock,
    firstPauseMs: lookMs(state),
    pauseMs: () => lookMs(state),
    run: look,
  });
  void looking.start();

  function look(): void {
    const nowTs = state.now();
    if (state.faults.isOn('market-ws-down', nowTs)) {
      void looking.stop();
      peer.close();
      return;
    }
    if (!state.faults.isOn('market-ws-silent', nowTs)) {
      for (const message of findChanges(state, exchange, tokens, nowTs, wantsCustom))
        peer.send(JSON.stringify(message));
    }
    // Sent to every client: a socket that gets only these messages has lost its subscriptions.
    if (wantsCustom && nowTs >= broadcastTs) {
      peer.send(JSON.stringify(toNewMarket(state, nowTs)));
      broadcastTs = nowTs + BROADCAST_MS;
    }
  }

  function subscribe(ids: readonly string[], hasDump: boolean): void {
    const nowTs = state.now();
    const books: unknown[] = [];
    for (const id of ids) {
      const ref = state.findToken(id, nowTs);
      if (!ref) continue;
      const read = exchange.readBook(ref, nowTs);
      const { book, price } = read;
      tokens.set(id, { ref, book, price, ts: nowTs, printedTs: nowTs, isTouched: false });
      if (price.closedTs === null) books.push(toBookMessage(state, ref, read, nowTs));
    }
    const isSilent = state.faults.isOn('market-ws-silent', nowTs);
    if (hasDump && books.length > 0 && !isSilent) peer.send(JSON.stringify(books));
  }

  return {
    receive(text) {
      if (text === 'PING') return void peer.send('PONG');
      const message = parseMessage(text);
      if (!message) return;
      wantsCustom ||= message.custom_feature_enabled === true;
      const ids = Array.isArray(message.assets_ids) ? message.assets_ids.map(String) : [];
      if (message.operation === 'unsubscribe') for (const id of ids) tokens.delete(id);
      else subscribe(ids, message.initial_dump !== false);
    },
    closed: () => void looking.stop(),
  };
}

function lookMs(state: SimulatorState): number {
  return Math.max(PRICE_STEP_MS, MIN_LOOK_WALL_MS * speedOf(state.clock));
}

/** Hash and levels of the book that a request would return now. */
function summarise(
  state: SimulatorState,
  ref: MarketRef,
  { book, last }: TokenBook,
  nowTs: number,
): BookSummary {
  const levels = { bids: toWorstFirst(book.bids), asks: toWorstFirst(book.asks) };
  return summariseBook(ref, levels, { tick: tickAt(state, ref.event.tick, nowTs), last, nowTs });
}

function toBookMessage(
  state: SimulatorState,
  ref: MarketRef,
  read: TokenBook,
  nowTs: number,
): Record<string, unknown> {
  const { market, asset_id, timestamp, hash, bids, asks } = summarise(state, ref, read, nowTs);
  return { event_type: 'book', market, asset_id, timestamp, hash, bids, asks };
}

function findChanges(
  state: SimulatorState,
  exchange: SimulatedExchange,
  tokens: Map<string, Subscribed>,
  nowTs: number,
  wantsCustom: boolean,
): Record<string, unknown>[] {
  const messages: Record<string, unknown>[] = [];
  const listPrints = rememberPrints(state, exchange, nowTs);
  for (const [id, known] of tokens) {
    for (const print of listPrints(known)) messages.push(toTrade(known.ref, id, print));
    known.printedTs = nowTs;
    const now = { price: readTokenPrice(known.ref, nowTs), ts: nowTs };
    const isTouched = exchange.core.isTouched(known.ref.market.conditionId, nowTs);
    if (!isTouched && !known.isTouched && isSameBook(known, now)) continue;
    const read = exchange.readBook(known.ref, nowTs);
    const { book, price } = read;
    const { market } = known.ref;
    if (price.closedTs !== null) {
      tokens.delete(id);
      const isSent = wantsCustom;
      if (isSent && price.winner !== null) messages.push(toResolved(known.ref, price.winner, nowTs));
      continue;
    }
    const changes = [
      ...diffSide(known.book.bids, book.bids, 'BUY'),
      ...diffSide(known.book.asks, book.asks, 'SELL'),
    ];
    if (changes.length > 0) {
      const best = { best_bid: String(book.bids[0]?.price ?? 0), best_ask: String(book.asks[0]?.price ?? 1) };
      const { hash } = summarise(state, known.ref, read, nowTs);
      messages.push({
        event_type: 'price_change',
        market: market.conditionId,
        price_changes: changes.map((change) => ({ asset_id: id, ...change, hash, ...best })),
        timestamp: String(nowTs),
      });
    }
    tokens.set(id, { ref: known.ref, book, price, ts: nowTs, printedTs: nowTs, isTouched });
  }
  return messages;
}

/** Both tokens of a market share the same prints. */
function rememberPrints(state: SimulatorState, exchange: SimulatedExchange, nowTs: number) {
  const known = new Map<string, TapePrint[]>();
  const earliestTs = nowTs - PUSHED_LOOKS * lookMs(state);
  return ({ ref, printedTs }: Subscribed): TapePrint[] => {
    const sinceTs = Math.max(printedTs, earliestTs);
    const name = `${ref.market.conditionId} ${sinceTs}`;
    const prints = known.get(name) ?? exchange.printsBetween(ref, sinceTs, nowTs);
    known.set(name, prints);
    return prints;
  };
}

/** "0" removes a level. */
function diffSide(
  before: readonly BookLevel[],
  after: readonly BookLevel[],
  side: 'BUY' | 'SELL',
): { price: string; size: string; side: string }[] {
  const old = new Map(before.map((level) => [level.price, level.shares]));
  const changed = after.filter((level) => old.get(level.price) !== level.shares);
  const kept = new Set(after.map((level) => level.price));
  const gone = before.filter((level) => !kept.has(level.price));
  return [
    ...changed.map((level) => ({ price: String(level.price), size: String(level.shares), side })),
    ...gone.map((level) => ({ price: String(level.price), size: '0', side })),
  ];
}

/** A print affects both tokens: a buyer of Yes takes the other side of No. */
function toTrade({ market, side }: MarketRef, id: string, print: TapePrint): Record<string, unknown> {
  const isYes = side === 0;
  return {
    event_type: 'last_trade_price',
    market: market.conditionId,
    asset_id: id,
    fee_rate_bps: '0',
    price: String(isYes ? print.yesPips / PIPS : (PIPS - print.yesPips) / PIPS),
    side: (print.takerSide === 'BUY') === isYes ? 'BUY' : 'SELL',
    size: String(print.sizeMicro / MICRO),
    timestamp: String(print.ts),
  };
}

/** A market on a topic that the service does not track. */
function toNewMarket(state: SimulatorState, nowTs: number): Record<string, unknown> {
  const number = Math.floor(nowTs / BROADCAST_MS);
  const key = state.seedKey ^ 0x9e3;
  const conditionId = makeConditionId(key, number);
  const tokenIds = [makeTokenId(key, number, 0), makeTokenId(key, number, 1)];
  return {
    event_type: 'new_market',
    id: String(number),
    question: `Will harbour ${number} freeze over?`,
    market: conditionId,
    slug: `will-harbour-${number}-freeze-over`,
    description: '',
    assets_ids: tokenIds,
    outcomes: ['Yes', 'No'],
    event_message: { id: String(number), slug: `harbour-${number}`, title: `Harbour ${number}` },
    timestamp: String(nowTs),
    condition_id: conditionId,
    active: true,
    clob_token_ids: tokenIds,
    order_price_min_tick_size: '0.01',
    group_item_title: '',
  };
}

function toResolved(ref: MarketRef, winner: 0 | 1, nowTs: number): Record<string, unknown> {
  return {
    event_type: 'market_resolved',
    id: String(ref.market.marketId),
    market: ref.market.conditionId,
    assets_ids: ref.market.tokenIds,
    winning_asset_id: ref.market.tokenIds[winner],
    winning_outcome: ref.market.outcomes[winner],
    timestamp: String(nowTs),
  };
}
