// Complete real ladders with the model's forecast, read from the operator's price, outcome and post files.

import { readFileSync } from 'node:fs';
import { profileOfLetter } from '../../../src/domain/account-profile.ts';
import { HOUR_MS } from '../../../src/domain/units.ts';
import { parseHistory } from '../../../src/forecast/backtest/read-history.ts';
import { walkForward } from '../../../src/forecast/backtest/walk-forward.ts';
import { bucketProbabilities } from '../../../src/forecast/distribution/distribution.ts';
import { getAccountParameters } from '../../../src/forecast/parameters.ts';
import type { ScoredLadder } from './ladder-statistics.ts';

interface RealLadder {
  window: { startTs: number; endTs: number };
  ts: number;
  /** null if the outcome file does not have the event. */
  final: number | null;
  points: { lo: number; hi: number | null; price: number }[];
}

/** Ladders with fewer buckets are incomplete: they contain only the traded ones. */
const MIN_BUCKETS = 16;

export function readRealLadders(
  pricesFile: string,
  outcomesFile: string,
  postFiles: readonly string[],
  leadsHours: readonly number[],
): ScoredLadder[] {
  const ladders = readLadders(pricesFile, readFinals(outcomesFile));
  const walk = walkForward({
    history: readPosts(postFiles),
    parameters: getAccountParameters(profileOfLetter('a')),
    windows: [...new Map(ladders.map(({ window }) => [window.endTs, window])).values()],
    leadsHours,
    withOthers: false,
  });
  return [...walk].flatMap(({ window, asofTs, leadHours, countSoFar, forecast }) => {
    const ladder = ladders.find(
      (one) => one.window.endTs === window.endTs && Math.abs(one.ts - asofTs) < HOUR_MS / 2,
    );
    if (!ladder) return [];
    const { points, final } = ladder;
    return {
      leadHours,
      model: Array.from(bucketProbabilities(forecast.distribution, points, countSoFar)),
      prices: points.map(({ price }) => price),
      winner:
        final === null ? -1 : points.findIndex(({ lo, hi }) => final >= lo && (hi === null || final <= hi)),
    };
  });
}

/** Columns: event, window_start_ts, window_end_ts, bucket_lo, bucket_hi, ts, yes_price. */
function readLadders(file: string, finals: ReadonlyMap<string, number>): RealLadder[] {
  const ladders = new Map<string, RealLadder>();
  for (const [event, startTs, endTs, lo, hi, ts, price] of readRows(file)) {
    const minute = Math.round(Number(ts) / 60_000) * 60_000;
    const key = `${event} ${minute}`;
    const ladder = ladders.get(key) ?? {
      window: { startTs: Number(startTs), endTs: Number(endTs) },
      ts: minute,
      final: finals.get(event!) ?? null,
      points: [],
    };
    ladder.points.push({ lo: Number(lo), hi: hi === '' ? null : Number(hi), price: Number(price) });
    ladders.set(key, ladder);
  }
  const full = [...ladders.values()].filter(({ points }) => points.length >= MIN_BUCKETS);
  for (const { points } of full) points.sort((a, b) => a.lo - b.lo);
  return full;
}

function readFinals(file: string): Map<string, number> {
  return new Map(readRows(file).map(([event, final]) => [event!, Number(final)]));
}

function readPosts(files: readonly string[]) {
  const [header] = readFileSync(files[0]!, 'utf8').split('\n', 1);
  return parseHistory(
    [header, ...files.flatMap((file) => readRows(file).map((row) => row.join(',')))].join('\n'),
  );
}

function readRows(file: string): string[][] {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => line.trim().split(','));
}
