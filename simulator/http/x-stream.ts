// The activity stream: one JSON object per line as posts appear and disappear, and blank lines as keep-alive.

import { HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { createRepeat } from '../../src/runtime/repeat.ts';
import { chance, hashNumbers } from '../chance.ts';
import { makeSnowflake } from '../platform-ids.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import { speedOf } from '../simulator-clock.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import type { Subscription } from './x-subscriptions.ts';
import { allFields, latestVersion, toTweet } from './x-wire.ts';

/** Open streams that X allows an app. */
export const MAX_STREAMS = 2;
const KEEP_ALIVE_MS = 20 * SECOND_MS;
/** Maximum pause between two checks, so that faults take effect soon. */
const MAX_PAUSE_MS = SECOND_MS;
/** Minimum pause in real time; a fast simulator sends several posts at once. */
const MIN_PAUSE_WALL_MS = 1;

interface Activity {
  ts: number;
  account: SimulatorAccount;
  eventType: 'post.create' | 'post.delete';
  post: SimulatorPost;
}

export function openActivityStream(
  state: SimulatorState,
  subscriptions: readonly Subscription[],
  signal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream({
    start(controller) {
      stop = presentActivities(state, subscriptions, controller, onEnd);
      signal.addEventListener('abort', () => stop(), { once: true });
    },
    cancel: () => stop(),
  });
}

/** Returns a function that stops the stream. */
function presentActivities(
  state: SimulatorState,
  subscriptions: readonly Subscription[],
  controller: ReadableStreamDefaultController<Uint8Array>,
  onEnd: () => void,
): () => void {
  const encoder = new TextEncoder();
  let reportedTs = state.now();
  let aliveTs = reportedTs;
  let isOpen = true;
  const looking = createRepeat({
    clock: state.clock,
    firstPauseMs: 1,
    pauseMs: () => pauseMs(state, state.now()),
    run: look,
  });
  void looking.start();
  for (const { ledger } of state.accounts) ledger.insertListeners.add(wakeSoon);

  /** Wakes a moment later, because a check finds only what happened before it. */
  function wakeSoon(): void {
    state.clock.after(1, looking.wake);
  }

  function report(lines: readonly string[], nowTs: number): void {
    for (const line of lines) controller.enqueue(encoder.encode(`${line}\r\n`));
    if (lines.length > 0) aliveTs = nowTs;
  }

  function look(): void {
    if (!isOpen) return;
    const nowTs = state.now();
    if (state.faults.isOn('stream-down', nowTs)) {
      end();
      return;
    }
    if (!state.faults.isOn('stream-silent', nowTs)) {
      report(linesBetween(state, subscriptions, reportedTs, nowTs), nowTs);
      if (nowTs - aliveTs >= KEEP_ALIVE_MS) report([''], nowTs);
    }
    reportedTs = nowTs;
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    onEnd();
    void looking.stop();
    for (const { ledger } of state.accounts) ledger.insertListeners.delete(wakeSoon);
    try {
      controller.close();
    } catch {
      // The client had already cancelled it.
    }
  }
  return end;
}

/** Milliseconds until just after the next event, within bounds. */
function pauseMs(state: SimulatorState, nowTs: number): number {
  const floorMs = MIN_PAUSE_WALL_MS * Math.max(1, speedOf(state.clock));
  const [next] = activitiesBetween(state, nowTs, nowTs + MAX_PAUSE_MS);
  return Math.max(floorMs, next ? next.ts + 1 - nowTs : MAX_PAUSE_MS);
}

function linesBetween(
  state: SimulatorState,
  subscriptions: readonly Subscription[],
  fromTs: number,
  toTs: number,
): string[] {
  const lines: string[] = [];
  for (const activity of activitiesBetween(state, fromTs, toTs)) {
    const { platformUserId } = activity.account.parameters;
    const subscription = subscriptions.find(
      (one) => one.event_type === activity.eventType && one.filter.user_id === platformUserId,
    );
    if (!subscription) continue;
    const line = JSON.stringify({ data: toEvent(state, activity, subscription) });
    lines.push(line);
    const share = state.faults.valueAt('posts-duplicated', toTs) ?? 0;
    if (chance(hashNumbers(state.seedKey, activity.post.createdTs), 21) < share) lines.push(line);
    if (activity.eventType === 'post.create') activity.post.firstServedTs ??= toTs;
  }
  return lines;
}

/**
 * Posts that appeared or disappeared in [fromTs, toTs), in order. The current millisecond is left to the next
 * check, because more may happen in it. An edit appears as a new post on the stream.
 */
function activitiesBetween(state: SimulatorState, fromTs: number, toTs: number): Activity[] {
  const found: Activity[] = [];
  const isDue = (ts: number | null) => ts !== null && ts >= fromTs && ts < toTs;
  for (const account of state.accounts) {
    if (account.parameters.platform !== 'X') continue;
    const { ledger } = account;
    for (const post of ledger.range(fromTs - 37 * HOUR_MS, toTs + 1)) {
      const visibleTs = ledger.visibleTsOf(post);
      const deletedTs = ledger.deletedTsOf(post);
      const shown = [visibleTs, ...post.edits.map((edit) => edit.editedTs)];
      for (const ts of shown) {
        if (isDue(ts) && (deletedTs === null || deletedTs > ts)) {
          found.push({ ts, account, eventType: 'post.create', post });
        }
      }
      if (isDue(deletedTs) && deletedTs! > visibleTs)
        found.push({ ts: deletedTs!, account, eventType: 'post.delete', post });
    }
  }
  return found.sort((left, right) => left.ts - right.ts);
}

function toEvent(
  state: SimulatorState,
  activity: Activity,
  subscription: Subscription,
): Record<string, unknown> {
  const { account, post, ts } = activity;
  const entry = latestVersion(post, ts);
  const payload =
    activity.eventType === 'post.create'
      ? toTweet(account.parameters, entry, allFields('tweet'), ts, 'tweet')
      : { id: entry.id, author_id: account.parameters.platformUserId };
  return {
    event_uuid: makeSnowflake(ts, hashNumbers(state.seedKey, post.createdTs, ts)),
    filter: { user_id: account.parameters.platformUserId },
    event_type: activity.eventType,
    ...(subscription.tag ? { tag: subscription.tag } : {}),
    payload,
    includes: {},
  };
}
