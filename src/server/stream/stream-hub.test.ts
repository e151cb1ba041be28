import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { createBoard } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { StreamFrame, StreamSink } from '../http/stream-sink.ts';
import { createStreamHub } from './stream-hub.ts';

const READERS = 2_500;

function createSnapshot(version: number, finalCount: number | null): AccountSnapshot {
  const settlement = finalCount && { finalCount, winningLabel: '', revision: finalCount };
  const event = { eventId: 1, window: { startTs: 0, endTs: 60_000 } };
  const state = { event, counters: {}, forecast: null, settlement };
  return {
    accountId: 'a',
    version,
    events: [state],
    recentPosts: [],
    feeds: [],
  } as unknown as AccountSnapshot;
}

function createScene() {
  const clock = createManualClock(0);
  const board = createBoard();
  let presented = 0;
  const present = () => ({ presented: ++presented });
  const hub = createStreamHub({
    ...{ accounts: [{ accountId: 'a' }], board, clock, wallClock: clock },
    presenterFor: () => ({
      presentSnapshot: present,
      presentChange: () => ({ event: 'settlement', replaceKey: null, data: present() }),
    }),
  });
  const sent: StreamFrame[][] = Array.from({ length: READERS }, () => []);
  board.replace(createSnapshot(1, null));
  for (const frames of sent) {
    const sink: StreamSink = {
      ...{ isOpen: true, bytes: 0, onDrain() {}, onClose() {}, end() {}, destroy() {} },
      write: (frame) => frames.push(frame) > 0,
    };
    hub.join({ accountId: 'a', view: 'public', lastEventId: null, sink, onKeyEnd: () => () => {} });
  }
  return { clock, board, hub, sent, presented: () => presented };
}

describe('a stream with many readers', () => {
  it('encodes the snapshot once, and each change once per view', async () => {
    const { board, hub, sent, presented } = createScene();
    assert.equal(presented(), 1);
    const snapshot = createSnapshot(2, 7);
    const { settlement } = snapshot.events[0]!;
    board.publish({ snapshot, changes: [{ kind: 'settled', eventId: 1, settlement: settlement! }] });
    assert.equal(presented(), 3);
    assert.ok(
      sent.every((frames) => frames.length === 2 && frames.every((frame, i) => frame === sent[0]![i])),
    );
    await hub.close();
  });

  it('presents the snapshot again after a second, because it contains the time', async () => {
    const { clock, hub, presented } = createScene();
    const sink = { isOpen: true, bytes: 0, onDrain() {}, onClose() {}, end() {}, destroy() {} };
    const join = () =>
      hub.join({
        ...{ accountId: 'a', view: 'public', lastEventId: null, onKeyEnd: () => () => {} },
        sink: { ...sink, write: () => true },
      });
    clock.advance(999);
    join();
    assert.equal(presented(), 1);
    clock.advance(1);
    join();
    assert.equal(presented(), 2);
    await hub.close();
  });

  it('sends its comments in turns, to every reader within three seconds', async () => {
    const { clock, hub, sent } = createScene();
    const mostAtOnce = { readers: 0 };
    const count = () => sent.reduce((sum, frames) => sum + frames.length - 1, 0);
    for (let passedMs = 0; passedMs < 3_000; passedMs += 50) {
      const before = count();
      clock.advance(50);
      mostAtOnce.readers = Math.max(mostAtOnce.readers, count() - before);
    }
    assert.ok(sent.every((frames) => frames.length === 2));
    assert.ok(mostAtOnce.readers <= READERS / 2);
    await hub.close();
  });
});
