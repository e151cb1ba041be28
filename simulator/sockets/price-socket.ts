// Reference prices (PolyBolt): sign in, subscribe to channels by symbol, get a snapshot, then numbered
// updates.

import { MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createRepeat } from '../../src/runtime/repeat.ts';
import { chance } from '../chance.ts';
import { ASSETS, averagePrice, referencePrice, type SimulatedAsset } from '../crypto/price-path.ts';
import { speedOf } from '../simulator-clock.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { parseMessage, type SocketHandler, type SocketPeer } from './simulator-socket.ts';

const CHANNELS = ['price.crypto', 'price.crypto.twap'] as const;
type Channel = (typeof CHANNELS)[number];

const MIN_LOOK_WALL_MS = 500;
const MAX_SUBSCRIPTIONS = 64;
const MAX_FRAMES_PER_SECOND = 20;
const TWAP_WINDOW_S = 60;
const SNAPSHOT_MS = 2 * MINUTE_MS;
const SNAPSHOT_STEP_MS = 5 * SECOND_MS;
const REFUSED = 4001;
const DRAINING = 4003;
const POLICY = 4008;

interface Subscription {
  channel: Channel;
  asset: SimulatedAsset;
}

export function createPriceSocket(state: SimulatorState): SocketHandler {
  return (peer) => openSession(state, peer);
}

function openSession(state: SimulatorState, peer: SocketPeer) {
  const subscriptions = new Map<string, Subscription>();
  const sequences = new Map<Channel, number>();
  const frameTimes: number[] = [];
  let isSignedIn = false;
  let isOpen = true;
  const ticking = createRepeat({
    clock: state.clock,
    firstPauseMs: 1,
    pauseMs: () => Math.max(SECOND_MS, MIN_LOOK_WALL_MS * speedOf(state.clock)),
    run: tick,
  });
  void ticking.start();

  function closed(): void {
    isOpen = false;
    void ticking.stop();
  }

  function end(code?: number): void {
    closed();
    peer.close(code);
  }

  function tick(): void {
    const nowTs = state.now();
    if (state.faults.isOn('polybolt-down', nowTs)) return void end();
    if (state.faults.isOn('polybolt-drain', nowTs)) return void end(DRAINING);
    if (!state.faults.isOn('polybolt-silent', nowTs)) {
      for (const one of subscriptions.values()) push(one.channel, toUpdate(state, one, nowTs), nowTs);
    }
  }

  function push(channel: Channel, payload: unknown, ts: number, isSnapshot = false): void {
    const seq = (sequences.get(channel) ?? 0) + 1;
    sequences.set(channel, seq);
    const share = state.faults.valueAt('polybolt-lossy', ts) ?? 0;
    if (chance(state.seedKey, ts, seq) < share) return;
    reply({ v: 1, channel, seq, ts, ...(isSnapshot ? { snapshot: true } : {}), payload });
  }

  function reply(message: unknown): void {
    peer.send(JSON.stringify(message));
  }

  function signIn(message: Record<string, unknown>, rid: object): void {
    const given = message.auth as { apiKey?: string; secret?: string; passphrase?: string } | undefined;
    const { priceApiKey } = state.options;
    const isWhole = Boolean(given?.apiKey && given.secret && given.passphrase);
    isSignedIn = isWhole && (priceApiKey === undefined || given!.apiKey === priceApiKey);
    if (isSignedIn) reply({ op: 'authed', ...rid });
    else end(REFUSED);
  }

  function subscribe(asked: Record<string, unknown>, rid: object): void {
    const { channel } = asked;
    const subscription = readSubscription(asked);
    if (!subscription) return void reply({ op: 'error', code: 'invalid_subscription', channel, ...rid });
    if (!isSignedIn) return void reply({ op: 'error', code: 'auth_required', channel, ...rid });
    const key = `${subscription.channel} ${subscription.asset.ticker}`;
    const isNew = !subscriptions.has(key);
    if (isNew && subscriptions.size === MAX_SUBSCRIPTIONS) return void end(POLICY);
    subscriptions.set(key, subscription);
    reply({ op: 'subscribed', channel, ...rid });
    if (isNew) push(subscription.channel, toSnapshot(state, subscription), state.now(), true);
  }

  function receive(text: string): void {
    const message = parseMessage(text);
    if (!message) return void end(POLICY);
    const rid = message.rid === undefined ? {} : { rid: message.rid };
    if (message.op === 'auth') return void signIn(message, rid);
    if (message.op === 'ping') return void reply({ op: 'pong', ...rid });
    if (isTooFast()) return void end(POLICY);
    const asked = Array.isArray(message.subscriptions) ? message.subscriptions : [message];
    if (message.op === 'subscribe') for (const one of asked) subscribe(one, rid);
    else if (message.op === 'unsubscribe') {
      for (const one of asked.map(readSubscription)) {
        if (one) subscriptions.delete(`${one.channel} ${one.asset.ticker}`);
      }
    } else reply({ op: 'error', code: 'unknown_op', ...rid });
  }

  function isTooFast(): boolean {
    const nowTs = state.now();
    frameTimes.push(nowTs);
    while (frameTimes[0]! <= nowTs - SECOND_MS) frameTimes.shift();
    return frameTimes.length > MAX_FRAMES_PER_SECOND;
  }

  return { receive: (text: string) => (isOpen ? receive(text) : undefined), closed };
}

function priceOf(state: SimulatorState, { channel, asset }: Subscription, ts: number): number {
  return channel === 'price.crypto'
    ? referencePrice(state.seedKey, asset, ts)
    : averagePrice(state.seedKey, asset, ts, TWAP_WINDOW_S);
}

function toUpdate(state: SimulatorState, subscription: Subscription, nowTs: number): unknown {
  const timestamp = Math.floor(nowTs / SECOND_MS) * SECOND_MS;
  return { ...about(subscription), ...toPoint(state, subscription, timestamp) };
}

/** The previous two minutes, oldest first. */
function toSnapshot(state: SimulatorState, subscription: Subscription): unknown {
  const endTs = Math.floor(state.now() / SECOND_MS) * SECOND_MS;
  const data: unknown[] = [];
  for (let ts = endTs - SNAPSHOT_MS; ts < endTs; ts += SNAPSHOT_STEP_MS) {
    data.push(toPoint(state, subscription, ts));
  }
  return { ...about(subscription), data };
}

function about({ channel, asset }: Subscription): Record<string, unknown> {
  const symbol = `${asset.ticker}usd`;
  return channel === 'price.crypto'
    ? { symbol, source: 'pyth' }
    : { symbol, source: 'chainlink', window_seconds: TWAP_WINDOW_S };
}

function toPoint(state: SimulatorState, subscription: Subscription, timestamp: number) {
  const value = priceOf(state, subscription, timestamp);
  return { timestamp, value, full_accuracy_value: value.toFixed(8) };
}

function readSubscription(asked: unknown): Subscription | null {
  const { channel, filter } = (asked ?? {}) as { channel?: string; filter?: Record<string, unknown> };
  const known = CHANNELS.find((name) => name === channel);
  const asset = ASSETS.find(({ ticker }) => `${ticker}usd` === filter?.symbol);
  if (!known || !asset) return null;
  if (known === 'price.crypto.twap' && filter?.window_seconds !== TWAP_WINDOW_S) return null;
  return { channel: known, asset };
}
