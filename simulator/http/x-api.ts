import { MINUTE_MS } from '../../src/domain/units.ts';
import { SIMULATOR_TOKEN, type SimulatorAccount, type SimulatorState } from '../simulator-state.ts';
import { type Answer, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createRateWindow } from './rate-window.ts';
import { lookUpPosts, readTimeline } from './x-posts.ts';
import { notFound, problem, refuseForMoney } from './x-problems.ts';
import { createXSubscriptions, type Subscription } from './x-subscriptions.ts';

const APP_LIMIT = 10_000;
const LOOKUP_LIMIT = 3_500;
export interface XApi {
  handle(request: SimulatorRequest): Promise<Answer>;
  readonly subscriptions: readonly Subscription[];
  isAuthorized(headers: Headers): boolean;
}

export function createXApi(state: SimulatorState): XApi {
  const timelineWindow = createRateWindow(15 * MINUTE_MS);
  const lookupWindow = createRateWindow(15 * MINUTE_MS);
  const { subscriptions, subscribe, unsubscribe, list } = createXSubscriptions(state);

  function findUser(matches: (handle: string, id: string) => boolean): SimulatorAccount | undefined {
    return state.findAccount((one) => one.platform === 'X' && matches(one.handle, one.platformUserId));
  }

  function limited(window: typeof timelineWindow, limit: number, run: (nowTs: number) => Answer): Answer {
    const nowTs = state.now();
    const taken = window.take(limit, nowTs);
    const headers = {
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(taken.remaining),
      'x-rate-limit-reset': String(Math.ceil(taken.resetTs / 1000)),
    };
    const answer = taken.isAllowed ? run(nowTs) : problem(429, 'Too Many Requests', 'Too Many Requests');
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  /** Balance in USD: ample unless a fault lowers it. */
  function presentCredits(): Answer {
    const balance = state.faults.valueAt('x-no-credit', state.now()) === null ? 25 : 0;
    return ok({ data: { total_balance: balance, prepaid_balance: balance, free_balance: 0 } });
  }

  function isAuthorized(headers: Headers): boolean {
    const token = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    return token === (state.options.bearerToken ?? SIMULATOR_TOKEN);
  }

  return {
    subscriptions,
    isAuthorized,
    async handle(request) {
      const { method, path, query } = request;
      if (!isAuthorized(request.headers)) return problem(401, 'Unauthorized', 'Unauthorized');
      if (method === 'GET' && path === '/2/usage/credits') return presentCredits();
      const refusal = refuseForMoney(state.faults, state.now());
      if (refusal) return refusal;
      const user = matchPath('/2/users/by/username/:name', path);
      if (method === 'GET' && user) {
        const account = findUser((handle) => handle.toLowerCase() === user.name!.toLowerCase());
        if (!account) return ok({ errors: [notFound('username', user.name!)] });
        const { platformUserId, displayName, handle } = account.parameters;
        return ok({ data: { id: platformUserId, name: displayName, username: handle } });
      }
      const tweets = matchPath('/2/users/:id/tweets', path);
      if (method === 'GET' && tweets) {
        const account = findUser((_, id) => id === tweets.id);
        const limit = state.faults.valueAt('x-rate-limit', state.now()) ?? APP_LIMIT;
        return limited(timelineWindow, limit, (nowTs) =>
          account ? readTimeline(state, account, query, nowTs) : ok({ errors: [notFound('id', tweets.id!)] }),
        );
      }
      if (method === 'GET' && path === '/2/tweets')
        return limited(lookupWindow, LOOKUP_LIMIT, (nowTs) => lookUpPosts(state, query, nowTs));
      if (path === '/2/activity/subscriptions') {
        if (method === 'POST') return subscribe(request);
        if (method === 'GET') return list();
      }
      const one = matchPath('/2/activity/subscriptions/:id', path);
      if (method === 'DELETE' && one) return unsubscribe(one.id!);
      return problem(404, 'Not Found', 'Not Found');
    },
  };
}
