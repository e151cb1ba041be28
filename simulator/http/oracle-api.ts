// The settlement oracle over HTTP: users, trackings with statistics, posts.

import { DAY_MS, SECOND_MS } from '../../src/domain/units.ts';
import { wallToUtcTs } from '../../src/domain/zoned-time.ts';
import type { CountSlot } from '../event-calendar.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest } from './answer.ts';
import { createOracleWire, platformName, toStats } from './oracle-wire.ts';

export interface OracleApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createOracleApi(state: SimulatorState): OracleApi {
  const { toTrackingId, toUser, toTracking, toPost } = createOracleWire(state);

  function findUser(name: string, platform: string | null): SimulatorAccount | undefined {
    return state.findAccount(
      (one) =>
        one.handle.toLowerCase() === name.toLowerCase() &&
        (!platform || platform === platformName(one.platform)),
    );
  }

  let tracked = { listed: 0, byAccount: new Map<string, CountSlot[]>(), byId: new Map<string, CountSlot>() };

  /** Listings are only added, so their number says whether there are new ones. */
  function track(nowTs: number): typeof tracked {
    const slots = state.countEvents.slotsListedBy(nowTs);
    if (slots.length === tracked.listed) return tracked;
    // Some accounts have monthly markets without a tracking.
    const withoutMonths = new Set(
      state.accounts.flatMap(({ parameters: { hasUntrackedMonths, accountId } }) =>
        hasUntrackedMonths ? [accountId] : [],
      ),
    );
    const counts = slots.filter(
      ({ variant, family, accountId }) =>
        variant === 'count' && !(family === 'month' && withoutMonths.has(accountId)),
    );
    counts.sort((left, right) => right.window.startTs - left.window.startTs);
    const byAccount = Map.groupBy(counts, ({ accountId }) => accountId);
    const byId = new Map(counts.map((slot) => [toTrackingId(slot), slot]));
    tracked = { listed: slots.length, byAccount, byId };
    return tracked;
  }

  function accountOf({ accountId }: CountSlot): SimulatorAccount {
    return state.findAccount((one) => one.accountId === accountId)!;
  }

  function slotsOf({ parameters }: SimulatorAccount, nowTs: number): readonly CountSlot[] {
    return track(nowTs).byAccount.get(parameters.accountId) ?? [];
  }

  function listPosts(account: SimulatorAccount, query: URLSearchParams, nowTs: number): Answer {
    const zone = query.get('timezone') ?? 'America/New_York';
    const fromTs = readDate(query.get('startDate'), zone, 0) ?? account.ledger.oldestTs;
    const toTs = readDate(query.get('endDate'), zone, DAY_MS - 1) ?? nowTs;
    if (Number.isNaN(fromTs) || Number.isNaN(toTs)) return refusal(400, 'Invalid date');
    // Times have whole seconds, so the end includes its entire second.
    const posts = account.oracle.postsIn(fromTs, Math.floor(toTs / SECOND_MS) * SECOND_MS + SECOND_MS, nowTs);
    return envelope(posts.map((post) => toPost(account, post)));
  }

  function listTrackings(
    accounts: readonly SimulatorAccount[],
    query: URLSearchParams,
    nowTs: number,
  ): Answer {
    const all = accounts.flatMap((account) =>
      slotsOf(account, nowTs).map((slot) => toTracking(account, slot, nowTs)),
    );
    return envelope(query.get('activeOnly') === 'true' ? all.filter((tracking) => tracking.isActive) : all);
  }

  function oneTracking(id: string, query: URLSearchParams, nowTs: number): Answer {
    const slot = track(nowTs).byId.get(id);
    if (!slot) return refusal(404, 'Tracking not found');
    const account = accountOf(slot);
    const tracking = { ...toTracking(account, slot, nowTs), user: toUser(account, nowTs) };
    if (query.get('includeStats') !== 'true') return envelope(tracking);
    return envelope({ ...tracking, stats: toStats(state, account, slot, nowTs) });
  }

  function userWithTrackings(account: SimulatorAccount, nowTs: number): Record<string, unknown> {
    const count = account.oracle.countIn(account.ledger.oldestTs, nowTs + 1, nowTs);
    const trackings = slotsOf(account, nowTs).map((slot) => toTracking(account, slot, nowTs));
    return { ...toUser(account, nowTs), trackings, _count: { posts: count } };
  }

  function route(request: SimulatorRequest, nowTs: number): Answer {
    const { query } = request;
    const path = request.path.replace(/^\/api(?=\/)/, '');
    const platform = query.get('platform');
    if (path === '/users') {
      const users = state.accounts.filter(
        ({ parameters }) => !platform || platformName(parameters.platform) === platform,
      );
      return envelope(users.map((account) => userWithTrackings(account, nowTs)));
    }
    if (path === '/trackings') return listTrackings(state.accounts, query, nowTs);
    const tracking = matchPath('/trackings/:id', path);
    if (tracking) return oneTracking(tracking.id!, query, nowTs);
    const match =
      matchPath('/users/:handle', path) ??
      matchPath('/users/:handle/posts', path) ??
      matchPath('/users/:handle/trackings', path);
    const account = match && findUser(match.handle!, platform);
    if (!account) return refusal(404, 'User not found');
    if (path.endsWith('/posts')) return listPosts(account, query, nowTs);
    if (path.endsWith('/trackings')) return listTrackings([account], query, nowTs);
    return envelope(userWithTrackings(account, nowTs));
  }

  return {
    async handle(request) {
      const nowTs = state.now();
      if (request.method !== 'GET') return refusal(405, 'Method not allowed');
      return route(request, nowTs);
    },
  };
}

/** Parses a timestamp, or a bare date in the given zone. */
function readDate(text: string | null, zone: string, endOfDayMs: number): number | null {
  if (!text) return null;
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!day) return Date.parse(text);
  const wall = { year: Number(day[1]), month: Number(day[2]), day: Number(day[3]) };
  return wallToUtcTs(wall, zone === 'EST' ? 'America/New_York' : zone) + endOfDayMs;
}

function envelope(data: unknown): Answer {
  return ok({ success: true, data });
}

function refusal(status: number, message: string): Answer {
  return failure(status, { success: false, data: null, message });
}
