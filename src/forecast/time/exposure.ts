// Exposure: an hour's expected activity relative to the mean hour, by local hour of day and day of week. The
// rest of the model uses rates per unit of exposure, so that nights do not look like lulls.

import { DAY_MS, HOUR_MS } from '../../domain/units.ts';
import type { MarketZone } from './market-zone.ts';
import type { SortedTimes } from './timeline.ts';

export interface ExposureSettings {
  halfLifeDays: number;
  levelDays: number;
  dayPseudoHours: number;
  lookbackDays: number;
}

const EXPOSURE_SETTINGS: ExposureSettings = {
  halfLifeDays: 75,
  levelDays: 14,
  dayPseudoHours: 200,
  lookbackDays: 300,
};

/** A factor with mean 1 for each hour of the local week. */
export type WeekProfile = Float64Array;

/** Estimated only from counted posts up to asofTs. */
export function estimateWeekProfile(
  counted: SortedTimes,
  firstTs: number,
  asofTs: number,
  zone: MarketZone,
  settings: ExposureSettings = EXPOSURE_SETTINGS,
): WeekProfile {
  const sums = sumRelativeCounts(counted, firstTs, asofTs, zone, settings);
  const hours = smoothHours(sums);
  const days = shrinkDays(sums, hours, settings.dayPseudoHours);
  const profile = new Float64Array(168);
  for (let h = 0; h < 168; h++) profile[h] = hours[h % 24]! * days[Math.floor(h / 24)]!;
  const mean = profile.reduce((sum, w) => sum + w, 0) / 168;
  return profile.map((w) => Math.max(0.02, w / mean));
}

interface RelativeCounts {
  /** Weighted (count / level) and weighted hours, per hour of the week. */
  relative: Float64Array;
  weight: Float64Array;
}

function sumRelativeCounts(
  counted: SortedTimes,
  firstTs: number,
  asofTs: number,
  zone: MarketZone,
  settings: ExposureSettings,
): RelativeCounts {
  const relative = new Float64Array(168);
  const weight = new Float64Array(168);
  const startTs = Math.max(firstTs, asofTs - settings.lookbackDays * DAY_MS);
  const endHour = Math.floor(asofTs / HOUR_MS);
  const startHour = Math.max(Math.ceil(startTs / HOUR_MS), endHour - settings.lookbackDays * 24);
  let level = 1;
  let index = counted.countBefore(startHour * HOUR_MS);
  for (let hour = startHour; hour < endHour; hour++) {
    const ts = hour * HOUR_MS;
    // The level moves slowly, so updating it once a day is enough.
    if ((hour - startHour) % 24 === 0) level = levelAround(counted, ts, firstTs, asofTs, settings.levelDays);
    let count = 0;
    while (index < counted.length && counted.at(index) < ts + HOUR_MS) {
      index += 1;
      count += 1;
    }
    const w = 2 ** ((ts - asofTs) / (settings.halfLifeDays * DAY_MS));
    const slot = zone.hourOfWeek(ts);
    relative[slot]! += (w * count) / level;
    weight[slot]! += w;
  }
  return { relative, weight };
}

/** Mean hourly count over the known days around an hour. */
function levelAround(
  counted: SortedTimes,
  ts: number,
  firstTs: number,
  asofTs: number,
  levelDays: number,
): number {
  const from = Math.max(firstTs, ts - (levelDays / 2) * DAY_MS);
  const to = Math.min(asofTs, ts + (levelDays / 2) * DAY_MS);
  const hours = Math.max(24, (to - from) / HOUR_MS);
  return (counted.countSince(from, to) + 2) / hours;
}

const SMOOTHING = [1, 2, 3, 2, 1];

function smoothHours({ relative, weight }: RelativeCounts): Float64Array {
  const byHour = new Float64Array(24);
  for (let hour = 0; hour < 24; hour++) {
    let sum = 0;
    let total = 0;
    for (let day = 0; day < 7; day++) {
      sum += relative[day * 24 + hour]!;
      total += weight[day * 24 + hour]!;
    }
    // Two pseudo-days at the mean keep the profile of a new account flat.
    byHour[hour] = (sum + 2) / (total + 2);
  }
  return byHour.map((_, hour) =>
    SMOOTHING.reduce((sum, w, k) => sum + (w / 9) * byHour[(hour + k + 22) % 24]!, 0),
  );
}

function shrinkDays(
  { relative, weight }: RelativeCounts,
  hours: Float64Array,
  pseudoHours: number,
): Float64Array {
  const days = new Float64Array(7);
  for (let day = 0; day < 7; day++) {
    let sum = 0;
    let expected = 0;
    for (let hour = 0; hour < 24; hour++) {
      sum += relative[day * 24 + hour]!;
      expected += weight[day * 24 + hour]! * hours[hour]!;
    }
    days[day] = (sum + pseudoHours) / (expected + pseudoHours);
  }
  return days;
}

/** Cumulative exposure over past and future hours; partial hours count pro rata. */
export class ExposureClock {
  readonly #profile: WeekProfile;
  readonly #zone: MarketZone;
  readonly #firstHour: number;
  #totals: Float64Array;
  #filled = 0;

  constructor(profile: WeekProfile, zone: MarketZone, firstHour: number, lastHour: number) {
    this.#profile = profile;
    this.#zone = zone;
    this.#firstHour = firstHour;
    this.#totals = new Float64Array(Math.max(64, lastHour - firstHour + 2));
    this.#fill(this.#totals.length - 1);
  }

  /** Exposure of the hour with this absolute index. */
  ofHour(hour: number): number {
    return this.#profile[this.#zone.hourOfWeek(hour * HOUR_MS)]!;
  }

  /** Exposure over [fromTs, toTs), in hours of mean activity. */
  between(fromTs: number, toTs: number): number {
    return toTs > fromTs ? this.#upTo(toTs) - this.#upTo(fromTs) : 0;
  }

  #upTo(ts: number): number {
    const hours = ts / HOUR_MS - this.#firstHour;
    if (hours < 0) return hours;
    const whole = Math.floor(hours);
    if (whole + 1 > this.#filled) this.#fill(whole + 24);
    const start = this.#totals[whole]!;
    return start + (hours - whole) * (this.#totals[whole + 1]! - start);
  }

  #fill(upTo: number): void {
    if (upTo >= this.#totals.length) {
      const larger = new Float64Array(Math.ceil(upTo * 1.2) + 800);
      larger.set(this.#totals);
      this.#totals = larger;
    }
    const last = this.#totals.length - 1;
    for (let i = this.#filled; i < last; i++) {
      this.#totals[i + 1] = this.#totals[i]! + this.ofHour(this.#firstHour + i);
    }
    this.#filled = last;
  }
}
