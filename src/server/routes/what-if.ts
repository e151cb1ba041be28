// What-if: applies assumptions about the account (it stays silent, posts faster, has just posted) and returns
// the resulting ladder and advice.

import { FaultError, valueFault } from '../../contract/faults.ts';
import { WhatIfAnswer, WhatIfBody } from '../../contract/what-if.ts';
import type { Account } from '../../domain/account.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Scenario } from '../../forecast/scenario.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { PublishedForecast } from '../../state/snapshot.ts';
import type { ImaginedLadder, RouteContext } from '../context.ts';
import { inactiveEvent } from '../find-event.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { createFairTurns } from '../http/fair-turns.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentLadders } from '../views/ladder.ts';

/** Paying callers without a key count as one caller in the queue. */
const PAYING = 'paying';

export function whatIfRoutes(context: RouteContext): Route[] {
  const turns = createFairTurns();
  return context.accounts.map((account) =>
    defineLooseRoute({
      method: 'POST',
      path: `${API_PREFIX}/what-if/${account.segment}`,
      access: 'PRO',
      isPayable: true,
      body: WhatIfBody,
      document: {
        operationId: `askWhatIf_${account.segment}`,
        tag: 'Signals',
        summary: `Forecast, ladder and advice for an event of ${account.segment} under an assumption`,
        description:
          "Assume a pace, a silence from now, or extra posts now. The assumption applies to all of the account's open events; without one, the result is the published forecast. The model does not learn from assumptions.",
        ok: WhatIfAnswer,
        also: [400, 413, 415],
      },
      async handle({ body, identity, nowTs }) {
        const scenario = readScenario(body, nowTs);
        const bankrollUsd = body.bankroll ?? context.settings.defaultBankrollUsd;
        const { title, published } = findPublished(context, account, body.event_id, nowTs);
        const question = { eventId: body.event_id, scenario, bankrollUsd, nowTs };
        const { rows, asofTs, countSoFar, p5, p50, p95 } = await turns.enter(identity?.keyId ?? PAYING, () =>
          ask(context, account, question),
        );
        const snapshot = context.board.find(account.accountId);
        const ladders = [{ eventId: body.event_id, title, rows }];
        return okUncached({
          timestamp: nowTs,
          data: {
            event_id: body.event_id,
            asof_ts: asofTs,
            scenario: {
              pace_factor: scenario.paceFactor,
              wake_ts: scenario.wakeTs,
              posts_added: scenario.postsAdded,
            },
            real_counter: countSoFar,
            forecast: { p5, p50, p95 },
            published: { p5: published.p5, p50: published.p50, p95: published.p95 },
            ladder: presentLadders(snapshot, ladders, bankrollUsd, nowTs).data[0],
          },
        });
      },
    }),
  );
}

interface Assumption {
  pace_factor?: number;
  silent_hours?: number;
  wake_ts?: number;
  posts_added?: number;
}

function readScenario(body: Assumption, nowTs: number): Scenario {
  if (body.silent_hours !== undefined && body.wake_ts !== undefined) {
    throw new FaultError([valueFault(['body', 'wake_ts'], 'wake_ts and silent_hours cannot both be given')]);
  }
  const wakeTs = body.wake_ts ?? Math.round(nowTs + (body.silent_hours ?? 0) * HOUR_MS);
  return {
    paceFactor: body.pace_factor!,
    wakeTs: wakeTs > nowTs ? wakeTs : null,
    postsAdded: body.posts_added!,
  };
}

/** Only running events can be simulated. */
function findPublished(
  { board }: RouteContext,
  account: Account,
  eventId: number,
  nowTs: number,
): { title: string; published: PublishedForecast } {
  const state = board.find(account.accountId)?.events.find(({ event }) => event.eventId === eventId);
  if (!state || !isActiveAt(state.event.window, nowTs)) throw inactiveEvent(account, eventId);
  if (!state.forecast) throw notNow('There is no forecast for this event yet.');
  return { title: state.event.title, published: state.forecast };
}

type Question = Parameters<NonNullable<RouteContext['whatIf']>['ask']>[1];

async function ask(
  { whatIf, withDeadline, logger }: RouteContext,
  { accountId }: Account,
  question: Question,
): Promise<ImaginedLadder> {
  if (whatIf === null) throw notNow('No model is available in this process.');
  const answer = await withDeadline(whatIf.ask(accountId, question)).catch((error: unknown) => {
    logger.warn({ accountId, problem: errorMessage(error) }, 'what-if failed');
    return null;
  });
  if (answer === null) throw notNow('The model is still loading posts.');
  return answer;
}

function notNow(reason: string): ApiError {
  return new ApiError(503, `${reason} Try again shortly.`, { 'Retry-After': '5' });
}
