// Users, trackings, statistics and posts in the oracle's format.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { hashNumbers } from '../chance.ts';
import type { CountSlot } from '../event-calendar.ts';
import { eventSlug, eventTitle } from '../market/event-words.ts';
import { makeCuid, makeUuid } from '../platform-ids.ts';
import { postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { toIso, toIsoSeconds } from './answer.ts';

export function createOracleWire(state: SimulatorState) {
  const key = hashNumbers(state.seedKey, 0x0ac);

  function toTrackingId(slot: CountSlot): string {
    return makeUuid(key, slot.eventId);
  }

  function userId(account: SimulatorAccount): string {
    return makeUuid(key, account.parameters.platform === 'X' ? 1 : 2);
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
      id: toTrackingId(slot),
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

  return { toTrackingId, toUser, toTracking, toPost };
}

/** The oracle calls its hourly rows "daily". */
export function toStats(
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
  const total = Math.max(0, account.oracle.countIn(startTs, endTs, nowTs) + glitch);
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

export function platformName(platform: 'X' | 'MASTODON'): string {
  return platform === 'X' ? 'X' : 'TRUTH_SOCIAL';
}
