import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { createStreamLog, formatMessage, type StreamMessage } from './stream-log.ts';
import { createStreamReader } from './stream-reader.ts';

class SlowResponse extends EventEmitter {
  written: string[] = [];
  destroyed = false;
  isFull = false;

  write(bytes: Buffer): boolean {
    this.written.push(bytes.toString());
    return !this.isFull;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

function message(index: number, replaceKey: string | null = null, version = 1): StreamMessage {
  return { version, index, replaceKey, bytes: Buffer.from(`${version}-${index}`) };
}

function open() {
  const response = new SlowResponse();
  const reader = createStreamReader(response as unknown as ServerResponse, () => {}, 0);
  return { response, reader };
}

describe('stream reader', () => {
  it('passes everything on while the reader keeps up', () => {
    const { response, reader } = open();
    for (const index of [1, 2, 3]) reader.send(message(index, 'counters'));
    assert.deepEqual(response.written, ['1-1', '1-2', '1-3']);
  });

  it('keeps every post and only the latest of each counter for a slow reader, in order of ids', () => {
    const { response, reader } = open();
    response.isFull = true;
    reader.send(message(1, 'c1'));
    for (const [index, key] of [
      [2, 'c1'],
      [3, null],
      [4, 'c1'],
      [5, null],
      [6, 'c2'],
    ] as const)
      reader.send(message(index, key));
    response.isFull = false;
    response.emit('drain');
    assert.deepEqual(response.written, ['1-1', '1-3', '1-4', '1-5', '1-6']);
  });

  it('drops a reader that lets too much pile up', () => {
    const { response, reader } = open();
    response.isFull = true;
    for (let index = 0; index < 600; index++) reader.send(message(index));
    assert.equal(response.destroyed, true);
  });

  it('drops a reader that made no progress for half a minute', () => {
    const { response, reader } = open();
    response.isFull = true;
    reader.send(message(1));
    assert.equal(reader.beat(15_000), true);
    assert.equal(reader.beat(31_000), false);
    assert.equal(response.destroyed, true);
  });

  it('keeps a slow reader that still takes something now and then', () => {
    const { response, reader } = open();
    response.isFull = true;
    reader.send(message(1));
    for (const atTs of [15_000, 30_000, 45_000, 60_000]) {
      reader.send(message(2));
      response.emit('drain');
      assert.equal(reader.beat(atTs), true);
    }
    assert.equal(response.destroyed, false);
  });

  it('hands over all that was missed as one piece, however much it is', () => {
    const { response, reader } = open();
    response.isFull = true;
    reader.begin(Array.from({ length: 2_000 }, (_, index) => message(index)));
    assert.equal(response.written.length, 1);
    assert.equal(response.destroyed, false);
  });
});

describe('stream log', () => {
  it('keeps no more memory for a message than it is long', () => {
    const bytes = formatMessage(7, 0, 'price', { bid: 0.5 });
    assert.equal(bytes.toString(), 'id: 7-0\nevent: price\ndata: {"bid":0.5}\n\n');
    assert.equal(bytes.buffer.byteLength, bytes.length);
  });

  it('gives what came after an id, and nothing for the newest', () => {
    const log = createStreamLog(10, 0);
    for (const version of [1, 2, 3]) for (const index of [0, 1]) log.append(message(index, null, version));
    assert.deepEqual(
      log.findAfter('2-0')!.map(({ version, index }) => `${version}-${index}`),
      ['2-1', '3-0', '3-1'],
    );
    assert.deepEqual(log.findAfter('3-1'), []);
    assert.equal(log.findAfter('2-1000000')!.length, 2);
  });

  it('admits that it no longer reaches back far enough', () => {
    const log = createStreamLog(4, 0);
    for (let version = 1; version <= 20; version++) log.append(message(0, null, version));
    assert.equal(log.findAfter('2-0'), null);
    assert.notEqual(log.findAfter('19-0'), null);
  });

  it('knows nothing from before it began, and nothing of versions that are still to come', () => {
    const log = createStreamLog(4, 0);
    log.restart(50);
    assert.equal(log.findAfter('49-1000000'), null);
    assert.deepEqual(log.findAfter('50-1000000'), []);
    assert.equal(log.findAfter('51-0'), null);
    log.noteVersion(51);
    assert.deepEqual(log.findAfter('51-0'), []);
  });

  it('takes no id that it did not make', () => {
    const log = createStreamLog(4, 0);
    for (const id of ['', 'abc', '1', '1-', '-1', '1-1-1', '9'.repeat(30)])
      assert.equal(log.findAfter(id), null);
  });
});
