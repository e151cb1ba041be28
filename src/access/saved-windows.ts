// Saves once a second what this process granted, and counts what other processes granted: a limit survives a restart
// up to the last second, and several processes together exceed it by at most what one second lets through.

import { randomUUID } from 'node:crypto';
import { SECOND_MS } from '../domain/units.ts';
import { type Clock, steadyClock, systemClock } from '../runtime/clock.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { createRepeat } from '../runtime/repeat.ts';
import type { Store } from '../store/ports.ts';
import type { LimitedCaller, Limiter } from './limiter.ts';
import type { WindowEntry } from './rolling-window.ts';

export interface SavedWindowsOptions {
  limiter: Limiter;
  allowances: Pick<Store['allowances'], 'put' | 'listSince'>;
  logger: Logger;
  /** The limiter's clock. */
  clock?: Clock;
  wallClock?: Clock;
}

/** Rows may become visible this much later than others with the same time. */
const OVERLAP_MS = 10_000;

export function createSavedWindows({
  limiter,
  allowances,
  logger,
  clock = steadyClock,
  wallClock = systemClock,
}: SavedWindowsOptions) {
  /** A restarted process is another one, so what it granted before still counts. */
  const process = randomUUID();
  let readToTs = 0;
  let isFailing = false;

  async function sync(): Promise<void> {
    const nowTs = wallClock.now();
    const aheadMs = nowTs - clock.now();
    await save(nowTs, aheadMs);
    const rows = await allowances.listSince(readToTs - OVERLAP_MS, nowTs);
    for (const row of rows) {
      readToTs = Math.max(readToTs, row.savedTs);
      if (row.process !== process)
        limiter.findOrOpen(row.caller)?.putOther(row.process, shift(row.entries, -aheadMs));
    }
    isFailing = false;
  }

  async function save(savedTs: number, aheadMs: number): Promise<void> {
    const unsaved = limiter.list().filter((caller) => caller.isUnsaved);
    if (unsaved.length === 0) return;
    const toRow = (caller: LimitedCaller) => {
      const entries = shift(caller.listOwn(), aheadMs);
      return { caller: caller.name, process, entries, expiresTs: entries.at(-1)?.[0] ?? savedTs, savedTs };
    };
    const rows = unsaved.map(toRow);
    for (const caller of unsaved) caller.isUnsaved = false;
    try {
      await allowances.put(rows);
    } catch (error) {
      for (const caller of unsaved) caller.isUnsaved = true;
      throw error;
    }
  }

  const syncing = createRepeat({
    clock: systemClock,
    pauseMs: SECOND_MS,
    run: sync,
    onError: (error) => {
      if (!isFailing) logger.warn({ error: errorMessage(error) }, 'allowances not saved; retrying');
      isFailing = true;
    },
  });

  return {
    sync,
    /** Resolves when what was saved before counts. */
    start: syncing.start,
    async stop(): Promise<void> {
      await syncing.stop();
      await sync();
    },
  };
}

function shift(entries: readonly WindowEntry[], byMs: number): WindowEntry[] {
  return entries.map(([expiresTs, requests]) => [Math.round(expiresTs + byMs), requests]);
}
