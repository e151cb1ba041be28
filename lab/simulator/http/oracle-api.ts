// The settlement oracle over HTTP: users, trackings with their statistics, posts.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/domain/units.ts';
import { wallToUtcTs } from '../../../src/domain/zoned-time.ts';
import { hashNumbers } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import { eventSlug, eventTitle } from '../market/event-words.ts';
import { makeCuid, makeUuid } from '../platform-ids.ts';
import { postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest, toIso, toIsoSeconds } from './answer.ts';

export interface OracleApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createOracleApi(state: SimulatorState): OracleApi {
  const key = hashNumbers(state.seedKey, 0x0ac);

  function userId(account: SimulatorAccount): string {
    return makeUuid(key, account.parameters.platform === 'X' ? 1 : 2);
  }

  function findUser(name: string, platform: string | null): SimulatorAccount | undefined {
    return state.findAccount(
      (one) =>
        one.handle.toLowerCase() === name.toLowerCase() &&
        (!platform || platform === platformName(one.platform)),
    );
  }

  function slotsOf(account: SimulatorAccount, nowTs: number): CountSlot[] {
    return state.countEvents
      .slotsListedBy(nowTs)
      .filter((slot) => slot.variant === 'count' && slot.accountId === account.parameters.accountId)
      .filter((slot) => !isUntracked(account, slot))
      .sort((left, right) => right.window.startTs - left.window.startTs);
  }

  function toUser(account: SimulatorAccount, nowTs: number): Record<string, unknown> {
    const { parameters, oracle } = account;
    const syncedTs = oracle.schedule.lastSyncTs(nowTs);
    return {
      id: userId(account),
      handle: parameters.handle,
      name: parameters.displayName,
      platform: platformName(parameters.platform),
      platformId: parameters.platformUserId,
      avatarUrl: 'https://images.example/avatar.png',
      bio: '',
      verified: false,
      lastSync: toIso(syncedTs),
      lastSyncError: null,
      createdAt: toIso(state.options.anchorTs),
      updatedAt: toIso(syncedTs + 1),
    };
  }

  function toTracking(account: SimulatorAccount, slot: CountSlot, nowTs: number): Record<string, unknown> {
    const isActive = nowTs < slot.window.endTs + 8 * SECOND_MS;
    return {
      id: makeUuid(key, slot.eventId),
      userId: userId(account),
      title: eventTitle(account.parameters, slot),
      startDate: toIso(slot.window.startTs),
      endDate: toIso(slot.window.endTs - SECOND_MS),
      target: null,
      marketLink: `https://market.example/event/${eventSlug(account.parameters, slot)}`,
      isActive,
      metrics: {},
      config: {},
      createdAt: toIso(slot.listedTs),
      updatedAt: toIso(isActive ? slot.listedTs : slot.window.endTs + 8 * SECOND_MS),
    };
  }

  function toPost(account: SimulatorAccount, post: SimulatorPost): Record<string, unknown> {
    return {
      id: makeCuid(key, post.createdTs),
      userId: userId(account),
      platformId: post.id,
      content: postText(post, 0),
      createdAt: toIsoSeconds(post.createdTs),
      importedAt: toIso(account.oracle.importedTsOf(post)!),
      metrics: null,
    };
  }

  function listPosts(account: SimulatorAccount, query: URLSearchParams, nowTs: number): Answer {
    const zone = query.get('timezone') ?? 'America/New_York';
    const fromTs = readDate(query.get('startDate'), zone, 0) ?? account.ledger.oldestTs;
    const toTs = readDate(query.get('endDate'), zone, DAY_MS - 1) ?? nowTs;
    if (Number.isNaN(fromTs) || Number.isNaN(toTs)) return refusal(400, 'Invalid date');
    // Times are whole seconds, so the end includes its whole second.
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
    for (const account of state.accounts) {
      const slot = slotsOf(account, nowTs).find((candidate) => makeUuid(key, candidate.eventId) === id);
      if (!slot) continue;
      const tracking = { ...toTracking(account, slot, nowTs), user: toUser(account, nowTs) };
      if (query.get('includeStats') !== 'true') return envelope(tracking);
      return envelope({ ...tracking, stats: toStats(state, account, slot, nowTs) });
    }
    return refusal(404, 'Tracking not found');
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
      if (state.faults.hits('oracle-empty', nowTs)) return envelope([]);
      return route(request, nowTs);
    },
  };
}

/** Some accounts' months have a market but no tracking. */
function isUntracked({ parameters }: SimulatorAccount, slot: CountSlot): boolean {
  return slot.family === 'month' && parameters.hasUntrackedMonths;
}

/** The oracle calls its hourly rows "daily". */
function toStats(
  state: SimulatorState,
  account: SimulatorAccount,
  slot: CountSlot,
  nowTs: number,
): Record<string, unknown> {
  const { startTs, endTs } = slot.window;
  const posts = account.oracle.postsIn(startTs, endTs, nowTs);
  const counts = new Array<number>(Math.max(0, Math.ceil((Math.min(nowTs, endTs) - startTs) / HOUR_MS))).fill(
    0,
  );
  for (const post of posts) counts[Math.floor((post.createdTs - startTs) / HOUR_MS)]! += 1;
  let cumulative = 0;
  const daily = counts.map((count, hour) => {
    cumulative += count;
    return { date: toIso(startTs + hour * HOUR_MS), count, cumulative };
  });
  const daysTotal = Math.round((endTs - startTs) / DAY_MS);
  const daysElapsed = Math.min(daysTotal, Math.max(0, Math.ceil((nowTs - startTs) / DAY_MS)));
  const glitch =
    (state.faults.valueAt('oracle-jump', nowTs) ?? 0) - (state.faults.valueAt('oracle-drop', nowTs) ?? 0);
  const total = Math.max(0, posts.length + glitch);
  return {
    total,
    cumulative: total,
    pace: daysElapsed > 0 ? Math.round((total / daysElapsed) * daysTotal) : 0,
    percentComplete: Math.round((100 * daysElapsed) / daysTotal),
    daysElapsed,
    daysRemaining: Math.max(0, Math.ceil((endTs - nowTs) / DAY_MS)),
    daysTotal,
    isComplete: nowTs >= endTs,
    daily,
  };
}

function platformName(platform: 'X' | 'MASTODON'): string {
  return platform === 'X' ? 'X' : 'TRUTH_SOCIAL';
}

/** A time, or a bare date in the zone. */
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
