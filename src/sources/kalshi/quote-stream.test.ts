import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_TS, never, scriptSockets } from '../../../test/support/scripted-sources.ts';
import type { Quote } from '../../domain/quote.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { tokenIdOf } from './parse.ts';
import { openBookStream } from './quote-stream.ts';

const TICKER = 'KXTRUTHSOCIALD-26NOV16-B10';

function open() {
  const sockets = scriptSockets();
  const quotes: Quote[] = [];
  const stream = openBookStream(
    {
      streamUrl: 'ws://upstream/trade-api/ws/v2',
      createSocket: sockets.create,
      clock: createManualClock(NOW_TS),
      sign: () => ({}) as ReturnType<Parameters<typeof openBookStream>[0]['sign']>,
    },
    [tokenIdOf(TICKER, 'yes')],
    { onQuote: (quote) => quotes.push(quote) },
    never(),
  );
  const socket = sockets.made[0]!;
  socket.emit('open');
  return { socket, quotes, stream };
}

/** Frames as documented in the venue's AsyncAPI: each subscription has its own `sid` and its own `seq`. */
const snapshot = (seq: number, sid = 1, ticker = TICKER) => ({
  type: 'orderbook_snapshot',
  sid,
  seq,
  msg: { market_ticker: ticker, yes_dollars_fp: [['0.10', '50']], no_dollars_fp: [['0.80', '40']] },
});

const delta = (seq: number, sid = 1, ticker = TICKER) => ({
  type: 'orderbook_delta',
  sid,
  seq,
  msg: { market_ticker: ticker, side: 'no', price_dollars: '0.85', delta_fp: '20' },
});

describe('order books pushed by Kalshi', () => {
  it('follow a snapshot and its deltas, with the Yes ask derived from the best No bid', () => {
    const { socket, quotes } = open();
    socket.push(snapshot(1));
    socket.push(delta(2));
    const last = quotes.findLast(({ tokenId }) => tokenId === tokenIdOf(TICKER, 'yes'))!;
    assert.deepEqual([last.bid, last.ask, last.askShares], [0.1, 0.15, 20]);
  });

  it('end at a gap, so that the caller starts over from a snapshot', async () => {
    const { socket, quotes, stream } = open();
    socket.push(snapshot(1));
    const known = quotes.length;
    socket.push(delta(3));
    await assert.rejects(stream.ended, /frame 2 of subscription 1 is missing/);
    assert.equal(quotes.length, known, 'nothing is published from an incomplete book');
  });

  it('continue when a second subscription numbers its frames from 1', async () => {
    const { socket, quotes, stream } = open();
    stream.setTokens([tokenIdOf(TICKER, 'yes'), tokenIdOf('KXOTHER-1', 'yes')]);
    for (const frame of [
      snapshot(1),
      delta(2),
      snapshot(1, 2, 'KXOTHER-1'),
      delta(3),
      delta(2, 2, 'KXOTHER-1'),
    ])
      socket.push(frame);
    assert.equal(quotes.filter(({ tokenId }) => tokenId === tokenIdOf('KXOTHER-1', 'yes')).length, 2);
    socket.push(delta(4, 2, 'KXOTHER-1'));
    await assert.rejects(stream.ended, /frame 3 of subscription 2 is missing/);
  });

  it('ignore a delta before its snapshot', () => {
    const { socket, quotes } = open();
    socket.push(delta(1));
    assert.deepEqual(quotes, []);
  });
});
