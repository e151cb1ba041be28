// Listens to the board and tells every reader, once per account and view: a change is presented and encoded
// one time, however many listen.

import type { ServerResponse } from 'node:http';
import type { AccountId } from '../../domain/account.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createRepeat } from '../../runtime/repeat.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { View } from '../access/authorise.ts';
import type { TextRules } from '../views/tweets.ts';
import { listChanges } from './changes.ts';
import { presentChange, presentSnapshot, type StreamView } from './present-change.ts';
import {
  createStreamLog,
  formatMessage,
  SNAPSHOT_INDEX,
  type StreamLog,
  type StreamMessage,
} from './stream-log.ts';
import { createStreamReader, type StreamReader } from './stream-reader.ts';

export interface StreamHub {
  /** Writes the head's body from here on; the reader leaves when its response closes. */
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
  /** Runs its argument when the caller's key no longer opens this stream; the returned function cancels it. */
  onKeyEnd: (action: () => void) => () => void;
}

interface StreamAccount extends Pick<StreamView, 'segment' | 'publicView' | 'advise'> {
  accountId: AccountId;
}

export interface StreamHubOptions {
  accounts: readonly StreamAccount[];
  board: BoardReader;
  /** The service's time, which messages carry. */
  clock: Clock;
  /** Real time, by which sockets are watched. */
  wallClock: Clock;
  rules: TextRules;
}

interface Channel {
  stream: StreamView;
  log: StreamLog;
  readers: Set<StreamReader>;
}

const LOG_MESSAGES = 4_096;
const HEARTBEAT_MS = 15_000;
const VIEWS: readonly View[] = ['public', 'pro'];

export function createStreamHub(options: StreamHubOptions): StreamHub {
  const { board, clock, wallClock, rules } = options;
  const channels = new Map<string, Channel>();
  for (const { accountId, segment, publicView, advise } of options.accounts) {
    for (const view of VIEWS) {
      const sinceVersion = board.find(accountId)?.version ?? 0;
      const stream = { segment, publicView, view, rules, advise };
      channels.set(`${accountId}/${view}`, {
        stream,
        log: createStreamLog(LOG_MESSAGES, sinceVersion),
        readers: new Set(),
      });
    }
  }

  function tell(next: AccountSnapshot, previous: AccountSnapshot | undefined): void {
    const isFirst = !previous || isFirstSight(previous, next);
    const changes = isFirst ? [] : listChanges(previous, next);
    const nowTs = clock.now();
    for (const view of VIEWS) {
      const channel = channels.get(`${next.accountId}/${view}`);
      if (!channel) continue;
      if (isFirst) greet(channel, next);
      else channel.log.noteVersion(next.version);
      changes.forEach((change, index) => {
        const presented = presentChange(change, next, channel.stream, nowTs);
        if (!presented) return;
        const bytes = formatMessage(next.version, index, presented.event, presented.data);
        const message = { version: next.version, index, replaceKey: presented.replaceKey, bytes };
        channel.log.append(message);
        for (const reader of channel.readers) reader.send(message);
      });
    }
  }

  /** Readers who came before there was anything to see. */
  function greet(channel: Channel, first: AccountSnapshot): void {
    channel.log.restart(first.version);
    const message = welcome(channel, first);
    for (const reader of channel.readers) reader.send(message);
  }

  const beating = createRepeat({
    clock: wallClock,
    firstPauseMs: HEARTBEAT_MS,
    pauseMs: HEARTBEAT_MS,
    run() {
      for (const { readers } of channels.values()) {
        for (const reader of readers) if (!reader.beat(wallClock.now())) readers.delete(reader);
      }
    },
  });
  void beating.start();

  const stopListening = board.listen(tell);

  function welcome({ stream }: Channel, snapshot: AccountSnapshot | undefined): StreamMessage {
    const version = snapshot?.version ?? 0;
    const data = presentSnapshot(snapshot, stream, clock.now());
    const bytes = formatMessage(version, SNAPSHOT_INDEX, 'snapshot', data);
    return { version, index: SNAPSHOT_INDEX, replaceKey: 'snapshot', bytes };
  }

  return {
    join({ accountId, view, lastEventId, res, onBytes, onKeyEnd }) {
      const channel = channels.get(`${accountId}/${view}`)!;
      const reader = createStreamReader(res, onBytes, wallClock.now());
      const missed = lastEventId === null ? null : channel.log.findAfter(lastEventId);
      reader.begin(missed ?? [welcome(channel, board.find(accountId))]);
      channel.readers.add(reader);
      const cancelWatch = onKeyEnd(() => {
        channel.readers.delete(reader);
        reader.end();
      });
      res.once('close', () => {
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

/** On a first start the past arrives bit by bit: whoever was told of nothing begins anew with what there is now. */
function isFirstSight(previous: AccountSnapshot, next: AccountSnapshot): boolean {
  return (
    (previous.recentPosts.length === 0 && next.recentPosts.length > 0) ||
    (previous.events.length === 0 && next.events.length > 0)
  );
}
