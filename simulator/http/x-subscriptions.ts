// X activity subscriptions.

import { makeSnowflake } from '../platform-ids.ts';
import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, ok, type SimulatorRequest, toIsoSeconds } from './answer.ts';
import { invalid, problem } from './x-problems.ts';

export interface Subscription {
  subscription_id: string;
  event_type: string;
  filter: { user_id: string };
  tag?: string;
  created_at: string;
  updated_at: string;
}

export function createXSubscriptions(state: SimulatorState) {
  const subscriptions: Subscription[] = [];

  function list(): Answer {
    return ok({ data: subscriptions, meta: { total_subscriptions: subscriptions.length } });
  }

  async function subscribe(request: SimulatorRequest): Promise<Answer> {
    const body = (await request.body()) as {
      event_type?: string;
      filter?: { user_id?: string };
      tag?: string;
    } | null;
    const userId = body?.filter?.user_id;
    if (!body?.event_type || !userId)
      return invalid('event_type', 'event_type and filter.user_id are required');
    if (subscriptions.some((one) => one.event_type === body.event_type && one.filter.user_id === userId)) {
      return problem(409, 'Conflict', 'Subscription already exists');
    }
    const nowTs = state.now();
    const subscription: Subscription = {
      subscription_id: makeSnowflake(nowTs, subscriptions.length + 1),
      event_type: body.event_type,
      filter: { user_id: userId },
      ...(body.tag ? { tag: body.tag } : {}),
      created_at: toIsoSeconds(nowTs),
      updated_at: toIsoSeconds(nowTs),
    };
    subscriptions.push(subscription);
    return ok({ data: [subscription], meta: { total_subscriptions: subscriptions.length } });
  }

  function unsubscribe(id: string): Answer {
    const index = subscriptions.findIndex((one) => one.subscription_id === id);
    if (index < 0) return problem(404, 'Not Found Error', 'Could not find the subscription');
    subscriptions.splice(index, 1);
    return ok({ data: { deleted: true }, meta: { total_subscriptions: subscriptions.length } });
  }

  return { subscriptions, subscribe, unsubscribe, list };
}
