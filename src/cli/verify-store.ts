// Checks the store against its log: the log must be complete and match the forecasts, signals and scores.

import { isDeepStrictEqual } from 'node:util';
import { createVerifier } from '../../scripts/verify-seals.mjs';
import { DAY_MS, HOUR_MS } from '../domain/units.ts';
import { DEFAULT_RETENTION } from '../jobs/prune.ts';
import { scoreEvent } from '../jobs/scoring/score-forecast.ts';
import { describeForecast, describeSignal, describeTrialBet } from '../jobs/sealing/log-drafts.ts';
import { settleBet } from '../jobs/settling/signal-record.ts';
import { settleTrialBet } from '../jobs/trials/trial-bets.ts';
import { errorMessage } from '../runtime/errors.ts';
import { type LogEntry, NO_EVENT } from '../sealing/entry.ts';
import { addToRunning, NO_SEAL, type Seal } from '../sealing/seal.ts';
import { writeHour, writeSummary } from '../sealing/wire.ts';
import type { ForecastRecord, ForecastScore, Settlement, SignalRecord, Store } from '../store/ports.ts';

export interface StoreVerification {
  problems: string[];
  hours: number;
  entries: number;
}

/** Number of hours read per query. */
const PAGE_HOURS = 100;

export async function verifyStore(store: Store, nowTs: number): Promise<StoreVerification> {
  const verifier = createVerifier();
  const unreadable: string[] = [];
  const seals: Seal[] = [];
  const texts: string[] = [];
  for (;;) {
    const page = await store.seals.list(seals.at(-1)?.hourTs ?? -HOUR_MS, PAGE_HOURS);
    if (page.length === 0) break;
    seals.push(...page);
    for (const { hourTs } of page) {
      try {
        const hour = (await store.seals.findHour(hourTs))!;
        verifier.add(writeHour(hour));
        texts.push(...hour.entries);
      } catch (error) {
        unreadable.push(
          `entries for ${new Date(hourTs).toISOString()} cannot be read: ${errorMessage(error)}`,
        );
      }
    }
  }
  if (seals.length > 0) verifier.add(writeSummary(seals));
  const open = await store.seals.readOpen();
  const entries = [...texts, ...open.entries.map(({ entry }) => entry)].flatMap(parseEntry);
  const problems = [
    ...unreadable,
    ...(seals.length > 0 ? verifier.finish().problems : []),
    ...checkOpen(open, seals.at(-1)),
    ...(await compareRows(store, entries, nowTs)),
  ];
  return { problems, hours: seals.length, entries: entries.length };
}

type OpenLog = Awaited<ReturnType<Store['seals']['readOpen']>>;

function checkOpen(
  { chain, nextSeq, openHourTs, running, entries }: OpenLog,
  last: Seal | undefined,
): string[] {
  const firstSeq = last ? last.firstSeq + last.size : 1;
  const lastHourTs = Math.max(last ? last.hourTs + HOUR_MS : 0, entries.at(-1)?.hourTs ?? 0);
  const digest = entries.reduce((sum, { hourTs, entry }) => addToRunning(sum, hourTs, entry), chain);
  const isWhole =
    entries.every(({ seq }, i) => seq === firstSeq + i) &&
    nextSeq === firstSeq + entries.length &&
    openHourTs === lastHourTs &&
    digest === running;
  return [
    ...(chain === (last?.chain ?? NO_SEAL) ? [] : ['the newest seal does not match the end of the log']),
    ...(isWhole ? [] : ['unsealed entries were removed, changed or added']),
  ];
}

/** Unreadable entries have already been reported with their hour. */
function parseEntry(text: string): LogEntry[] {
  try {
    return [JSON.parse(text) as LogEntry];
  } catch {
    return [];
  }
}

async function compareRows(store: Store, entries: readonly LogEntry[], nowTs: number): Promise<string[]> {
  const problems: string[] = [];
  const scores = Map.groupBy(await store.scores.list({}), ({ eventId }) => eventId);
  for (const [eventId, own] of Map.groupBy(entries, ({ event }) => event)) {
    const [settlement] = await store.settlements.latest([eventId]);
    const found = [
      ...(await compareForecasts(store, own, nowTs)),
      ...(await compareSignals(store, eventId, own, settlement)),
      ...(await compareTrialBets(store, eventId, own, settlement)),
      ...(settlement ? await compareScores(store, settlement, scores.get(eventId) ?? []) : []),
    ];
    problems.push(...found.map((problem) => `event ${eventId}: ${problem}`));
  }
  return problems;
}

/** Retention drops old forecasts' distributions, then thins rows; until then each row must match. */
async function compareForecasts(store: Store, own: readonly LogEntry[], nowTs: number): Promise<string[]> {
  const logged = new Map(
    own.filter(({ kind }) => kind === 'forecast').map((entry) => [entry.asof_ts, entry]),
  );
  if (logged.size === 0) return [];
  const keptFromTs = nowTs - DEFAULT_RETENTION.forecastsDays * DAY_MS;
  const problems: string[] = [];
  for (const [asofTs, entry] of logged) {
    const row = await store.forecasts.standingAt(entry.event, asofTs);
    if (row?.asofTs === asofTs) {
      if (!isForecastLogged(row, entry)) problems.push(`forecast at ${asofTs} differs from the log`);
    } else if (asofTs >= keptFromTs) problems.push(`forecast at ${asofTs} is missing`);
  }
  const range = { fromTs: Math.min(...logged.keys()), untilTs: Number.MAX_SAFE_INTEGER, isHourly: false };
  const points = await store.forecasts.listPoints(own[0]!.event, {
    ...range,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const unlogged = points.filter(({ asofTs }) => !logged.has(asofTs));
  return [...problems, ...unlogged.map(({ asofTs }) => `forecast at ${asofTs} was never logged`)];
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

async function compareSignals(
  store: Store,
  eventId: number,
  own: readonly LogEntry[],
  settlement: Settlement | undefined,
): Promise<string[]> {
  const logged = new Map(
    own.filter(({ kind }) => kind === 'signal').map((entry) => [keyOf(entry.content as Content), entry]),
  );
  if (logged.size === 0) return [];
  const firstTs = Math.min(...[...logged.values()].map((entry) => entry.asof_ts));
  const rows = new Map(
    (await store.signals.list({ eventId })).map((row) => [keyOf(describeSignal(row)), row]),
  );
  const missing = [...logged.keys()].filter((key) => !rows.has(key));
  const problems = missing.map((key) => `signal ${key} is missing`);
  for (const [key, row] of rows) {
    const entry = logged.get(key);
    if (entry && !isSignalLogged(row, entry, settlement)) {
      problems.push(`signal ${key} or its result differs from the log`);
    } else if (!entry && row.asofTs >= firstTs) problems.push(`signal ${key} was never logged`);
  }
  return problems;
}

type Content = ReturnType<typeof describeSignal>;

function keyOf({ horizon_h, bucket, strategy }: Content): string {
  return JSON.stringify([horizon_h, bucket, strategy]);
}

function isSignalLogged(
  row: SignalRecord,
  { account, asof_ts: asofTs, content }: LogEntry,
  settlement: Settlement | undefined,
): boolean {
  const isSame =
    row.accountId === account && row.asofTs === asofTs && isDeepStrictEqual(describeSignal(row), content);
  const { won, pnlUsd } = settlement ? settleBet(row, settlement.winningLabel) : { won: null, pnlUsd: null };
  return (
    isSame && row.won === won && row.pnlUsd === pnlUsd && row.settledTs === (settlement?.settledTs ?? null)
  );
}

/** Recomputed bets are not logged, because they are no evidence. */
async function compareTrialBets(
  store: Store,
  eventId: number,
  own: readonly LogEntry[],
  settlement: Settlement | undefined,
): Promise<string[]> {
  const key = (content: object) => {
    const { rule_hash, bucket, slot } = content as ReturnType<typeof describeTrialBet>;
    return JSON.stringify([rule_hash, bucket, slot]);
  };
  const logged = new Map(
    own
      .filter(({ kind, event }) => kind === 'trial' && event !== NO_EVENT)
      .map((entry) => [key(entry.content), entry]),
  );
  const rows = (await store.trials.listBets({ eventId })).filter(({ isRecomputed }) => !isRecomputed);
  const found = new Set(rows.map((row) => key(describeTrialBet(row))));
  const wrong = rows.filter((row) => {
    const entry = logged.get(key(describeTrialBet(row)));
    const expected = settlement ? settleTrialBet(row, settlement) : row;
    const isSame = entry?.asof_ts === row.asofTs && isDeepStrictEqual(describeTrialBet(row), entry.content);
    return !isSame || row.won !== expected.won || row.pnl !== expected.pnl;
  });
  return [
    ...[...logged.keys()].filter((one) => !found.has(one)).map((one) => `trial bet ${one} is missing`),
    ...wrong.map((row) => `trial bet ${key(describeTrialBet(row))} or its result differs from the log`),
  ];
}

/** Recomputes scores from forecasts and outcome, and compares them with the stored ones. */
async function compareScores(
  store: Store,
  settlement: Settlement,
  found: readonly ForecastScore[],
): Promise<string[]> {
  const event = await store.events.find(settlement.eventId);
  if (!event) return [];
  const scores = { ...store.scores, upsert: async () => {} };
  const expected = await scoreEvent({ forecasts: store.forecasts, scores }, event, settlement, 0);
  const isSame = isDeepStrictEqual(sortScores(found), sortScores(expected));
  return isSame ? [] : ['scores do not match the forecasts and the outcome'];
}

function sortScores(scores: readonly ForecastScore[]) {
  return [...scores]
    .sort((left, right) => left.horizonH - right.horizonH)
    .map(({ scoredTs: _, ...score }) => score);
}
