// What-if: applies assumptions about the account (it stays silent, posts faster, has just posted) and returns
// the resulting ladder and advice.

import { named, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { FaultError, valueFault } from '../../contract/faults.ts';
import { CLOSED, Type } from '../../contract/schema.ts';
import type { Account } from '../../domain/account.ts';
import { isActiveAt } from '../../domain/market-event.ts';
import { HOUR_MS } from '../../domain/units.ts';
import type { Scenario } from '../../forecast/scenario.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { createTurnQueue } from '../../runtime/turn-queue.ts';
import type { PublishedForecast } from '../../state/snapshot.ts';
import type { ImaginedLadder, RouteContext } from '../context.ts';
import { inactiveEvent } from '../find-event.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { BankrollParameter } from '../records/advice.ts';
import type { EventSource } from '../records/events.ts';
import { recordOf } from '../records/record.ts';
import { LadderRecord } from './ladder.ts';

export const WhatIfBody = named(
  'WhatIfBody',
  Type.Object(
    {
      event_id: Type.Integer({ minimum: 0 }),
      pace_factor: Type.Optional(
        Type.Number({ minimum: 0.1, maximum: 10, default: 1, description: 'Multiple of the expected rate' }),
      ),
      silent_hours: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1_000, description: 'Hours without a post, starting now' }),
      ),
      wake_ts: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 8_640_000_000_000_000,
          description: 'No post before this time, UTC milliseconds',
        }),
      ),
      posts_added: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 500,
          default: 0,
          description: 'Extra counted posts, assumed to be posted now',
        }),
      ),
      bankroll: Type.Optional(BankrollParameter),
    },
    CLOSED,
  ),
);

const Percentiles = Type.Object({ p5: Type.Number(), p50: Type.Number(), p95: Type.Number() });

const ScenarioRecord = recordOf<Scenario>()({
  pace_factor: [Type.Number(), ({ paceFactor }) => paceFactor],
  wake_ts: [Type.Union([Type.Integer(), Type.Null()]), ({ wakeTs }) => wakeTs],
  posts_added: [Type.Integer(), ({ postsAdded }) => postsAdded],
});

interface WhatIfSource {
  source: EventSource;
  published: PublishedForecast;
  scenario: Scenario;
  bankrollUsd: number;
  imagined: ImaginedLadder;
}

const WhatIfRecord = recordOf<WhatIfSource>('WhatIfRecord')({
  event_id: [Type.Integer(), ({ source }) => source.state.event.eventId],
  asof_ts: [Ts, ({ imagined }) => imagined.asofTs],
  scenario: [ScenarioRecord.schema, ({ scenario }) => ScenarioRecord.present(scenario)],
  real_counter: [
    Type.Integer({ description: 'Including posts_added' }),
    ({ imagined }) => imagined.countSoFar,
  ],
  forecast: [Percentiles, ({ imagined }) => presentPercentiles(imagined)],
  published: [named('PublishedPercentiles', Percentiles), ({ published }) => presentPercentiles(published)],
  ladder: [
    LadderRecord.schema,
    ({ source, bankrollUsd, imagined: { rows } }) => LadderRecord.present({ ...source, bankrollUsd, rows }),
  ],
});

function presentPercentiles({ p5, p50, p95 }: Pick<PublishedForecast, 'p5' | 'p50' | 'p95'>) {
  return { p5, p50, p95 };
}

export function whatIfRoutes(context: RouteContext): Route[] {
  const turns = createTurnQueue(1);
  return context.accounts.map((account) =>
    defineRoute({
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
        ok: objectEnvelope('WhatIfAnswer', WhatIfRecord.schema),
        also: [400, 413, 415],
      },
      async handle({ body, nowTs }) {
        const scenario = readScenario(body, nowTs);
        const bankrollUsd = body.bankroll ?? context.settings.defaultBankrollUsd;
        const { source, published } = findPublished(context, account, body.event_id, nowTs);
        const question = { eventId: body.event_id, scenario, bankrollUsd, nowTs };
        const imagined = await turns.enter(0, () => ask(context, account, question));
        const data = WhatIfRecord.present({ source, published, scenario, bankrollUsd, imagined });
        return okUncached({ timestamp: nowTs, data });
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
): { source: EventSource; published: PublishedForecast } {
  const snapshot = board.find(account.accountId);
  const state = snapshot?.events.find(({ event }) => event.eventId === eventId);
  if (!snapshot || !state || !isActiveAt(state.event.window, nowTs)) throw inactiveEvent(account, eventId);
  if (!state.forecast) throw notNow('There is no forecast for this event yet.');
  return { source: { snapshot, state, nowTs }, published: state.forecast };
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
