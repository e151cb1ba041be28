// Compares forecasts, signals and scores in the store with its log. Every event that has any of these is
// checked, whether or not the log mentions it.

import { isDeepStrictEqual } from 'node:util';
import type { MarketEvent } from '../domain/market-event.ts';
import { isRecomputed } from '../domain/scored-horizons.ts';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { DEFAULT_RETENTION } from '../jobs/prune.ts';
import { listPrunedLeads, type Outcome, scoreEvent } from '../jobs/scoring/score-forecast.ts';
import { describeForecast, describeSignal } from '../jobs/sealing/log-drafts.ts';
import { settleBet } from '../jobs/settling/signal-record.ts';
import type { LogEntry } from '../sealing/entry.ts';
import type { ForecastRecord, ForecastScore, Settlement, SignalRecord, Store } from '../store/ports.ts';

export interface FoundLog {
  entries: readonly LogEntry[];
  /** null if nothing was ever logged. */
  firstHourTs: number | null;
}

interface Compared {
  problems: string[];
  /** Forecasts and signals from before the log, which it cannot cover. */
  unlogged: number;
}

/** Since `firstTs`, everything is logged when it is made. */
interface Log {
  firstTs: number;
  builds: ReadonlySet<string>;
}

interface Comparison {
  store: Store;
  log: Log;
  nowTs: number;
}

interface Subject {
  eventId: number;
  event: MarketEvent | undefined;
  /** Its entries in the log. */
  own: readonly LogEntry[];
  settlement: Settlement | undefined;
  scores: readonly ForecastScore[];
}

export async function compareWithLog(store: Store, found: FoundLog, nowTs: number): Promise<Compared> {
  const { entries, firstHourTs } = found;
  const scores = Map.groupBy(await store.scores.list({}), ({ eventId }) => eventId);
  const owned = Map.groupBy(entries, ({ event }) => event);
  const eventIds = new Set([...owned.keys(), ...scores.keys(), ...(await listEventIds(store))]);
  if (firstHourTs === null) {
    const problem = 'the log is empty, but the store has forecasts, signals or scores';
    return { problems: eventIds.size === 0 ? [] : [problem], unlogged: 0 };
  }
  const comparison = { store, log: readLog(entries, firstHourTs), nowTs };
  const result: Compared = { problems: [], unlogged: 0 };
  for (const eventId of eventIds) {
    const { problems, unlogged } = await compareEvent(comparison, {
      eventId,
      event: await store.events.find(eventId),
      own: owned.get(eventId) ?? [],
      settlement: (await store.settlements.latest([eventId]))[0],
      scores: scores.get(eventId) ?? [],
    });
    result.problems.push(...problems.map((problem) => `event ${eventId}: ${problem}`));
    result.unlogged += unlogged;
  }
  return result;
}

async function listEventIds(store: Store): Promise<number[]> {
  const signals = (await store.signals.list({})).map(({ eventId }) => eventId);
  return [...(await store.forecasts.listEventIds()), ...signals];
}

/** The log began with its first forward entry, and at the latest when its first hour ended. */
function readLog(entries: readonly LogEntry[], firstHourTs: number): Log {
  let firstTs = firstHourTs + HOUR_MS;
  const builds = new Set<string>();
  for (const { kind, made, asof_ts, content } of entries) {
    if (made === 'forward') firstTs = Math.min(firstTs, asof_ts);
    if (kind === 'forecast') builds.add((content as ReturnType<typeof describeForecast>).build);
  }
  builds.delete(UNKNOWN_BUILD);
  return { firstTs, builds };
}

/** Several versions may have this name. */
const UNKNOWN_BUILD = 'unknown';

async function compareEvent(comparison: Comparison, subject: Subject): Promise<Compared> {
  const forecasts = await compareForecasts(comparison, subject);
  const signals = await compareSignals(comparison, subject);
  const scores = await compareScores(comparison, subject);
  return {
    problems: [...forecasts.problems, ...signals.problems, ...scores],
    unlogged: forecasts.unlogged + signals.unlogged,
  };
}

/** Retention drops old forecasts' distributions, then thins rows; until then each row must match. */
async function compareForecasts(
  { store, log, nowTs }: Comparison,
  { eventId, own }: Subject,
): Promise<Compared> {
  const logged = new Map(
    own.filter(({ kind }) => kind === 'forecast').map((entry) => [entry.asof_ts, entry]),
  );
  const keptFromTs = nowTs - DEFAULT_RETENTION.forecastsDays * DAY_MS;
  const problems: string[] = [];
  for (const [asofTs, entry] of logged) {
    const row = await store.forecasts.standingAt(eventId, asofTs);
    if (row?.asofTs === asofTs) {
      if (!isForecastLogged(row, entry)) problems.push(`forecast at ${asofTs} differs from the log`);
    } else if (asofTs >= keptFromTs) problems.push(`forecast at ${asofTs} is missing`);
  }
  const range = { fromTs: 0, untilTs: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
  const points = await store.forecasts.listPoints(eventId, { ...range, isHourly: false, hasModel: false });
  // A recomputed entry's time says nothing about when it was logged.
  const firstTs = Math.min(...own.filter(({ made }) => made === 'forward').map(({ asof_ts }) => asof_ts));
  let unlogged = 0;
  for (const point of points.filter(({ asofTs }) => !logged.has(asofTs))) {
    if (point.asofTs < firstTs && isRecomputed(point)) continue;
    const isOlder = point.asofTs < Math.min(firstTs, log.firstTs);
    if (isOlder && !(await isFromLoggingBuild(store, log, eventId, point.asofTs))) unlogged += 1;
    else problems.push(`forecast at ${point.asofTs} was never logged`);
  }
  return { problems, unlogged };
}

/** A build that wrote to the log logged all of its forecasts. */
async function isFromLoggingBuild(store: Store, { builds }: Log, eventId: number, asofTs: number) {
  const row = await store.forecasts.standingAt(eventId, asofTs);
  return row !== undefined && builds.has(row.buildCommit);
}

function isForecastLogged(row: ForecastRecord, { account, content }: LogEntry): boolean {
  const found = describeForecast(row);
  const sealed = content as typeof found;
  const isDropped = row.distribution.length === 0;
  const expected = isDropped
    ? {
        ...sealed,
        distribution_sha256: found.distribution_sha256,
        baselines_sha256: found.baselines_sha256,
      }
    : sealed;
  return row.accountId === account && isDeepStrictEqual(found, expected);
}

async function compareSignals({ store, log }: Comparison, subject: Subject): Promise<Compared> {
  const { eventId, event, own } = subject;
  const logged = new Map(
    own.filter(({ kind }) => kind === 'signal').map((entry) => [keyOf(entry.content as Content), entry]),
  );
  const firstTs = Math.min(log.firstTs, ...[...logged.values()].map((entry) => entry.asof_ts));
  const rows = new Map(
    (await store.signals.list({ eventId })).map((row) => [keyOf(describeSignal(row)), row]),
  );
  const missing = [...logged.keys()].filter((key) => !rows.has(key));
  const problems = missing.map((key) => `signal ${key} is missing`);
  let unlogged = 0;
  for (const [key, row] of rows) {
    const entry = logged.get(key);
    if (entry) {
      if (!isSignalLogged(row, entry) || !isResultRight(row, subject))
        problems.push(`signal ${key} or its result differs from the log`);
    } else if (Math.max(row.asofTs, horizonTs(event, row.horizonH)) < firstTs) unlogged += 1;
    else problems.push(`signal ${key} was never logged`);
  }
  return { problems, unlogged };
}

/** The record shows a signal or score at its horizon, so an early time in the row is not enough. */
function horizonTs(event: MarketEvent | undefined, horizonH: number): number {
  return event ? event.window.endTs - horizonH * HOUR_MS : Number.POSITIVE_INFINITY;
}

type Content = ReturnType<typeof describeSignal>;

function keyOf({ horizon_h, bucket, strategy }: Content): string {
  return JSON.stringify([horizon_h, bucket, strategy]);
}

function isSignalLogged(row: SignalRecord, { account, asof_ts: asofTs, content }: LogEntry): boolean {
  return (
    row.accountId === account && row.asofTs === asofTs && isDeepStrictEqual(describeSignal(row), content)
  );
}

/** Without a settlement, a signal is open, or the process was killed before it stored the settlement. */
function isResultRight(row: SignalRecord, { event, settlement, scores }: Subject): boolean {
  const { won, pnlUsd, settledTs } = row;
  if (!settlement && won === null && pnlUsd === null && settledTs === null) return true;
  const outcome = settlement ?? (event && readOutcome(event, scores));
  if (!outcome || !isDeepStrictEqual({ won, pnlUsd }, settleBet(row, outcome.winningLabel))) return false;
  return !settlement || settledTs === settlement.settledTs;
}

/** Recomputes scores from forecasts and outcome, and compares them with the stored ones. */
async function compareScores({ store, log }: Comparison, subject: Subject): Promise<string[]> {
  const { event, own, settlement, scores: found } = subject;
  // Scores from before the log may have been computed by an older version.
  const isCovered = own.length > 0 || found.some(({ horizonH }) => horizonTs(event, horizonH) >= log.firstTs);
  if (!isCovered) return [];
  if (!event) return found.length > 0 ? ['has scores, but is not stored'] : [];
  const outcome = settlement ?? readOutcome(event, found);
  if (!outcome) return [];
  const scores = { ...store.scores, upsert: async () => {} };
  const expected = await scoreEvent({ forecasts: store.forecasts, scores }, event, outcome, 0);
  const pruned = await listPrunedLeads(store, event, expected);
  const checked = found.filter(({ horizonH }) => !pruned.has(horizonH));
  const isSame = isDeepStrictEqual(sortScores(checked), sortScores(expected));
  return isSame ? [] : ['scores do not match the forecasts and the outcome'];
}

/** A process that was killed may have stored scores, but not yet the settlement. */
function readOutcome(event: MarketEvent, [score]: readonly ForecastScore[]): Outcome | null {
  if (!score) return null;
  const winner = score.buckets.findIndex(({ won }) => won);
  return { finalCount: score.finalCount, winningLabel: event.buckets[winner]?.label ?? null };
}

function sortScores(scores: readonly ForecastScore[]) {
  return [...scores]
    .sort((left, right) => left.horizonH - right.horizonH)
    .map(({ scoredTs: _, ...score }) => score);
}
