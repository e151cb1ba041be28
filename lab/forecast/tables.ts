// Output tables for the forecast bench: skill, log score and coverage by lead, with paired intervals, and
// calibration by class.

import { coverageShare } from '../../src/forecast/backtest/score-book.ts';
import { intervalOf, resampleBlocks } from '../../src/forecast/scoring/block-bootstrap.ts';
import { createRandom } from '../../src/runtime/random.ts';
import { LEADS, type Row } from './walk.ts';

const RESAMPLES = 400;
/** Number of consecutive windows resampled together, because windows overlap for two weeks. */
const BLOCK = 7;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length);
}

/** Skill vs. pace in percent, averaged over accounts. */
export function skillOf(rows: readonly Row[], model: string): number {
  return mean(
    [...byAccount(rows).values()].map(
      (own) =>
        100 * (1 - mean(own.map((r) => r.scores[model]!.crps)) / mean(own.map((r) => r.scores.pace!.crps))),
    ),
  );
}

export function coverageOf(rows: readonly Row[], model: string, level = 0.9): number {
  return 100 * mean(rows.map((row) => coverageShare(row.scores[model]!, level)));
}

function byAccount(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row.account) as Map<string, Row[]>;
}

/**
 * One line per lead: skills, then differences in skill and log score from the pool and the previous version.
 */
export function printLeads(title: string, rows: readonly Row[]): void {
  const models = ['pool', 'before', 'model'].filter((name) => rows[0]?.scores[name]);
  const windows = rows.length / LEADS.length;
  console.log(
    `\n${title}: ${byAccount(rows).size} accounts, ${windows} windows. Skill vs. pace-nb in percent; model differences with 90% intervals`,
  );
  for (const lead of LEADS) {
    const own = rows.filter((row) => row.lead === lead);
    const skills = models.map((name) => `${name} ${skillOf(own, name).toFixed(1)}`).join('  ');
    const others = models.filter((name) => name !== 'model').map((name) => differences(own, name));
    console.log(
      `${String(lead).padStart(4)} h  ${skills}  ${others.join('  ')}  90% coverage ${coverageOf(own, 'model').toFixed(0)}`,
    );
  }
}

/** Per account, over all leads: the change in CRPS from the previous version, most improved first. */
export function printAccounts(rows: readonly Row[]): void {
  if (!rows[0]?.scores.before) return;
  const changes = [...byAccount(rows)].map(([name, own]) => ({
    name,
    percent: 100 * (sum(own, 'model') / sum(own, 'before') - 1),
  }));
  const cells = changes.sort((a, b) => a.percent - b.percent).map((c) => `${c.name} ${signed(c.percent, 3)}`);
  console.log(`  CRPS change from before in percent, all leads: ${cells.join('  ')}`);
}

function differences(rows: readonly Row[], other: string): string {
  const accounts = [...byAccount(rows).values()];
  const skill = (sets: readonly (readonly Row[])[]) =>
    mean(
      sets.map(
        (own) =>
          (100 * (sum(own, other) - sum(own, 'model'))) / own.reduce((s, r) => s + r.scores.pace!.crps, 0),
      ),
    );
  const log = (sets: readonly (readonly Row[])[]) =>
    mean(sets.map((own) => mean(own.map((row) => row.scores.model!.log - row.scores[other]!.log))));
  return `| ${other}: skill ${withInterval(accounts, skill, 1)}, nat ${withInterval(accounts, log, 3)}`;
}

function sum(rows: readonly Row[], model: string): number {
  return rows.reduce((total, row) => total + row.scores[model]!.crps, 0);
}

/** Resamples each account's windows in blocks, jointly for all accounts. */
function withInterval(
  accounts: readonly Row[][],
  statistic: (sets: readonly (readonly Row[])[]) => number,
  digits: number,
): string {
  const random = createRandom(11);
  const values = Float64Array.from({ length: RESAMPLES }, () => {
    const sets = accounts.map((own) => {
      let drawn: Row[] = [];
      resampleBlocks(own.length, BLOCK, 1, random, (indexes) => {
        drawn = Array.from(indexes, (i) => own[i]!);
        return 0;
      });
      return drawn;
    });
    return statistic(sets);
  }).sort();
  const { lo, hi } = intervalOf(values);
  return `${signed(statistic(accounts), digits)} [${signed(lo, digits)}, ${signed(hi, digits)}]`;
}

const THIRDS = [
  { name: 'origins 22-06 h', has: (hour: number) => hour >= 22 || hour < 6 },
  { name: 'origins 06-14 h', has: (hour: number) => hour >= 6 && hour < 14 },
  { name: 'origins 14-22 h', has: (hour: number) => hour >= 14 && hour < 22 },
];
const TRENDS = [
  { name: 'after a fall', has: (trend: number) => trend < 0.7 },
  { name: 'level', has: (trend: number) => trend >= 0.7 && trend <= 1.4 },
  { name: 'after a rise', has: (trend: number) => trend > 1.4 },
];

export function printCalibration(title: string, rows: readonly Row[]): void {
  const models = ['before', 'model'].filter((name) => rows[0]?.scores[name]);
  console.log(`\n${title}: coverage of the 90% interval by lead ${LEADS.join(' / ')} h, mean PIT`);
  const classes = [
    ...THIRDS.map(({ name, has }) => ({ name, rows: rows.filter((row) => has(row.localHour)) })),
    ...TRENDS.map(({ name, has }) => ({ name, rows: rows.filter((row) => has(row.trend)) })),
  ];
  for (const { name, rows: own } of classes) {
    for (const model of models) {
      const cells = LEADS.map((lead) => {
        const at = own.filter((row) => row.lead === lead);
        return at.length === 0 ? '-' : `${coverageOf(at, model).toFixed(0)} (${at.length})`;
      });
      const pit = mean(own.map(({ scores }) => (scores[model]!.pitLo + scores[model]!.pitHi) / 2));
      const skill = own.length === 0 ? 0 : skillOf(own, model) - skillOf(own, 'pool');
      console.log(
        `  ${name.padEnd(16)} ${model.padEnd(6)} ${cells.join('  ')}  PIT ${pit.toFixed(2)}  skill vs. pool ${signed(skill, 1)}`,
      );
    }
  }
  printPit(rows, models);
  printBuckets(rows);
}

function printPit(rows: readonly Row[], models: readonly string[]): void {
  for (const model of models) {
    const shares = Array.from({ length: 10 }, (_, k) =>
      mean(rows.map(({ scores }) => overlap(scores[model]!, k / 10, (k + 1) / 10))),
    );
    console.log(
      `  PIT deciles ${model.padEnd(6)} ${shares.map((share) => (100 * share).toFixed(0)).join(' ')}`,
    );
  }
}

function overlap({ pitLo, pitHi }: { pitLo: number; pitHi: number }, from: number, to: number): number {
  const width = Math.max(1e-9, pitHi - pitLo);
  return Math.max(0, Math.min(to, pitLo + width) - Math.max(from, pitLo)) / width;
}

const CLASSES = [0.005, 0.05, 0.25, 0.5, 0.75, 1.01];

/** Calibration by bucket of predicted probability: predicted share, observed share, number of forecasts. */
function printBuckets(rows: readonly Row[]): void {
  const points = rows.flatMap((row) => row.buckets);
  const cells = CLASSES.slice(0, -1).map((from, k) => {
    const own = points.filter(({ probability }) => probability >= from && probability < CLASSES[k + 1]!);
    const said = mean(own.map(({ probability }) => probability));
    const came = mean(own.map(({ isHit }) => (isHit ? 1 : 0)));
    return `${(100 * said).toFixed(1)} -> ${(100 * came).toFixed(1)} (${own.length})`;
  });
  console.log(`  buckets, predicted -> observed %: ${cells.join('  ')}`);
}

export function signed(value: number, digits: number): string {
  return `${value >= 0 ? '+' : ''}${value.toFixed(digits)}`;
}
