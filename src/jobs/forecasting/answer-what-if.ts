// Handles a what-if request on the forecaster thread: computes distributions, prices and stakes for all open
// events under the scenario and returns one event's ladder. An empty scenario returns the published forecast.

import type { Account } from '../../domain/account.ts';
import { isNeutral, type Scenario } from '../../forecast/scenario.ts';
import type { AccountSnapshot, EventState } from '../../state/snapshot.ts';
import { decide } from '../../trade/advice/adviser.ts';
import { buildLadder, type LadderRow } from '../../trade/advice/ladder.ts';
import { sizeSignals } from '../../trade/advice/signals.ts';
import { getSizingRules } from '../../trade/sizing/sizing-rules.ts';
import type { AccountAnswer, EventAnswer, EventTask } from './forecast-messages.ts';

/** The part of a snapshot that pricing needs; it does not include posts. */
export type PricedSnapshot = Pick<
  AccountSnapshot,
  'events' | 'quotes' | 'feeds' | 'jointFinals' | 'isPastMissing' | 'evidence' | 'standing' | 'takenTs'
>;

export interface WhatIfQuestion {
  account: Pick<Account, 'accountId' | 'allowsSell'>;
  eventId: number;
  scenario: Scenario;
  /** null if unchanged since the account's last request, because passing it to the thread is expensive. */
  snapshot: PricedSnapshot | null;
  /** One task per open event with a forecast. */
  tasks: readonly EventTask[];
  asofTs: number;
  bankrollUsd: number;
  nowTs: number;
}

export interface WhatIfAnswer {
  asofTs: number;
  countSoFar: number;
  p5: number;
  p50: number;
  p95: number;
  rows: LadderRow[];
}

/** An event's forecast without the full distribution. */
export type ImaginedEvent = Omit<EventAnswer, 'distribution' | 'distributionFrom' | 'baselines'>;

interface Imagined extends Pick<AccountAnswer, 'jointFinals'> {
  events: readonly ImaginedEvent[];
}

type Forecast = (tasks: readonly EventTask[], scenario: Scenario, asofTs: number) => Imagined;

export function answerWhatIf(
  question: Omit<WhatIfQuestion, 'snapshot'>,
  snapshot: PricedSnapshot,
  forecast: Forecast,
): WhatIfAnswer {
  const { account, eventId, tasks, scenario, asofTs, bankrollUsd, nowTs } = question;
  const imagined = isNeutral(scenario, asofTs)
    ? snapshot
    : withForecasts(snapshot, forecast(tasks, scenario, asofTs));
  const rules = getSizingRules(account);
  const decisions = decide(imagined, rules, nowTs);
  const decided = decisions.events.find(({ event }) => event.eventId === eventId);
  const sized = sizeSignals(decisions, bankrollUsd, rules).find((event) => event.eventId === eventId);
  const reported = imagined.events.find(({ event }) => event.eventId === eventId)?.forecast;
  if (!reported || !decided || !sized) throw new Error(`event ${eventId} is not open`);
  const { countSoFar, p5, p50, p95 } = reported;
  return {
    asofTs: reported.asofTs,
    countSoFar,
    p5,
    p50,
    p95,
    rows: buildLadder(decided.event, sized.signals),
  };
}

function withForecasts(snapshot: PricedSnapshot, { events, jointFinals }: Imagined): PricedSnapshot {
  const reported = new Map(events.map((event) => [event.eventId, event]));
  const replace = (state: EventState): EventState => {
    const forecast = reported.get(state.event.eventId);
    return forecast && state.forecast ? { ...state, forecast: { ...state.forecast, ...forecast } } : state;
  };
  const eventIds = events.map(({ eventId }) => eventId);
  // Scenario advice starts fresh, so that hysteresis from current advice does not affect it.
  const { standing: _, ...imagined } = snapshot;
  return {
    ...imagined,
    events: snapshot.events.map(replace),
    jointFinals: jointFinals && { eventIds, finals: jointFinals },
  };
}
