// One connection for reference prices: sign in, subscribe, and forward updates in order.

import type { Clock } from '../../runtime/clock.ts';
import type { SourceError } from '../../runtime/errors.ts';
import type { Random } from '../../runtime/random.ts';
import type { SocketFactory } from '../socket-session.ts';
import { runSocketSession } from '../socket-session.ts';
import type { ReferencePrice } from '../source.ts';
import { describeRequestError, lostFrames, noCredentials, readCloseCode, refusal } from './errors.ts';
import { parseReferencePrice } from './parse.ts';
import type { FramePlace, PriceCredentials, PriceFrame } from './wire.ts';
import { authMessage, readPriceMessage, subscribeMessage } from './wire.ts';

export interface PriceStreamOptions {
  streamUrl: string;
  /** null without a credential; then there are no reference prices. */
  credentials: PriceCredentials | null;
  createSocket: SocketFactory;
  clock: Clock;
  random: Random;
  silentAfterMs?: number;
  /** Clock speed; 1 for real time. */
  timeScale?: number;
}

export interface PriceHandlers {
  onOpen?(): void;
  onPrice(price: ReferencePrice): void;
  /** Called if some of the requested data is refused or unusable; the rest still arrives. */
  onProblem?(problem: string): void;
}

/** Each symbol uses two channels, far below the limit of 64 subscriptions per connection. */
const SYMBOLS = ['btcusd', 'ethusd', 'solusd', 'xrpusd', 'dogeusd', 'bnbusd', 'hypeusd', 'zecusd'];
const OPEN_TIMEOUT_MS = 10_000;
const DEFAULT_SILENT_AFTER_MS = 60_000;

/** Resolves on abort; rejects with SourceError if the stream ends for any other reason. */
export async function runPriceStream(
  options: PriceStreamOptions,
  handlers: PriceHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { credentials, timeScale = 1 } = options;
  if (!credentials || options.streamUrl === '') throw noCredentials();
  const checkSequence = createSequenceCheck();
  let send: (message: unknown) => void = () => {};
  await runSocketSession(
    {
      name: 'reference prices',
      url: options.streamUrl,
      createSocket: options.createSocket,
      clock: options.clock,
      // The server sends pings itself, and treats text that is not a frame as a violation.
      pingPeriodMs: null,
      openTimeoutMs: OPEN_TIMEOUT_MS * timeScale,
      silentAfterMs: options.silentAfterMs ?? DEFAULT_SILENT_AFTER_MS,
      explainClose: (code) => readCloseCode(code, options.random.uniform()),
      onOpen(sendMessage) {
        send = sendMessage;
        send(authMessage(credentials));
      },
      onJson(value) {
        const message = readPriceMessage(value);
        if (message?.kind === 'authed') {
          send(subscribeMessage(SYMBOLS));
          handlers.onOpen?.();
        }
        if (message?.kind === 'error') {
          throwIf(refusal(message.code));
          handlers.onProblem?.(describeRequestError(message));
        }
        if (message?.kind === 'odd') {
          handlers.onProblem?.(message.problem);
          if (message.place) checkSequence(message.place);
        }
        return message?.kind === 'prices' && accept(message, checkSequence, handlers, options.clock.now());
      },
    },
    signal,
  );
}

/** Returns true if the frame contained a price. Only the newest price of a snapshot matters. */
function accept(
  frame: PriceFrame,
  checkSequence: (place: FramePlace) => boolean,
  handlers: PriceHandlers,
  nowTs: number,
): boolean {
  if (!checkSequence(frame)) return false;
  const newest = frame.points.at(-1);
  const price = newest && parseReferencePrice(frame, newest, nowTs);
  if (!price) return false;
  handlers.onPrice(price);
  return true;
}

/** False for a repeated frame; throws if more frames are missing than the server reported as dropped. */
function createSequenceCheck(): (place: FramePlace) => boolean {
  const latest = new Map<string, number>();
  return ({ channel, seq, dropped }) => {
    const before = latest.get(channel);
    if (before !== undefined && seq <= before) return false;
    latest.set(channel, seq);
    const missing = before === undefined ? 0 : seq - before - 1;
    if (missing > dropped) throw lostFrames(channel, missing);
    return true;
  };
}

function throwIf(error: SourceError | null): void {
  if (error) throw error;
}
