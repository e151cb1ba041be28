// Notifies listening agents of new alerts for their key. There is one event stream per key, because the SDK's
// events contain only a resource name, which is the same for every key.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { AlertStore } from '../../store/ports.ts';
import { ALERTS_URI } from './resources.ts';

export interface AlertFeed {
  readonly bus: ServerEventBus;
  /** Listeners started in `work` belong to this key. */
  listenFor<T>(keyId: string | null, work: () => T): T;
  stop(): Promise<void>;
}

/** Alerts are written by the leader, which may be another process, so they are polled. */
const LOOK_EVERY_MS = SECOND_MS;

export function createAlertFeed(options: {
  alerts: Pick<AlertStore, 'listPage'>;
  clock: Clock;
  logger: Logger;
}): AlertFeed {
  const { alerts, clock, logger } = options;
  const listening = new AsyncLocalStorage<string | null>();
  const listeners = new Map<(event: ServerEvent) => void, string | null>();
  /** The newest alert announced to each key; null if there was none. */
  const newest = new Map<string, string | null>();

  async function look(): Promise<void> {
    const keyIds = new Set([...listeners.values()].filter((keyId) => keyId !== null));
    for (const keyId of newest.keys()) if (!keyIds.has(keyId)) newest.delete(keyId);
    for (const keyId of keyIds) {
      const [alert] = await alerts.listPage(keyId, { after: null, limit: 1 });
      const alertId = alert?.alertId ?? null;
      const known = newest.get(keyId);
      newest.set(keyId, alertId);
      if (known !== undefined && known !== alertId) publish(keyId);
    }
  }

  function publish(keyId: string): void {
    for (const [listener, owner] of listeners) {
      if (owner === keyId) listener({ kind: 'resource_updated', uri: ALERTS_URI });
    }
  }

  const looking = createRepeat({
    clock,
    pauseMs: LOOK_EVERY_MS,
    run: look,
    onError: (error) => logger.warn({ problem: errorMessage(error) }, 'alert polling failed'),
  });

  return {
    bus: {
      // Publish only to this key's listeners.
      publish: () => {},
      subscribe(listener) {
        listeners.set(listener, listening.getStore() ?? null);
        void looking.start();
        looking.wake();
        return () => void listeners.delete(listener);
      },
    },
    listenFor: (keyId, work) => listening.run(keyId, work),
    stop: looking.stop,
  };
}
