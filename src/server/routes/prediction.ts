// Endpoints 6 and 7: forecasts.

import { PredictionAnswer } from '../../contract/prediction.ts';
import type { RouteContext } from '../context.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { nextBoundaryTs } from '../records/events.ts';
import { presentPrediction } from '../views/prediction.ts';

export function predictionRoutes(context: RouteContext): Route[] {
  return context.accounts.map((account) => {
    const adviser = context.adviserOf(account);
    const { defaultBankrollUsd } = context.settings;
    const find = () => context.board.find(account.accountId);
    const prepareFor = (view: 'public' | 'pro') =>
      createPreparedView({
        version: find,
        present: (nowTs) => {
          const snapshot = find();
          // The public view shows no advice, so none is computed for it.
          const signals = view === 'pro' ? adviser.advise(snapshot, defaultBankrollUsd, nowTs) : [];
          return presentPrediction(snapshot, { view, publicView: account.publicView }, signals, nowTs);
        },
        boundaryTs: (nowTs) => nextBoundaryTs(find(), nowTs),
      });
    const preparePublic = prepareFor('public');
    const preparePro = prepareFor('pro');
    return defineLooseRoute({
      path: `${API_PREFIX}/prediction/${account.segment}`,
      access: 'optional',
      cost: 'prepared',
      isPayable: true,
      document: {
        operationId: `getPrediction_${account.segment}`,
        tag: 'Prediction',
        summary: `Forecast of final counts for ${account.segment}`,
        description:
          'Public callers get counters and market prices; PRO callers also get forecast percentiles and, per bucket, model probability, edge and signal.',
        ok: PredictionAnswer,
      },
      handle: ({ view, nowTs }) => (view === 'pro' ? preparePro(nowTs) : preparePublic(nowTs)),
    });
  });
}
