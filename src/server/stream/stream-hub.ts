// Sends board changes to stream readers. Each change is formatted and encoded once per account and view,
// regardless of the number of readers.

import type { ServerResponse } from 'node:http';
import type { View } from '../../access/authorise.ts';
import type { AccountId } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import { listChanges, type StreamChange } from '../../state/changes.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import {
  createStreamLog,
  formatMessage,
  frameMessages,
  SNAPSHOT_INDEX,
  type StreamLog,
  type StreamMessage,
} from './stream-log.ts';
import { createStreamReader, openSink, type StreamReader } from './stream-reader.ts';
import { createUnheardNews, type News } from './unheard-news.ts';

export interface StreamHub {
  /** Writes the body after the head; the reader is removed when its response closes. */
  join(request: StreamJoin): void;
  readers(): number;
  close(): Promise<void>;
}

export interface StreamJoin {
  accountId: AccountId;
  view: View;
  lastEventId: string | null;
  res: ServerResponse;
  onBytes: (bytes: number) => void;
  /**
   * Runs `action` when the caller's key is no longer valid for this stream; the returned function cancels it.
   */
  onKeyEnd: (action: () => void) => () => void;
}

/** Formats messages for one account and view. */
export interface StreamPresenter {
  presentSnapshot(snapshot: AccountSnapshot | undefined, nowTs: number): unknown;
  /** Returns null if the view cannot see this change. */
  presentChange(change: StreamChange, snapshot: AccountSnapshot, nowTs: number): PresentedChange | null;
}

export interface PresentedChange {
  event: string;
  replaceKey: string | null;
  data: unknown;
}

export interface StreamHubOptions<A extends { accountId: AccountId }> {
  accounts: readonly A[];
  presenterFor: (account: A, view: View) => StreamPresenter;
  board: BoardReader;
  /** Service time, used in messages. */
  clock: Clock;
  /** Wall-clock time, used for socket timeouts. */
  wallClock: Clock;
  /** Whether the board no longer follows the leader. */
  isOutdated?: () => boolean;
}

interface Channel {
  presenter: StreamPresenter;
  log: StreamLog;
  readers: Set<StreamReader>;
}

const LOG_MESSAGES = 4_096;
/** Lets readers distinguish a quiet account from a frozen service. */
const HEARTBEAT_MS = 1_000;
const VIEWS: readonly View[] = ['public', 'pro'];

export function createStreamHub<A extends { accountId: AccountId }>(options: StreamHubOptions<A>): StreamHub {
  const { board, clock, wallClock, isOutdated = () => false } = options;
  const channels = openChannels(options);

  const channelsOf = (accountId: AccountId) =>
    VIEWS.flatMap((view) => channels.get(`${accountId}/${view}`) ?? []);

  function hear(next: AccountSnapshot, previous: AccountSnapshot | undefined): void {
    const isFirst = !previous || isFirstSight(previous, next);
    const changes = isFirst ? [] : listChanges(previous, next);
    if (isFirst) {
      unheard.forget(next.accountId);
      for (const channel of channelsOf(next.accountId)) greet(channel, next);
    } else if (changes.length > 0) unheard.take({ next, changes, atTs: clock.now() });
    else noteVersion(next.accountId, next.version);
  }

  function noteVersion(accountId: AccountId, version: number): void {
    for (const { log } of channelsOf(accountId)) log.noteVersion(version);
  }

  function report(news: News): void {
    const { next } = news;
    for (const channel of channelsOf(next.accountId)) {
      channel.log.noteVersion(next.version);
      const messages = presentNews(news, channel.presenter);
      for (const message of messages) channel.log.append(message);
      sendAll(channel, messages);
    }
  }

  /**
   * Sends all of a snapshot's messages in one write per reader, because writes dominate the cost.
   */
  function sendAll({ readers }: Channel, messages: readonly StreamMessage[]): void {
    if (messages.length === 0 || readers.size === 0) return;
    const frame = frameMessages(messages);
    for (const reader of readers) reader.send(frame, messages);
  }

  /** Sends the first snapshot to readers that connected before any data was available. */
  function greet(channel: Channel, first: AccountSnapshot): void {
    channel.log.restart(first.version);
    if (channel.readers.size > 0) sendAll(channel, [welcome(channel, first, clock.now())]);
  }

  const beating = createRepeat({
    clock: wallClock,
    firstPauseMs: HEARTBEAT_MS,
    pauseMs: HEARTBEAT_MS,
    run() {
      // Readers take silence as a sign that what they show is out of date.
      if (isOutdated()) return;
      for (const { readers } of channels.values()) {
        for (const reader of readers) if (!reader.beat(wallClock.now())) readers.delete(reader);
      }
    },
  });
  void beating.start();

  const unheard = createUnheardNews({
    clock: wallClock,
    report,
    // Changes that were never formatted are not in the logs.
    lose: ({ next }) => {
      for (const { log } of channelsOf(next.accountId)) log.restart(next.version + 1);
    },
  });
  const stopListening = board.listen(hear);

  return {
    join({ accountId, view, lastEventId, res, onBytes, onKeyEnd }) {
      const channel = channels.get(`${accountId}/${view}`)!;
      unheard.noteReader(accountId);
      noteVersion(accountId, board.find(accountId)?.version ?? 0);
      const reader = createStreamReader(openSink(res), onBytes, wallClock.now());
      const missed = lastEventId === null ? null : channel.log.findAfter(lastEventId);
      reader.begin(missed ?? [welcome(channel, board.find(accountId), clock.now())]);
      channel.readers.add(reader);
      const cancelWatch = onKeyEnd(() => {
        channel.readers.delete(reader);
        reader.end();
      });
      res.once('close', () => {
        unheard.noteLeaving(accountId);
        channel.readers.delete(reader);
        cancelWatch();
      });
    },
    readers: () => [...channels.values()].reduce((sum, channel) => sum + channel.readers.size, 0),
    async close() {
      stopListening();
      await beating.stop();
      for (const { readers } of channels.values()) for (const reader of readers) reader.end();
    },
  };
}

function openChannels<A extends { accountId: AccountId }>({
  accounts,
  board,
  presenterFor,
}: StreamHubOptions<A>): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  for (const account of accounts) {
    const { accountId } = account;
    for (const view of VIEWS) {
      const sinceVersion = board.find(accountId)?.version ?? 0;
      const log = createStreamLog(LOG_MESSAGES, sinceVersion);
      const presenter = presenterFor(account, view);
      channels.set(`${accountId}/${view}`, { presenter, log, readers: new Set() });
    }
  }
  return channels;
}

function presentNews({ next, changes, atTs }: News, presenter: StreamPresenter): StreamMessage[] {
  return changes.flatMap((change, index) => {
    const presented = presenter.presentChange(change, next, atTs);
    if (!presented) return [];
    const bytes = formatMessage(next.version, index, presented.event, presented.data);
    return [{ version: next.version, index, replaceKey: presented.replaceKey, bytes }];
  });
}

function welcome(
  { presenter }: Channel,
  snapshot: AccountSnapshot | undefined,
  nowTs: number,
): StreamMessage {
  const version = snapshot?.version ?? 0;
  const data = presenter.presentSnapshot(snapshot, nowTs);
  const bytes = formatMessage(version, SNAPSHOT_INDEX, 'snapshot', data);
  return { version, index: SNAPSHOT_INDEX, replaceKey: 'snapshot', bytes };
}

/** During the first backfill, readers without data restart from the current snapshot. */
function isFirstSight(previous: AccountSnapshot, next: AccountSnapshot): boolean {
  return (
    (previous.recentPosts.length === 0 && next.recentPosts.length > 0) ||
    (previous.events.length === 0 && next.events.length > 0)
  );
}
