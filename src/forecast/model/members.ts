// The pool members: each maps the data known at a time to a remaining count. Training origins and live
// forecasts use the same functions.

import { HOUR_MS } from '../../domain/units.ts';
import type { CountShape } from '../distribution/count-shape.ts';
import type { ExposureClock } from '../time/exposure.ts';
import type { CoreParameters, CoreState } from './core-state.ts';
import { type CountRegression, predictorVariance } from './count-regression.ts';
import { FIXED_PARAMETERS } from './fixed-state.ts';
import { MEMORY_WIDTH, type MemoryFit, monthLogRate, quarterLogRate, writeMemories } from './memory-fit.ts';
import { quietScale } from './past-windows.ts';
import { MOVES_WIDTH, writeMoves } from './recent-moves.ts';
import type { SharedKnowledge } from './shared-coefficients.ts';
import { comingShape, cutComingBlocks } from './state-path.ts';

/** The account's state at one time, shared by all its windows. */
export interface Standing {
  asofTs: number;
  /** Contains the ORIGIN vector starting at index `originAt`. */
  origin: Float64Array;
  originAt: number;
  core: CoreState;
  fixed: CoreState;
}

/** Inputs to every member. */
export interface Outlook extends Standing {
  /** Remaining part of the window: [fromTs, endTs). */
  fromTs: number;
  endTs: number;
  /** Multiplies every mean; 1 for a regular forecast. */
  paceFactor: number;
}

/** Fitted inputs to the members. */
export interface MemberFits {
  core: CoreParameters;
  exposure: ExposureClock;
  memories: readonly MemoryFit[];
  shared: SharedKnowledge;
}

/** Locates a horizon between two fitted ones: index of the lower, and weight of the upper in ln horizon. */
export function bracketHorizon(
  horizons: readonly { hours: number }[],
  hours: number,
): { low: number; share: number } {
  let low = 0;
  while (low < horizons.length - 2 && horizons[low + 1]!.hours <= hours) low += 1;
  const a = Math.log(horizons[low]!.hours);
  const b = Math.log(horizons[low + 1]!.hours);
  return { low, share: Math.max(-1, Math.min(1, (Math.log(Math.max(0.1, hours)) - a) / (b - a))) };
}

export function horizonHours({ asofTs, endTs }: Pick<Outlook, 'asofTs' | 'endTs'>): number {
  return (endTs - asofTs) / HOUR_MS;
}

/** Forecast shapes of all members, in the order of MEMBERS. */
export function memberShapes(fits: MemberFits, outlook: Outlook): CountShape[] {
  const { asofTs, fromTs, endTs, paceFactor } = outlook;
  const blocks = cutComingBlocks(fits.exposure, asofTs, fromTs, endTs);
  const core = comingShape(outlook.core, fits.core, blocks);
  const shapes = [
    core,
    { ...core, mean: core.mean * reversionFactor(fits.shared, outlook) },
    memoryShape(fits, outlook),
    comingShape(outlook.fixed, FIXED_PARAMETERS, blocks),
    calmShape(fits, outlook),
  ];
  return shapes.map((shape) => ({ ...shape, mean: shape.mean * paceFactor }));
}

const moves = new Float64Array(MOVES_WIDTH);
const MAX_REVERSION = 0.7;

/** How far the rate reverts after a fall or a rise, as learned from 14 other accounts. */
export function reversionFactor({ reversion }: SharedKnowledge, outlook: Outlook): number {
  const { low, share } = bracketHorizon(reversion, horizonHours(outlook));
  writeMoves(outlook.origin, outlook.originAt, moves, 0);
  const upper = Math.max(0, share);
  const shift = (1 - upper) * dot(reversion[low]!.beta, moves) + upper * dot(reversion[low + 1]!.beta, moves);
  return Math.exp(Math.max(-MAX_REVERSION, Math.min(MAX_REVERSION, shift)));
}

const memoryFeatures = new Float64Array(MEMORY_WIDTH);

function memoryShape({ memories, exposure }: MemberFits, outlook: Outlook): CountShape {
  const { low, share } = bracketHorizon(memories, horizonHours(outlook));
  writeMemories(outlook.origin, outlook.originAt, memoryFeatures, 0);
  const [a, b] = [memories[low]!.regression, memories[low + 1]!.regression];
  const shape = regressionShape(a, b, share, memoryFeatures);
  const rate = Math.exp(monthLogRate(outlook.origin, outlook.originAt));
  const mean = exposure.between(outlook.fromTs, outlook.endTs) * rate * shape.factor;
  return withDoubt(mean, shape.size * scaleOf(exposure, outlook), shape.doubt);
}

function calmShape({ memories, exposure }: MemberFits, outlook: Outlook): CountShape {
  const { low, share } = bracketHorizon(memories, horizonHours(outlook));
  const size = blendLog(memories[low]!.calmSize, memories[low + 1]!.calmSize, share);
  const rate = Math.exp(quarterLogRate(outlook.origin, outlook.originAt));
  const mean = exposure.between(outlook.fromTs, outlook.endTs) * rate;
  return { mean, logVariance: 0, size: size * scaleOf(exposure, outlook) };
}

/** Interpolates a regression between two horizons: mean factor, size and coefficient uncertainty. */
function regressionShape(a: CountRegression, b: CountRegression, share: number, x: Float64Array) {
  const upper = Math.max(0, share);
  const move = (beta: Float64Array) => Math.max(-3, Math.min(3, dot(beta, x)));
  const doubt = (covariance: Float64Array) => predictorVariance(covariance, x, x.length);
  return {
    factor: Math.exp((1 - upper) * move(a.beta) + upper * move(b.beta)),
    size: blendLog(a.size, b.size, share),
    doubt: (1 - upper) * doubt(a.covariance) + upper * doubt(b.covariance),
  };
}

/** Widens the count by the uncertainty of the coefficients. */
function withDoubt(mean: number, size: number, doubt: number): CountShape {
  return { mean, logVariance: 0, size: 1 / (1 / size + doubt) };
}

function scaleOf(exposure: MemberFits['exposure'], { fromTs, endTs }: Outlook): number {
  return quietScale(exposure.between(fromTs, endTs) / ((endTs - fromTs) / HOUR_MS));
}

function blendLog(a: number, b: number, share: number): number {
  return Math.exp((1 - share) * Math.log(a) + share * Math.log(b));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}
