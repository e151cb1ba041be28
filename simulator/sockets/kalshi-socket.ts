// The venue's `orderbook_delta` channel: a snapshot per market on subscribing, then every level change. Each
// subscription has its own id and numbers its frames without gaps.

import { SECOND_MS } from '../../src/domain/units.ts';
import { createRepeat } from '../../src/runtime/repeat.ts';
import type { KalshiMarket, KalshiVenue } from '../kalshi/venue.ts';
import { contracts, toBookWire } from '../kalshi/wire.ts';
import { speedOf } from '../simulator-clock.ts';
import type { SimulatorState } from '../simulator-state.ts';
import type { SocketPeer, SocketSession } from './simulator-socket.ts';

const LOOK_MS = SECOND_MS;
const MIN_LOOK_WALL_MS = 250;

type Side = 'yes' | 'no';
type Levels = Record<Side, Map<string, number>>;

export function openKalshiSocket(state: SimulatorState, venue: KalshiVenue, peer: SocketPeer): SocketSession {
  const followed = new Map<string, { market: KalshiMarket; levels: Levels; sid: number }>();
  /** The last frame's number per subscription; subscription 1 comes first. */
  const seqs = [0];
  const pauseMs = () => Math.max(LOOK_MS, MIN_LOOK_WALL_MS * speedOf(state.clock));
  const looking = createRepeat({ clock: state.clock, firstPauseMs: pauseMs(), pauseMs, run: look });
  void looking.start();

  function send(type: string, sid: number, msg: Record<string, unknown>): void {
    seqs[sid]!++;
    peer.send(JSON.stringify({ type, sid, seq: seqs[sid], msg }));
  }

  function readLevels(market: KalshiMarket): Levels {
    const { yes_dollars, no_dollars } = toBookWire(venue, market, state.now(), 0);
    const toMap = (levels: readonly string[][]) =>
      new Map(levels.map(([price, size]) => [price!, Number(size)]));
    return { yes: toMap(yes_dollars), no: toMap(no_dollars) };
  }

  function look(): void {
    for (const [ticker, entry] of followed) {
      const next = readLevels(entry.market);
      for (const side of ['yes', 'no'] as const)
        sendChanges(ticker, entry.sid, side, entry.levels[side], next[side]);
      entry.levels = next;
    }
  }

  function sendChanges(
    ticker: string,
    sid: number,
    side: Side,
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, number>,
  ): void {
    for (const price of new Set([...before.keys(), ...after.keys()])) {
      const delta = (after.get(price) ?? 0) - (before.get(price) ?? 0);
      if (Math.abs(delta) < 0.005) continue;
      send('orderbook_delta', sid, {
        market_ticker: ticker,
        price_dollars: price,
        delta_fp: contracts(delta),
        side,
        ts_ms: state.now(),
      });
    }
  }

  function subscribe(id: unknown, tickers: readonly string[]): void {
    const sid = seqs.push(0) - 1;
    const found = tickers.flatMap((ticker) => venue.find(ticker, state.now()) ?? []);
    peer.send(JSON.stringify({ type: 'subscribed', id, msg: { channel: 'orderbook_delta', sid } }));
    for (const market of found) {
      followed.set(market.ticker, { market, levels: readLevels(market), sid });
      const { yes_dollars, no_dollars } = toBookWire(venue, market, state.now(), 0);
      send('orderbook_snapshot', sid, {
        market_ticker: market.ticker,
        yes_dollars_fp: yes_dollars,
        no_dollars_fp: no_dollars,
      });
    }
  }

  return {
    receive(text) {
      const { id, cmd, params } = JSON.parse(text) as {
        id?: number;
        cmd?: string;
        params?: { channels?: string[]; market_tickers?: string[] };
      };
      if (cmd === 'subscribe' && params?.channels?.includes('orderbook_delta'))
        subscribe(id, params.market_tickers ?? []);
      else peer.send(JSON.stringify({ type: 'error', id, msg: { code: 5, msg: 'Unknown command' } }));
    },
    closed: () => void looking.stop(),
  };
}
