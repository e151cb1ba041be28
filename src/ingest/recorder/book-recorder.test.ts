import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BookPiece } from '../../domain/book.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import type { SeenQuote } from '../../sources/source.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { createBookRecorder } from './book-recorder.ts';

const START_TS = Date.UTC(2026, 10, 2, 12, 59, 55);
const HOUR_TS = Date.UTC(2026, 10, 2, 12);
const EVENT = { eventId: 7, buckets: [{ label: '<20', yesTokenId: 'y', noTokenId: 'n' }] };

function open() {
  const clock = createManualClock(START_TS);
  const written: BookPiece[] = [];
  let isFull = false;
  const recorder = createBookRecorder({
    clock,
    logger: silentLogger,
    timeScale: 1,
    recorders: [{ snapshot: () => ({ events: [{ event: EVENT }] }) as unknown as AccountSnapshot }],
    books: {
      async record(pieces) {
        if (isFull) throw new Error('disk full');
        written.push(...pieces);
      },
    },
  });
  const see = (tokenId: string, observedTs: number, more: Partial<SeenQuote> = {}) =>
    recorder.note({
      ...{ tokenId, observedTs, bid: 0.1, ask: 0.2, bidShares: 5, askShares: 6, lastTradePrice: null },
      ...more,
    });
  return { clock, recorder, written, see, setFull: (is: boolean) => void (isFull = is) };
}

describe('book recorder', () => {
  it('stores every change in best price, size or depth, but no repeats', async () => {
    const { recorder, written, see } = open();
    see('y', START_TS);
    see('y', START_TS + 1);
    see('y', START_TS + 2, { bidShares: 4 });
    see('y', START_TS + 3, { bidShares: 4, depth: { bidShares: 9, askShares: 8 } });
    see('n', START_TS + 4);
    see('unknown', START_TS + 5);
    await recorder.stop();
    const [{ eventId, hourTs, changes }] = written as [BookPiece];
    assert.deepEqual([written.length, eventId, hourTs], [1, 7, HOUR_TS]);
    assert.deepEqual(
      changes.map((change) => [change.side, change.observedTs - START_TS, change.bidShares, change.bidDepth]),
      [
        ['yes', 0, 5, null],
        ['yes', 2, 4, null],
        ['yes', 3, 4, 9],
        ['no', 4, 5, null],
      ],
    );
  });

  it('starts a new piece every hour and confirms unchanged books every ten seconds', async () => {
    const { clock, recorder, written, see } = open();
    see('y', START_TS);
    recorder.confirm(['y', 'n']);
    recorder.confirm(['y', 'n']);
    clock.advance(8 * SECOND_MS);
    recorder.confirm(['y', 'n']);
    await recorder.stop();
    assert.deepEqual(
      written.map(({ hourTs, slots, changes }) => [hourTs, slots.length, changes.length]),
      [
        [HOUR_TS, 1, 1],
        [HOUR_TS + HOUR_MS, 1, 0],
      ],
    );
  });

  it('keeps rows for the next attempt if the disk is full', async () => {
    const { clock, recorder, written, see, setFull } = open();
    recorder.start();
    see('y', START_TS);
    setFull(true);
    clock.advance(10 * SECOND_MS);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(written.length, 0);
    setFull(false);
    await recorder.stop();
    assert.equal(written[0]!.changes.length, 1);
  });
});
