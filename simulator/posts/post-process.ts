// Draws an account's posts hour by hour: sessions start at the current rate, each with a burst. An hour's
// draws depend on the seed, the hour and the rate path, so history never changes.

import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { createRandom, type Random } from '../../src/runtime/random.ts';
import type { SimulatorAccountParameters } from '../account-parameters.ts';
import { hashNumbers } from '../chance.ts';
import { easternDayNumber } from '../eastern-time.ts';
import { drawKind, drawPost } from './draw-post.ts';
import {
  computeDailyShape,
  createRatePath,
  type DailyShape,
  dayFactor,
  hourlyRate,
  type RatePath,
} from './rate-path.ts';
import type { SimulatorPost } from './simulator-post.ts';
import { isAsleep } from './sleep-schedule.ts';

export interface PostProcess {
  readonly path: RatePath;
  readonly key: number;
  /**
   * Every post created in the hour that starts at `hourTs`; hours must be requested in order and without
   * gaps.
   */
  drawHour(hourTs: number): SimulatorPost[];
  readonly shape: DailyShape;
}

export function createPostProcess(
  parameters: SimulatorAccountParameters,
  key: number,
  anchorTs: number,
): PostProcess {
  const path = createRatePath(parameters, hashNumbers(key, 1), anchorTs);
  const sleepKey = hashNumbers(key, 2);
  const shape = computeDailyShape(parameters);
  let pending: SimulatorPost[] = [];

  function sessionRate(hourTs: number): number {
    const rate = hourlyRate(parameters, shape.awake, path.stateAt(hourTs), hourTs);
    return (rate * dayFactor(parameters, key, easternDayNumber(hourTs))) / parameters.session.meanPosts;
  }

  return {
    path,
    key,
    shape,
    drawHour(hourTs) {
      path.extendTo(hourTs + HOUR_MS);
      const random = createRandom(hashNumbers(key, 3, hourTs / HOUR_MS));
      const sessions = drawPoisson(random, sessionRate(hourTs));
      for (let i = 0; i < sessions; i++) {
        const startTs = hourTs + Math.floor(random.uniform() * HOUR_MS);
        const burst = drawSession(parameters, random, startTs);
        if (!isAsleep(sleepKey, parameters.sleep, startTs)) pending.push(...burst);
      }
      pending.sort((left, right) => left.createdTs - right.createdTs);
      const done = pending.filter((post) => post.createdTs < hourTs + HOUR_MS);
      pending = pending.slice(done.length);
      return done;
    },
  };
}

function drawSession(
  parameters: SimulatorAccountParameters,
  random: Random,
  startTs: number,
): SimulatorPost[] {
  const { session } = parameters;
  const posts: SimulatorPost[] = [];
  let ts = startTs;
  do {
    const post = drawPost(parameters, random, ts, drawKind(parameters, random), null);
    posts.push(post, ...drawAfterthought(parameters, post));
    if (post.kind === 'original') ts = drawThread(parameters, random, post, posts);
    ts += 1000 + Math.round(session.medianGapMs * Math.exp(session.gapSigma * random.normal()));
  } while (random.uniform() < 1 - 1 / session.meanPosts && posts.length < 60);
  return posts;
}

/** Self-replies, directly after the post they continue. */
function drawThread(
  parameters: SimulatorAccountParameters,
  random: Random,
  first: SimulatorPost,
  posts: SimulatorPost[],
): number {
  let previous = first;
  while (random.uniform() < parameters.selfReplyAfterOriginal) {
    const ts = previous.createdTs + Math.round((0.4 + 2 * random.uniform()) * MINUTE_MS);
    previous = drawPost(parameters, random, ts, 'self-reply', previous);
    posts.push(previous);
  }
  return previous.createdTs;
}

/**
 * Occasionally the account replies to its own reply in someone else's conversation; such a self-reply does
 * not count.
 */
const AFTERTHOUGHT_SHARE = 0.03;

/** Drawn separately, so that other posts stay the same. */
function drawAfterthought(parameters: SimulatorAccountParameters, reply: SimulatorPost): SimulatorPost[] {
  if (reply.kind !== 'reply') return [];
  const random = createRandom(hashNumbers(Number(reply.id.slice(-9)), reply.createdTs / 1000, 0xaf7));
  if (random.uniform() >= AFTERTHOUGHT_SHARE) return [];
  const ts = reply.createdTs + 1 + Math.round((0.2 + random.uniform()) * MINUTE_MS);
  return [drawPost(parameters, random, ts, 'self-reply', reply)];
}

function drawPoisson(random: Random, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const floor = Math.exp(-mean);
  let count = 0;
  for (let product = random.uniform(); product > floor; product *= random.uniform()) count++;
  return count;
}
