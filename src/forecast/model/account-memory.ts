// Per-account state between requests: posts, the fitted model, the account's state at recent times, and the
// rates simulated from the latest one.

import type { AccountParameters } from '../parameters.ts';
import { ORIGIN } from '../rate/origin-features.ts';
import type { MarketZone } from '../time/market-zone.ts';
import { createTimeline, type Timeline } from '../time/timeline.ts';
import type { ForecastRequest, PostHistory } from '../types.ts';
import { filterCore, initialCore } from './core-state.ts';
import { type FittedModel, fitModel, learningAnchor } from './fitted-model.ts';
import { filterFixed } from './fixed-state.ts';
import type { Outlook, Standing } from './members.ts';
import type { RatePaths } from './rate-paths.ts';
import type { SharedKnowledge } from './shared-coefficients.ts';
import { cutBlocks, cutComingBlocks, meanLogRate } from './state-path.ts';

/** Number of times for which the state is cached. */
const STANDINGS_KEPT = 4;
/** The state decays, so days before this have no effect. */
const FILTER_DAYS = 250;

export interface AccountMemory {
  readonly timeline: Timeline;
  observe(createdTs: number, isCounted: boolean): void;
  /** Fits to the posts up to the last anchor before asofTs, unless already done. */
  refit(asofTs: number): FittedModel;
  /** Inputs shared by all members. */
  look(request: ForecastRequest): { fitted: FittedModel; outlook: Outlook };
  /** One load per path, for ranking the futures. Valid until the next request. */
  loadsOf(outlook: Outlook, fitted: FittedModel): Float64Array;
}

export function createAccountMemory(
  history: PostHistory,
  parameters: AccountParameters,
  zone: MarketZone,
  paths: RatePaths,
  shared: SharedKnowledge,
): AccountMemory {
  const timeline = createTimeline(history);
  let model: FittedModel | undefined;
  /** Keyed by time, because requests alternate between events that are not published together. */
  const standings = new Map<number, Standing>();
  const loads = new Float64Array(paths.count);

  function observe(createdTs: number, isCounted: boolean): void {
    const isEarliest = createdTs < timeline.firstTs || timeline.all.length === 0;
    timeline.all.insert(createdTs);
    if (isCounted) timeline.counted.insert(createdTs);
    standings.clear();
    // The fit is valid only for the history it was fitted to.
    if (model && (isEarliest || createdTs <= model.anchorTs)) model = undefined;
    model?.describer.invalidateFrom(createdTs);
  }

  function refit(asofTs: number): FittedModel {
    const anchorTs = learningAnchor(asofTs, timeline.firstTs);
    if (model?.anchorTs !== anchorTs) {
      standings.clear();
      model = fitModel(timeline, parameters, zone, anchorTs, shared);
    }
    return model;
  }

  /** The account's state at asofTs, shared by all its windows. */
  function standing(asofTs: number, fitted: FittedModel): Standing {
    const known = standings.get(asofTs);
    if (known) return known;
    const origin = new Float64Array(ORIGIN.width);
    fitted.describer.describe(asofTs, origin);
    const blocks = cutBlocks(timeline.counted, fitted.exposure, timeline.firstTs, asofTs, FILTER_DAYS);
    const start = initialCore(fitted.core, meanLogRate(blocks));
    const { state: core } = filterCore(blocks.counts, blocks.exposures, fitted.core, start);
    const fixed = filterFixed(blocks);
    if (standings.size >= STANDINGS_KEPT) standings.clear();
    const stands = { asofTs, origin, originAt: 0, core, fixed };
    standings.set(asofTs, stands);
    return stands;
  }

  function look({ asofTs, window, paceFactor = 1 }: ForecastRequest) {
    const fitted = refit(asofTs);
    const fromTs = Math.max(asofTs, window.startTs);
    return { fitted, outlook: { ...standing(asofTs, fitted), fromTs, endTs: window.endTs, paceFactor } };
  }

  function loadsOf(outlook: Outlook, fitted: FittedModel): Float64Array {
    const { asofTs, fromTs, endTs, core, paceFactor } = outlook;
    const blocks = cutComingBlocks(fitted.exposure, asofTs, fromTs, endTs);
    paths.loads(core, fitted.core, blocks, { loads });
    if (paceFactor !== 1) for (let p = 0; p < loads.length; p++) loads[p]! *= paceFactor;
    return loads;
  }

  return { timeline, observe, refit, look, loadsOf };
}
