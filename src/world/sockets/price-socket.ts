// The live-data channel: reference prices of the assets, once a second, by topic.

import { SECOND_MS } from '../../domain/units.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import { ASSETS, referencePrice } from '../crypto/price-path.ts';
import { speedOf } from '../world-clock.ts';
import type { WorldState } from '../world-state.ts';
import type { SocketHandler } from './world-socket.ts';

const TOPICS = ['crypto_prices', 'crypto_prices_chainlink'] as const;
type Topic = (typeof TOPICS)[number];

const MIN_LOOK_WALL_MS = 500;

export function createPriceSocket(state: WorldState): SocketHandler {
  return (peer) => {
    const topics = new Set<Topic>();
    const ticking = createRepeat({
      clock: state.clock,
      firstPauseMs: 1,
      pauseMs: () => Math.max(SECOND_MS, MIN_LOOK_WALL_MS * speedOf(state.clock)),
      run: tick,
    });
    void ticking.start();

    function tick(): void {
      const nowTs = state.now();
      if (state.faults.isOn('rtds-down', nowTs)) {
        void ticking.stop();
        peer.close();
        return;
      }
      if (!state.faults.isOn('rtds-silent', nowTs)) {
        for (const topic of topics) for (const message of pricesOf(state, topic, nowTs)) peer.send(message);
      }
    }

    return {
      receive(text) {
        if (/^ping$/i.test(text)) return void peer.send(text === 'ping' ? 'pong' : 'PONG');
        for (const { topic, isOn } of readSubscriptions(text)) {
          if (isOn) topics.add(topic);
          else topics.delete(topic);
        }
      },
      closed: () => void ticking.stop(),
    };
  };
}

function pricesOf(state: WorldState, topic: Topic, nowTs: number): string[] {
  return ASSETS.map((asset) => {
    const value = referencePrice(state.seedKey, asset, nowTs);
    const isChainlink = topic === 'crypto_prices_chainlink';
    return JSON.stringify({
      topic,
      type: 'update',
      timestamp: nowTs,
      payload: {
        symbol: isChainlink ? `${asset.ticker}/usd` : `${asset.ticker}usdt`,
        timestamp: Math.floor(nowTs / SECOND_MS) * SECOND_MS,
        value,
        ...(isChainlink ? {} : { full_accuracy_value: value.toFixed(8) }),
      },
    });
  });
}

function readSubscriptions(text: string): { topic: Topic; isOn: boolean }[] {
  try {
    const message = JSON.parse(text) as { action?: string; subscriptions?: { topic?: string }[] };
    return (message.subscriptions ?? []).flatMap(({ topic }) => {
      const known = TOPICS.find((name) => name === topic);
      return known ? [{ topic: known, isOn: message.action !== 'unsubscribe' }] : [];
    });
  } catch {
    return [];
  }
}
