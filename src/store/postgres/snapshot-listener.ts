// Receives snapshot notifications from other processes. After a reconnect it reports every version again, to
// cover missed notifications.

import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../runtime/logger.ts';
import type { SnapshotVersion } from '../engine.ts';
import { createPgClient } from './pg-pool.ts';
import { SNAPSHOT_CHANNEL } from './postgres-engine.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** How often a query checks for a silently dead connection. */
const LIVENESS_PERIOD_MS = 10_000;
const LIVENESS_TIMEOUT_MS = 5_000;

type OnChange = (name: string, version: number) => void;

export interface SnapshotListener {
  add(onChange: OnChange): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface SnapshotListenerOptions {
  databaseUrl: string;
  logger: Logger;
  readVersions: () => Promise<SnapshotVersion[]>;
}

export function createSnapshotListener(options: SnapshotListenerOptions): SnapshotListener {
  const listeners = new Set<OnChange>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let firstAttempt: Promise<void> = Promise.resolve();

  function report(name: string, version: number): void {
    for (const listener of listeners) listener(name, version);
  }

  async function sendToAll(): Promise<void> {
    for (const { name, version } of await options.readVersions()) report(name, version);
  }

  async function run(onFirstAttempt: () => void): Promise<void> {
    let failures = 0;
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      try {
        await holdConnection(options.databaseUrl, stopping.signal, report, async () => {
          failures = 0;
          onFirstAttempt();
          if (attempt > 0) await sendToAll();
        });
      } catch (error) {
        options.logger.warn({ err: error }, 'snapshot notifications lost; reconnecting');
      }
      onFirstAttempt();
      const retryMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
      await wait(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    async add(onChange) {
      listeners.add(onChange);
      if (!running) {
        const attempted = Promise.withResolvers<void>();
        firstAttempt = attempted.promise;
        running = run(attempted.resolve);
      }
      await firstAttempt;
      return async () => {
        listeners.delete(onChange);
      };
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Listens until the connection or the signal ends. */
async function holdConnection(
  databaseUrl: string,
  signal: AbortSignal,
  report: OnChange,
  onListening: () => Promise<void>,
): Promise<void> {
  const client = createPgClient(databaseUrl, LIVENESS_TIMEOUT_MS);
  const ended = new AbortController();
  client.on('error', (error) => ended.abort(error));
  client.on('end', () => ended.abort());
  client.on('notification', ({ payload }) => {
    for (const { name, version } of readNotification(payload)) report(name, version);
  });
  try {
    await client.connect();
    await client.query(`listen ${SNAPSHOT_CHANNEL}`);
    await onListening();
    await stayAlive(client, AbortSignal.any([signal, ended.signal]));
  } finally {
    await endQuietly(client);
  }
}

/** Empty if the payload lists no versions. Any session can notify, and throwing would end the process. */
function readNotification(payload: string | undefined): SnapshotVersion[] {
  try {
    const listed = JSON.parse(payload ?? '') as unknown;
    return Array.isArray(listed) ? listed.filter(isVersion) : [];
  } catch {
    return [];
  }
}

function isVersion(value: unknown): value is SnapshotVersion {
  const { name, version } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof version === 'number';
}

async function stayAlive(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(LIVENESS_PERIOD_MS, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await client.query('select 1');
  }
}

async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
