// Cost of reading a paid platform per UTC day and month, from its price list. The bill may differ slightly.
// The cap is enforced here, so that our own bugs cannot use up the credit.

import type { Clock } from '../runtime/clock.ts';
import { SourceError } from '../runtime/errors.ts';
import { asArray, asRecord, readNumber, readText, tryParseJson } from './wire-reader.ts';

/** Cost of a source in USD, estimated from its price list. */
export interface SpendSummary {
  dayUsd: number;
  monthUsd: number;
  /** Maximum per calendar month (UTC); null for no cap. */
  capUsd: number | null;
}

export interface SpendMeter {
  /** Name of the paid platform. */
  readonly name: string;
  /** Charges each post in a response once per UTC day. */
  chargePosts(ids: Iterable<string>, usdPerPost: number): void;
  charge(usd: number): void;
  /** Throws once the month's cap is reached. */
  assertWithinCap(): void;
  summary(): SpendSummary;
  /** Increases with every charge, so that the saver knows when to save. */
  readonly revision: number;
  save(): string;
  restore(text: string): void;
}

/** Ids remembered per day so that rereading a post is free; beyond this many, every read is charged. */
const MAX_DAY_IDS = 20_000;

export function createSpendMeter(options: {
  name: string;
  clock: Clock;
  capUsd: number | null;
  /** Mentioned in the error message when the cap is reached. */
  capSetting: string;
}): SpendMeter {
  const { name, clock, capUsd } = options;
  let day = '';
  let month = '';
  let dayUsd = 0;
  let monthUsd = 0;
  let dayIds = new Set<string>();
  let revision = 0;

  function turn(): void {
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    if (today === day) return;
    if (today.slice(0, 7) !== month) monthUsd = 0;
    day = today;
    month = today.slice(0, 7);
    dayUsd = 0;
    dayIds = new Set();
  }

  function charge(usd: number): void {
    turn();
    if (usd <= 0) return;
    dayUsd += usd;
    monthUsd += usd;
    revision += 1;
  }

  return {
    name,
    charge,
    chargePosts(ids, usdPerPost) {
      turn();
      let fresh = 0;
      for (const id of ids) {
        if (dayIds.has(id)) continue;
        fresh += 1;
        if (dayIds.size < MAX_DAY_IDS) dayIds.add(id);
      }
      charge(fresh * usdPerPost);
    },
    assertWithinCap() {
      turn();
      if (capUsd === null || monthUsd < capUsd) return;
      throw new SourceError(
        `${name}: the cap of ${capUsd} USD a month (${options.capSetting}) is reached; reading resumes next month or after you raise the cap`,
        { isRetryable: false, needsOperator: true },
      );
    },
    summary() {
      turn();
      return { dayUsd: toCents(dayUsd), monthUsd: toCents(monthUsd), capUsd };
    },
    get revision() {
      return revision;
    },
    save: () => JSON.stringify({ day, dayUsd, monthUsd, ids: [...dayIds] }),
    restore(text) {
      const saved = readSaved(text);
      if (!saved) return;
      ({ day, dayUsd, monthUsd } = saved);
      month = day.slice(0, 7);
      dayIds = new Set(saved.ids);
      turn();
    },
  };
}

interface Spent {
  day: string;
  dayUsd: number;
  monthUsd: number;
}

function readSaved(text: string): (Spent & { ids: string[] }) | null {
  const saved = asRecord(tryParseJson(text));
  const day = saved && readText(saved, 'day');
  if (!saved || !day) return null;
  return {
    day,
    dayUsd: readNumber(saved, 'dayUsd') ?? 0,
    monthUsd: readNumber(saved, 'monthUsd') ?? 0,
    ids: (asArray(saved.ids) ?? []).filter((id) => typeof id === 'string'),
  };
}

/** Rounds to 0.01 cents, because a single read costs half a cent or less. */
function toCents(usd: number): number {
  return Math.round(usd * 10_000) / 10_000;
}
