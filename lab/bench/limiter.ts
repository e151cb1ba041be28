// Measures one rate-limit check: our limiter against the simplest alternative, sliding-window counters in the
// store.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_LIMITS } from '../../src/access/limiter.ts';
import { createLocalLimiter } from '../../src/access/local-limiter.ts';
import type { BenchOptions } from './core/bench.ts';
import { type BenchRow, pairedRow } from './core/row.ts';

export const about = `CPU time of one rate-limit check for 1,000 callers: our in-process limiter against counters per caller and minute in SQLite (one select, one upsert), with and without a disk sync per request.`;

const CALLERS = 1_000;

export async function run({ isQuick, scratchDir }: BenchOptions): Promise<BenchRow[]> {
  const limiter = createLocalLimiter(DEFAULT_LIMITS);
  const takeOurs = (i: number) => limiter.forAddress(`10.0.0.${i % CALLERS}`, 'meta', i).take(i);
  const take = { FULL: openCounters(scratchDir, 'FULL'), OFF: openCounters(scratchDir, 'OFF') };
  const rounds = Array.from({ length: isQuick ? 1 : 5 }, () => ({
    ours: cpuUs(100_000, takeOurs),
    synced: cpuUs(2_000, take.FULL),
    unsynced: cpuUs(20_000, take.OFF),
  }));
  const row = (name: string, pick: 'synced' | 'unsynced') =>
    pairedRow(
      `limiter, CPU µs vs. SQLite counters, ${name}`,
      rounds.map(({ ours }) => ours),
      rounds.map((round) => round[pick]),
      'less',
      0.1,
    );
  return [row('synced', 'synced'), row('unsynced', 'unsynced')];
}

function openCounters(folder: string, synchronous: 'FULL' | 'OFF'): (i: number) => void {
  const database = new DatabaseSync(join(folder, `counters-${synchronous}.sqlite`));
  database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous};
    create table hits (caller text, minute integer, n integer, primary key (caller, minute)) without rowid`);
  const sum = database.prepare('select sum(n) from hits where caller = ? and minute > ?');
  const add = database.prepare('insert into hits values (?, ?, 1) on conflict do update set n = n + 1');
  return (i) => {
    const [caller, minute] = [`caller-${i % CALLERS}`, Math.floor(i / 1_000)];
    sum.get(caller, minute - 60);
    add.run(caller, minute);
  };
}

function cpuUs(count: number, work: (i: number) => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) work(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
