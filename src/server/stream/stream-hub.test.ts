import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../runtime/clock.ts';
import { createBoard } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { StreamSink } from '../http/stream-sink.ts';
import { createStreamHub } from './stream-hub.ts';

const READERS = 20;

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

function createScene(readers = READERS) {
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
  const sent: Buffer[][] = Array.from({ length: readers }, () => []);
  board.replace(createSnapshot(1, null));
  for (const frames of sent) {
    const sink: StreamSink = {
      ...{ isOpen: true, bytes: 0, onDrain() {}, onClose() {}, end() {}, destroy() {} },
      write: (frame) => frames.push(frame) > 0,
    };
    hub.join({ accountId: 'a', view: 'public', lastEventId: null, sink, onKeyEnd: () => () => {} });
  }
  function settle(version: number): void {
    const snapshot = createSnapshot(version, 7);
    const { settlement } = snapshot.events[0]!;
    board.publish({ snapshot, changes: [{ kind: 'settled', eventId: 1, settlement: settlement! }] });
  }
  return { clock, settle, hub, sent, presented: () => presented };
}

describe('a stream with many readers', () => {
  it('encodes the snapshot once, and each change once per view', async () => {
    const { settle, hub, sent, presented } = createScene();
    assert.equal(presented(), 1);
    settle(2);
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

  it('sends a comment to every quiet reader within three seconds', async () => {
    const { clock, hub, sent } = createScene();
    for (let passedMs = 0; passedMs < 3_000; passedMs += 50) clock.advance(50);
    assert.ok(sent.every((frames) => frames.length === 2));
    await hub.close();
  });

  it('formats no change ten minutes after the last reader left, and then resumes with a snapshot', async () => {
    const { settle, clock, hub, presented } = createScene(0);
    const leaving: (() => void)[] = [];
    const sent: string[] = [];
    const join = (lastEventId: string | null) =>
      hub.join({
        ...{ accountId: 'a', view: 'public', lastEventId, onKeyEnd: () => () => {} },
        sink: {
          ...{ isOpen: true, bytes: 0, onDrain() {}, end() {}, destroy() {} },
          onClose: (action) => void leaving.push(action),
          write: (frame) => sent.push(frame.toString()) > 0,
        },
      });
    join(null);
    leaving.pop()!();
    settle(2);
    join('1-1000000');
    assert.match(sent[1]!, /^id: 2-0\nevent: settlement/);
    leaving.pop()!();
    clock.advance(600_000);
    const before = presented();
    settle(3);
    assert.equal(presented(), before);
    join('2-0');
    assert.match(sent[2]!, /^id: 3-1000000\nevent: snapshot/);
    await hub.close();
  });
});
