// Formats the result as text: one line per event, then totals, faults and failures.

import type { Comparison, EventRow } from './compare.ts';
import type { RunResult } from './run.ts';
import type { ShownCounts } from './shown-counts.ts';
import type { StaleSummary } from './stale-watch.ts';

export interface Facts {
  days: number;
  speed: number;
  seed: string;
  engine: string;
  runFromTs: number;
  untilTs: number;
  realS: number;
  run: RunResult;
  comparison: Comparison;
  stale: StaleSummary;
  shown: ShownCounts;
  kills: number;
  crashes: number;
}

export function describeResult(facts: Facts, broken: readonly string[]): string {
  const { run, comparison, stale, shown } = facts;
  const faults = [...run.ordered].sort(([left], [right]) => left.localeCompare(right));
  return [
    `counts: ${facts.days} simulated days, ${day(facts.runFromTs)} to ${day(facts.untilTs)}, speed ${facts.speed}, ` +
      `seed ${facts.seed}, ${facts.engine}, ${facts.realS} real s`,
    '',
    describeEvent('event', 'happened', 'unseen', 'deleted', 'ours', ''),
    ...comparison.rows.map(describeRow),
    '',
    `events compared:            ${comparison.rows.length}; ${shown.counts.size} active ones also compared with /meta`,
    `counted posts in the run:   ${comparison.counted}; ${comparison.neverShown} of them never delivered by any feed, so not countable`,
    `deleted and still counted:  ${comparison.deletedCaptured}; ${comparison.deletedMarked} of them marked as deleted`,
    `deleted within 10 s:        ${comparison.fastDeleted}; ${comparison.fastCaptured} of them delivered, all counted`,
    `known from the oracle only: ${comparison.onlyFromOracle}`,
    `lost in flight to a killed process and deleted before the next poll: ${comparison.diedWithReader}`,
    `stored and reported as doubtful: ${comparison.inDoubt}`,
    `rows in the store:          ${comparison.posts}, each a different post`,
    `total feed outages:         ${stale.outages}; reported stale after ${stale.medianReported} × stale-after (median), ${stale.slowestReported} at most (last response in flight stored ${stale.latestHeardS} real s into an outage); ` +
      `slowest recovery ${stale.slowestRecoveryS} real s`,
    ...(stale.standstills > 0
      ? [
          `the machine stalled ${stale.standstills} times for more than 5 s; outages at those times are ignored`,
        ]
      : []),
    `kill -9:                    ${facts.kills}; crashes: ${facts.crashes}`,
    `faults enabled:             ${faults.map(([name, times]) => `${name} ${times}`).join(', ')}`,
    `manual posts, each deleted within 10 s: ${run.posted}`,
    '',
    broken.length === 0
      ? 'counts: nothing broken'
      : `counts: broken\n  ${broken.slice(0, 40).join('\n  ')}\n  ${broken.length} in total`,
  ].join('\n');
}

function describeRow({ event, happened, neverShown, deleted, ours, low, high }: EventRow): string {
  const pending = happened - neverShown;
  const isWithin = low <= pending && pending <= high;
  const numbers = [happened, neverShown, deleted, ours].map(String) as [string, string, string, string];
  return describeEvent(
    event.slug,
    ...numbers,
    ours === pending ? 'equal' : isWithin ? `within ${low} to ${high}` : 'WRONG',
  );
}

function describeEvent(
  name: string,
  happened: string,
  unseen: string,
  deleted: string,
  ours: string,
  verdict: string,
): string {
  const numbers = [happened, unseen, deleted, ours].map((text) => text.padStart(9)).join('');
  return `${name.padEnd(64)}${numbers}  ${verdict}`.trimEnd();
}

function day(ts: number): string {
  return new Date(ts).toISOString().slice(0, 16);
}
