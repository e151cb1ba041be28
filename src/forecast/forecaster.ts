// The forecaster of one account: digests posts as they come, refits on fixed anchors, and answers for any window.

import { anchorFor, type FittedModel, fitModel } from './fitted-model.ts';
import { certainLaw, mixLaws, percentile, shiftLaw } from './law.ts';
import { createMarketZone } from './market-zone.ts';
import { lawOf, type Outlook, rateMember, regressionMember } from './members.ts';
import { ORIGIN } from './origin-features.ts';
import type { AccountParameters } from './parameters.ts';
import { cutBlocks, filterTo } from './state-path.ts';
import { cutComingBlocks, drawCommonNormals, mixLoads, simulateLoads } from './state-simulation.ts';
import { createTimeline } from './timeline.ts';
import type { CountLaw, EventForecast, ForecastRequest, PostHistory } from './types.ts';

export const PATHS = 1024;
const FILTER_DAYS = 250;

export function createForecaster(history: PostHistory, parameters: AccountParameters, seed: number) {
  const zone = createMarketZone(parameters.marketTimeZone);
  const timeline = createTimeline(history);
  const normals = drawCommonNormals(seed, PATHS);
  let model: FittedModel | undefined;

  function observe(createdTs: number, isCounted: boolean): void {
    timeline.all.insert(createdTs);
    if (isCounted) timeline.counted.insert(createdTs);
    model?.describer.invalidateFrom(createdTs);
  }

  function refit(asofTs: number): FittedModel {
    const anchorTs = anchorFor(asofTs);
    if (model?.anchorTs !== anchorTs) model = fitModel(timeline, parameters, zone, anchorTs);
    return model;
  }

  function look(request: ForecastRequest, fitted: FittedModel): Outlook {
    const { asofTs, window } = request;
    const fromTs = Math.max(asofTs, window.startTs);
    const origin = new Float64Array(ORIGIN.width);
    fitted.describer.describe(asofTs, origin);
    const blocks = cutBlocks(timeline.counted, fitted.exposure, timeline.firstTs, asofTs, FILTER_DAYS);
    return {
      asofTs,
      fromTs,
      endTs: window.endTs,
      exposure: fitted.exposure.between(fromTs, window.endTs),
      origin,
      state: filterTo(blocks, fitted.stateSpace),
    };
  }

  function memberLaws(request: ForecastRequest): Record<string, CountLaw> {
    const fitted = refit(request.asofTs);
    const outlook = look(request, fitted);
    const blocks = cutComingBlocks(fitted.exposure, outlook.asofTs, outlook.fromTs, outlook.endTs);
    return {
      rate3: lawOf(rateMember(fitted, outlook, 3)),
      rate7: lawOf(rateMember(fitted, outlook, 4)),
      rate14: lawOf(rateMember(fitted, outlook, 5)),
      state: mixLoads(simulateLoads(outlook.state, fitted.stateSpace, blocks, normals)),
      direct: lawOf(regressionMember(fitted, outlook)),
    };
  }

  function forecast(request: ForecastRequest): EventForecast {
    const { asofTs, countSoFar, window } = request;
    let law = certainLaw(countSoFar);
    if (asofTs < window.endTs) {
      const laws = memberLaws(request);
      law = shiftLaw(mixLaws([laws.state!, laws.direct!], [0.5, 0.5]), countSoFar);
    }
    return {
      asofTs,
      countSoFar,
      law,
      p5: percentile(law, 0.05),
      p50: percentile(law, 0.5),
      p95: percentile(law, 0.95),
      modelSd: 0,
    };
  }

  return { timeline, observe, refit, forecast, memberLaws };
}

export type Forecaster = ReturnType<typeof createForecaster>;
