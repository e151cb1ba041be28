// Sends board changes to stream readers. Snapshots and changes are formatted and encoded once per account and
// view, regardless of the number of readers.

import type { View } from '../../access/authorise.ts';
import type { AccountId } from '../../domain/account.ts';
import { MINUTE_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { Step } from '../../state/changes.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { createReused } from '../http/prepared-view.ts';
import type { StreamSink } from '../http/stream-sink.ts';
import { nextBoundaryTs } from '../records/events.ts';
import { type StreamChange, toStreamChanges } from './stream-changes.ts';
import {
  createStreamLog,
  formatMessage,
  SNAPSHOT_INDEX,
  type StreamLog,
  type StreamMessage,
} from './stream-log.ts';
import { StreamReader } from './stream-reader.ts';

export interface StreamHub {
  /** The reader is removed when its response closes. */
  join(request: StreamJoin): void;
  close(): Promise<void>;
}

export interface StreamJoin {
  accountId: AccountId;
  view: View;
  lastEventId: string | null;
  sink: StreamSink;
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
  /** The current snapshot, which every new reader gets first. */
  welcome: (nowTs: number) => StreamMessage;
}

const LOG_MESSAGES = 4_096;
/** Every reader is visited once in this time, to send a comment to a quiet one and to drop a stalled one. */
const ROUND_MS = 1_000;
/** Changes are formatted, and kept for a returning reader, for this long after the account's last reader left. */
const HEARD_FOR_MS = 10 * MINUTE_MS;
const VIEWS: readonly View[] = ['public', 'pro'];

export function createStreamHub<A extends { accountId: AccountId }>(options: StreamHubOptions<A>): StreamHub {
  const { board, clock, wallClock, isOutdated = () => false } = options;
  const channels = openChannels(options);
  /** When a reader of the account last left. */
  const leftTs = new Map<AccountId, number>();

  const channelsOf = (accountId: AccountId) =>
    VIEWS.flatMap((view) => channels.get(`${accountId}/${view}`) ?? []);

  function hear({ snapshot: next, changes }: Step): void {
    const isAnew = changes.some(({ kind }) => kind === 'replaced' || kind === 'begun');
    const messages = isAnew ? [] : toStreamChanges(changes);
    const concerned = channelsOf(next.accountId);
    if (isAnew) for (const channel of concerned) greet(channel, next.version);
    else if (messages.length === 0) noteVersion(next.accountId, next.version);
    else if (isHeard(next.accountId)) report(next, messages);
    else for (const { log } of concerned) log.restart(next.version + 1);
  }

  /** Formatting is the most expensive part of a board update, so it is left out where nobody reads. */
  function isHeard(accountId: AccountId): boolean {
    if (channelsOf(accountId).some(({ readers }) => readers.size > 0)) return true;
    return wallClock.now() - (leftTs.get(accountId) ?? Number.NEGATIVE_INFINITY) < HEARD_FOR_MS;
  }

  function noteVersion(accountId: AccountId, version: number): void {
    for (const { log } of channelsOf(accountId)) log.noteVersion(version);
  }

  function report(next: AccountSnapshot, changes: readonly StreamChange[]): void {
    const nowTs = clock.now();
    for (const channel of channelsOf(next.accountId)) {
      channel.log.noteVersion(next.version);
      const messages = presentChanges(next, changes, channel.presenter, nowTs);
      for (const message of messages) channel.log.append(message);
      sendAll(channel, messages);
    }
  }

  /**
   * Sends all of a snapshot's messages in one write per reader, because writes dominate the cost.
   */
  function sendAll({ readers }: Channel, messages: readonly StreamMessage[]): void {
    if (messages.length === 0 || readers.size === 0) return;
    const frame = Buffer.concat(messages.map(({ bytes }) => bytes));
    const nowTs = wallClock.now();
    for (const reader of readers) reader.send(frame, messages, nowTs);
  }

  /** Sends a snapshot to readers whose data it does not follow on, as before any data was available. */
  function greet(channel: Channel, version: number): void {
    channel.log.restart(version);
    if (channel.readers.size > 0) sendAll(channel, [channel.welcome(clock.now())]);
  }

  function beat(): void {
    // Readers take silence as a sign that what they show is out of date.
    if (isOutdated()) return;
    const nowTs = wallClock.now();
    for (const { readers } of channels.values())
      for (const reader of readers) if (!reader.beat(nowTs)) readers.delete(reader);
  }

  const beating = createRepeat({
    ...{ clock: wallClock, run: beat },
    firstPauseMs: ROUND_MS,
    pauseMs: ROUND_MS,
  });
  void beating.start();
  const stopListening = board.listen(hear);

  return {
    join({ accountId, view, lastEventId, sink, onKeyEnd }) {
      const channel = channels.get(`${accountId}/${view}`)!;
      noteVersion(accountId, board.find(accountId)?.version ?? 0);
      const reader = new StreamReader(sink, wallClock.now());
      const missed = lastEventId === null ? null : channel.log.findAfter(lastEventId);
      if (missed === null) reader.begin(channel.welcome(clock.now()).bytes);
      else if (missed.length > 0) reader.begin(Buffer.concat(missed.map(({ bytes }) => bytes)));
      channel.readers.add(reader);
      const cancelWatch = onKeyEnd(() => {
        channel.readers.delete(reader);
        reader.end();
      });
      sink.onClose(() => {
        leftTs.set(accountId, wallClock.now());
        channel.readers.delete(reader);
        cancelWatch();
      });
    },
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
      const welcome = createReused({
        version: () => board.find(accountId),
        present: (nowTs) => presentWelcome(presenter, board.find(accountId), nowTs),
        boundaryTs: (nowTs) => nextBoundaryTs(board.find(accountId), nowTs),
      });
      channels.set(`${accountId}/${view}`, { presenter, log, readers: new Set(), welcome });
    }
  }
  return channels;
}

function presentChanges(
  next: AccountSnapshot,
  changes: readonly StreamChange[],
  presenter: StreamPresenter,
  nowTs: number,
): StreamMessage[] {
  return changes.flatMap((change, index) => {
    const presented = presenter.presentChange(change, next, nowTs);
    if (!presented) return [];
    const bytes = formatMessage(next.version, index, presented.event, presented.data);
    return [{ version: next.version, index, replaceKey: presented.replaceKey, bytes }];
  });
}

function presentWelcome(
  presenter: StreamPresenter,
  snapshot: AccountSnapshot | undefined,
  nowTs: number,
): StreamMessage {
  const version = snapshot?.version ?? 0;
  const data = presenter.presentSnapshot(snapshot, nowTs);
  const bytes = formatMessage(version, SNAPSHOT_INDEX, 'snapshot', data);
  return { version, index: SNAPSHOT_INDEX, replaceKey: 'snapshot', bytes };
}
