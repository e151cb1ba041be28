// Options shared by both price backtests, and the walk-forward plan built from them.

import type { Account } from '../domain/account.ts';
import type { EdgeEvidence } from '../domain/standing-advice.ts';
import { getAccountParameters } from '../forecast/parameters.ts';
import type { PostHistory } from '../forecast/types.ts';
import { UsageError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { parsePrices } from '../trade/backtest/price-file.ts';
import type { SignalStep, SignalWalkPlan } from '../trade/backtest/signal-walk.ts';
import { describePriceAges, explainNoOrigins } from '../trade/backtest/walk-origins.ts';
import { fixWeight } from '../trade/edges/blend.ts';
import { countEventsNeeded } from '../trade/edges/learn-evidence.ts';
import {
  choosePrior,
  computePriorShare,
  PRIOR_EVIDENCE,
  VAGUE_EVIDENCE,
} from '../trade/edges/prior-evidence.ts';
import { comparePredictions, type PredictedObserved } from '../trade/record/predicted-observed.ts';
import { getSizingRules } from '../trade/sizing/sizing-rules.ts';
import { required } from './arguments.ts';
import { readBacktestOptions } from './backtest-options.ts';
import { type FileAccess, readParsed } from './files.ts';
import { formatTable } from './text-table.ts';

export interface MarketOptions {
  pricesFile: string;
  /** null: use every time in the price file. */
  horizonsH: number[] | null;
  feeRate: number;
  halfSpread: number;
  priorName: string;
  /** null: chosen by the events' dates. */
  prior: EdgeEvidence | null;
  /** A fixed weight; null to learn it. */
  isLearning: boolean;
  ndjsonFile: string | undefined;
}

const DEFAULT_LEADS = '6,24,48,72';

export function parseMarketOptions(args: readonly string[]): MarketOptions {
  const values = readBacktestOptions(args);
  const weight = parseWeight(values['model-weight']);
  const priorName = weight === null ? (values.prior ?? 'by date') : `weight ${weight}`;
  const leads = values.leads ?? DEFAULT_LEADS;
  return {
    pricesFile: required(values.prices, '--prices'),
    horizonsH: leads === 'all' ? null : leads.split(',').map((lead) => parseNumber(lead, 'leads')),
    feeRate: parseNumber(values['fee-rate'] ?? '0.05', 'fee-rate', true),
    halfSpread: parseNumber(values['half-spread'] ?? '0.01', 'half-spread', true),
    priorName,
    prior: weight === null ? namePrior(priorName) : fixWeight(weight),
    isLearning: weight === null,
    ndjsonFile: values.ndjson,
  };
}

export function planWalk(
  options: MarketOptions,
  history: PostHistory,
  profile: Account,
  io: FileAccess,
): SignalWalkPlan {
  const snapshots = readParsed(io, options.pricesFile, parsePrices);
  const lastPostTs = history.createdTs.at(-1) ?? 0;
  const problem = explainNoOrigins(snapshots, options.horizonsH, lastPostTs);
  if (problem !== null) throw new UsageError(problem);
  for (const line of describePriceAges(snapshots, options.horizonsH, lastPostTs)) io.print(`${line}\n`);
  const { horizonsH, halfSpread, isLearning, feeRate } = options;
  const prior = options.prior ?? choosePrior(snapshots.map(({ window }) => window.endTs));
  return {
    history,
    parameters: getAccountParameters(profile),
    snapshots,
    ...{ horizonsH, halfSpread, prior, isLearning },
    fee: { rate: feeRate, exponent: 1 },
    rules: getSizingRules(profile),
  };
}

function namePrior(name: string): EdgeEvidence | null {
  if (name === 'by date') return null;
  if (name === 'shipped') return PRIOR_EVIDENCE;
  if (name === 'vague') return VAGUE_EVIDENCE;
  throw new UsageError(`--prior ${name}: expected shipped or vague`);
}

function parseWeight(text: string | undefined): number | null {
  if (text === undefined) return null;
  const weight = Number(text);
  if (!(weight >= 0 && weight <= 1)) throw new UsageError(`--model-weight: ${text} is not between 0 and 1`);
  return weight;
}

function parseNumber(text: string, name: string, mayBeZero = false): number {
  const value = Number(text);
  if (!(Number.isFinite(value) && (value > 0 || (mayBeZero && value === 0)))) {
    throw new UsageError(`--${name}: ${text} is not a positive number`);
  }
  return value;
}

export function formatAdvice(
  steps: readonly SignalStep[],
  { halfSpread, feeRate, priorName }: MarketOptions,
  random: Random,
): string {
  const whole = steps.filter((step) => step.isWhole);
  const events = new Set(whole.map((step) => step.eventId)).size;
  const rows = comparePredictions(
    whole.flatMap((step) => step.signals),
    random,
  ).filter(({ bets, probabilityClass }) => bets > 0 || probabilityClass === null);
  const terms = `half-spread ${halfSpread}, fee rate ${feeRate}, prior ${priorName}`;
  const headings = ['edge', 'bets', 'events', 'predicted', 'market', 'observed', 'expected 90 %', 'return'];
  return [
    `followed advice on ${whole.length} complete ladders from ${events} events (${terms}); intervals resampled by event`,
    formatTable([...headings, 'return 90 %', 'closing line'], rows.map(toRow)),
    formatAbstentions(whole),
  ].join('\n');
}

/** Why buckets were not traded, with the number of bucket decisions for each reason. */
function formatAbstentions(steps: readonly SignalStep[]): string {
  const reasons = steps.flatMap(({ abstainReasons }) => abstainReasons.map(shortenReason));
  if (reasons.length === 0) return '';
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [all.length, reason]);
  const sorted = counts.sort((a, b) => Number(b[0]) - Number(a[0]));
  return formatTable(['buckets', 'not traded because'], sorted as [number, string][]);
}

/** Without the numbers of a single bucket. */
function shortenReason(reason: string): string {
  return reason.replace(/ *[(:].*$/s, '').replaceAll(/\d+(\.\d+)?/g, 'N');
}

function toRow(row: PredictedObserved): (string | number)[] {
  const { probabilityClass: band, expectedInterval, ledger } = row;
  const range = (interval: { lo: number; hi: number } | null) =>
    interval ? `[${percent(interval.lo)}, ${percent(interval.hi)}]` : '-';
  return [
    band ? `  ${percent(band.from)} to ${percent(band.to)}` : row.edgeKind,
    row.bets,
    row.events,
    percent(row.predicted),
    percent(row.marketImplied),
    percent(row.observed),
    range(expectedInterval),
    percent(ledger.returnOnStake),
    range(ledger.returnInterval),
    ledger.closingLineValue === null ? '-' : `${(100 * ledger.closingLineValue).toFixed(2)}¢`,
  ];
}

/** Two-sided 90 % intervals. */
const SDS = 1.645;

export function formatEvidence(before: EdgeEvidence, after: EdgeEvidence): string {
  const names = ['model above', 'model below', 'longer lead', 'larger gap', 'price band'];
  const show = ({ mean, covariance }: EdgeEvidence, k: number) =>
    showWeight(mean[k]!, Math.sqrt(covariance[k]![k]!));
  const share = (evidence: EdgeEvidence) => `${(100 * computePriorShare(evidence)).toFixed(0)} %`;
  const needed = (evidence: EdgeEvidence, side: 'above' | 'below') =>
    countEventsNeeded(evidence, side) ?? 'contradicted';
  const { unaided } = after;
  return [
    `weights of the gap between model and market after ${after.events} events, 90 % intervals`,
    formatTable(
      ['gap', 'before', 'after'],
      [
        ...names.map((name, k) => [name, show(before, k), show(after, k)]),
        ['share of the prior', share(before), share(after)],
        ['events for proof, above', needed(before, 'above'), needed(after, 'above')],
        ['events for proof, below', needed(before, 'below'), needed(after, 'below')],
      ],
    ),
    unaided
      ? `the events alone ask for ${showWeight(unaided.weight, unaided.sd)} on both sides; the moments of one event count as ${unaided.independentMoments.toFixed(1)}\n`
      : 'the events alone do not determine a weight\n',
  ].join('\n');
}

function showWeight(mean: number, sd: number): string {
  return `${mean.toFixed(2)} [${(mean - SDS * sd).toFixed(2)}, ${(mean + SDS * sd).toFixed(2)}]`;
}

function percent(fraction: number | null): string {
  return fraction === null ? '-' : `${(100 * fraction).toFixed(1)}%`;
}
