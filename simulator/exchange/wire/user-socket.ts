// The user channel: events for the user's own orders and trades. Missed messages are not resent.

import type { ExchangeContext } from '../context.ts';
import type { UserEvent } from '../types.ts';
import { presentEvent } from './present.ts';

interface Peer {
  send(text: string): void;
  close(code?: number): void;
}

export interface UserChannel {
  open(peer: Peer): { receive(text: string): void; closed(): void };
  publish(apiKey: string, event: UserEvent): void;
}

interface Listener {
  apiKey: string;
  /** null means all. */
  markets: Set<string> | null;
  peer: Peer;
}

type ChannelContext = Pick<ExchangeContext, 'credentials' | 'faults' | 'now'>;

export function createUserChannel(context: ChannelContext): UserChannel {
  const listeners = new Set<Listener>();

  function subscribe(peer: Peer, message: Record<string, unknown>): Listener | null {
    const auth = (message.auth ?? {}) as Record<string, unknown>;
    const record = context.credentials.find({
      apiKey: String(auth.apiKey ?? ''),
      secret: String(auth.secret ?? ''),
      passphrase: String(auth.passphrase ?? ''),
    });
    if (!record) return null;
    return { apiKey: record.apiKey, markets: readMarkets(message.markets), peer };
  }

  return {
    open(peer) {
      let listener: Listener | null = null;
      return {
        receive(text) {
          if (text === 'PING') return void peer.send('PONG');
          const message = parse(text);
          if (!message) return;
          if (listener) return void change(listener, message);
          listener = subscribe(peer, message);
          if (listener) listeners.add(listener);
          else peer.close(1008);
        },
        closed: () => void (listener && listeners.delete(listener)),
      };
    },
    publish(apiKey, event) {
      const nowTs = context.now();
      const market = event.kind === 'order' ? event.order.conditionId : event.trade.conditionId;
      for (const listener of listeners) {
        if (listener.apiKey !== apiKey || (listener.markets && !listener.markets.has(market))) continue;
        if (context.faults.isOn('user-ws-silent', nowTs) || context.faults.hits('user-ws-lossy', nowTs))
          continue;
        listener.peer.send(JSON.stringify(presentEvent(event, apiKey, nowTs)));
      }
    },
  };
}

function change(listener: Listener, { operation, markets }: Record<string, unknown>): void {
  const named = readMarkets(markets) ?? new Set<string>();
  if (operation === 'subscribe') for (const market of named) listener.markets?.add(market);
  if (operation === 'unsubscribe') for (const market of named) listener.markets?.delete(market);
}

function readMarkets(given: unknown): Set<string> | null {
  return Array.isArray(given) && given.length > 0 ? new Set(given.map(String)) : null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
