import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_TS, scriptSockets } from '../../../test/support/scripted-sources.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { SourceError } from '../../runtime/errors.ts';
import { createRandom } from '../../runtime/random.ts';
import { runPriceStream } from './price-stream.ts';

const CREDENTIALS = { apiKey: 'the-key', secret: 'the-secret', passphrase: 'the-phrase' };

function open(credentials: typeof CREDENTIALS | null = CREDENTIALS) {
  const sockets = scriptSockets();
  const clock = createManualClock(NOW_TS);
  const prices: string[] = [];
  const problems: string[] = [];
  const ended = runPriceStream(
    {
      streamUrl: 'ws://upstream/ws',
      credentials,
      createSocket: sockets.create,
      clock,
      random: createRandom(1),
    },
    {
      onPrice: ({ asset, price, source }) => prices.push(`${asset} ${price} ${source}`),
      onProblem: (problem) => problems.push(problem),
    },
    new AbortController().signal,
  );
  ended.catch(() => {});
  return { socket: sockets.made[0], clock, prices, problems, ended };
}

function frame(seq: number, value: number, fields: object = {}): object {
  const payload = { symbol: 'btcusd', value, full_accuracy_value: String(value), timestamp: NOW_TS };
  return { v: 1, channel: 'price.crypto', seq, ts: NOW_TS, payload, ...fields };
}

/** Opens a stream that is signed in and subscribed. */
function openSignedIn() {
  const opened = open();
  opened.socket!.emit('open');
  opened.socket!.push({ op: 'authed', rid: 'auth' });
  return opened;
}

async function failureOf(ended: Promise<void>): Promise<SourceError> {
  const error = await ended.then(
    () => assert.fail('did not end'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SourceError);
  return error;
}

describe('reference price stream', () => {
  it('is not opened without a credential, and reports the missing settings', async () => {
    const { socket, ended } = open(null);
    const error = await failureOf(ended);
    assert.equal(socket, undefined);
    assert.match(error.message, /CRYPTO_API_KEY/);
    assert.equal(error.isRetryable, false);
  });

  it('signs in first, then requests spot and average prices of each asset in one frame', () => {
    const { socket } = open();
    socket!.emit('open');
    assert.deepEqual(socket!.sentJson(), [{ op: 'auth', rid: 'auth', auth: CREDENTIALS }]);
    socket!.push({ op: 'authed', rid: 'auth' });
    const [, subscribe] = socket!.sentJson() as [object, { op: string; subscriptions: unknown[] }];
    assert.equal(subscribe.op, 'subscribe');
    assert.ok(subscribe.subscriptions.length <= 64);
    assert.deepEqual(subscribe.subscriptions.slice(0, 2), [
      { channel: 'price.crypto', filter: { symbol: 'btcusd' } },
      { channel: 'price.crypto.twap', filter: { symbol: 'btcusd', window_seconds: 60 } },
    ]);
  });

  it('uses the newest price of a snapshot, then each update, and distinguishes average from spot', () => {
    const { socket, prices } = openSignedIn();
    const data = [
      { timestamp: NOW_TS - 1_000, value: 61_001 },
      { timestamp: NOW_TS - 2_000, value: 61_000 },
    ];
    socket!.push({ op: 'subscribed', channel: 'price.crypto' });
    socket!.push(frame(1, 0, { snapshot: true, payload: { symbol: 'btcusd', data } }));
    socket!.push(frame(1, 0, { channel: 'price.crypto.twap', payload: { symbol: 'ethusd', data: [] } }));
    socket!.push(frame(2, 61_002));
    socket!.push(frame(2, 60_990, { channel: 'price.crypto.twap' }));
    assert.deepEqual(prices, ['BTC 61001 pyth-spot', 'BTC 61002 pyth-spot', 'BTC 60990 chainlink-twap-60s']);
  });

  it('reports an unreadable frame and continues with the next', () => {
    const { socket, prices, problems } = openSignedIn();
    socket!.push(frame(1, 61_000));
    socket!.push(frame(2, 0, { payload: { symbol: 'btcusd', value: 'n/a', timestamp: NOW_TS } }));
    socket!.push(
      frame(3, 0, { payload: { symbol: 'btcusd', value: 7, timestamp: NOW_TS, source: 'other' } }),
    );
    socket!.push(frame(4, 61_001));
    assert.deepEqual(prices, ['BTC 61000 pyth-spot', 'BTC 61001 pyth-spot']);
    assert.match(problems.join(), /cannot be read \(value or timestamp\).*comes from 'other'/);
  });

  it('ignores repeated frames, prices dated in the future and other versions', () => {
    const { socket, prices } = openSignedIn();
    socket!.push(frame(5, 61_000));
    socket!.push(frame(5, 1));
    socket!.push(frame(4, 2));
    socket!.push(frame(6, 0, { payload: { symbol: 'btcusd', value: 9, timestamp: NOW_TS + 3_600_000 } }));
    socket!.push(frame(7, 3, { v: 2 }));
    socket!.push({ op: 'error', code: 'invalid_subscription', channel: 'price.crypto' });
    assert.deepEqual(prices, ['BTC 61000 pyth-spot']);
  });

  it('continues after frames the server reports as dropped, and ends if any others are missing', async () => {
    const { socket, prices, ended } = openSignedIn();
    socket!.push(frame(1, 61_000));
    socket!.push(frame(5, 61_001, { dropped: 3 }));
    assert.equal(prices.length, 2);
    socket!.push(frame(8, 61_002));
    const error = await failureOf(ended);
    assert.match(error.message, /2 frame\(s\) of price.crypto were lost/);
    assert.equal(error.isRetryable, true);
    assert.equal(socket!.isClosed, true);
  });

  it('does not retry a refused credential, whether refused by message or by close code', async () => {
    const byWord = open();
    byWord.socket!.emit('open');
    byWord.socket!.push({ op: 'error', code: 'auth_failed', rid: 'auth' });
    const byCode = open();
    byCode.socket!.emit('open');
    byCode.socket!.emit('close', { code: 4001 });
    for (const error of [await failureOf(byWord.ended), await failureOf(byCode.ended)]) {
      assert.deepEqual([error.isRetryable, error.status], [false, 401]);
      for (const secret of Object.values(CREDENTIALS)) assert.ok(!error.message.includes(secret));
    }
  });

  it('reconnects within ten seconds to a restarting server, immediately otherwise, and not after a protocol violation', async () => {
    const endOf = async (code: number) => {
      const { socket, ended } = openSignedIn();
      socket!.emit('close', { code });
      return failureOf(ended);
    };
    const draining = await endOf(4003);
    assert.equal(draining.isRetryable, true);
    assert.ok(draining.retryAfterMs! >= 0 && draining.retryAfterMs! <= 10_000);
    assert.deepEqual([(await endOf(4002)).isRetryable, (await endOf(1006)).isRetryable], [true, true]);
    assert.equal((await endOf(4008)).isRetryable, false);
  });

  it('retries when the server cannot check credentials', async () => {
    const { socket, ended } = open();
    socket!.emit('open');
    socket!.push({ op: 'error', code: 'auth_unavailable', rid: 'auth' });
    const error = await failureOf(ended);
    assert.deepEqual([error.isRetryable, error.retryAfterMs, error.status], [true, 30_000, null]);
  });

  it('continues after a refused request and reports its code and channel', () => {
    const { socket, prices, problems } = openSignedIn();
    socket!.push({ op: 'error', code: 'bad_filter', channel: 'price.crypto', message: 'unknown symbol' });
    socket!.push({ op: 'error', code: 'sub_limit' });
    socket!.push(frame(1, 61_000));
    assert.match(problems[0]!, /bad_filter; price\.crypto: unknown symbol/);
    assert.match(problems[1]!, /sub_limit/);
    assert.equal(prices.length, 1);
  });

  it('ignores prices from another source or averaging period', () => {
    const { socket, prices, problems } = openSignedIn();
    const payload = { symbol: 'btcusd', value: 1, timestamp: NOW_TS };
    socket!.push(frame(1, 1, { payload: { ...payload, source: 'binance' } }));
    const twap = { channel: 'price.crypto.twap' };
    socket!.push(frame(1, 1, { ...twap, payload: { ...payload, source: 'chainlink', window_seconds: 30 } }));
    assert.deepEqual(prices, []);
    assert.equal(problems.length, 2);
    socket!.push(frame(2, 1, { ...twap, payload: { ...payload, source: 'chainlink', window_seconds: 60 } }));
    assert.deepEqual(prices, ['BTC 1 chainlink-twap-60s']);
  });

  it('ends when no price arrives, despite other messages, and never sends a ping', async () => {
    const { socket, clock, ended } = openSignedIn();
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000);
      socket!.push({ op: 'pong' });
    }
    assert.match((await failureOf(ended)).message, /no data for 60000 ms/);
    assert.ok(!socket!.sent.includes('PING'));
  });
});
