import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StreamSink } from '../http/stream-sink.ts';
import { createStreamLog, formatMessage, type StreamMessage } from './stream-log.ts';
import { StreamReader } from './stream-reader.ts';

class SlowSink implements StreamSink {
  written: string[] = [];
  isOpen = true;
  bytes = 0;
  isFull = false;
  drain = () => {};

  write(frame: Buffer): boolean {
    this.written.push(frame.toString());
    return !this.isFull;
  }
  onDrain(action: () => void): void {
    this.drain = action;
  }
  onClose(): void {}
  end(): void {}
  destroy(): void {
    this.isOpen = false;
  }
}

function message(index: number, replaceKey: string | null = null, version = 1): StreamMessage {
  return { version, index, replaceKey, bytes: Buffer.from(`${version}-${index}`) };
}

function open() {
  const sink = new SlowSink();
  const reader = new StreamReader(sink, 0);
  const send = (...messages: StreamMessage[]) =>
    reader.send(Buffer.concat(messages.map(({ bytes }) => bytes)), messages, 0);
  return { sink, reader, send };
}

describe('stream reader', () => {
  it('forwards everything while the reader keeps up', () => {
    const { sink, send } = open();
    for (const index of [1, 2, 3]) send(message(index, 'counters'));
    assert.deepEqual(sink.written, ['1-1', '1-2', '1-3']);
  });

  it('writes a batch of messages as one chunk', () => {
    const { sink, send } = open();
    send(message(1, 'counters'), message(2), message(3));
    assert.deepEqual(sink.written, ['1-11-21-3']);
  });

  it('writes nothing to a reader that has disconnected', () => {
    const { sink, reader, send } = open();
    sink.destroy();
    send(message(1));
    assert.equal(reader.beat(15_000), false);
    assert.deepEqual(sink.written, []);
  });

  it('queues every post but only the latest value per key for a slow reader, in id order', () => {
    const { sink, send } = open();
    sink.isFull = true;
    send(message(1, 'c1'));
    for (const [index, key] of [
      [2, 'c1'],
      [3, null],
      [4, 'c1'],
      [5, null],
      [6, 'c2'],
    ] as const)
      send(message(index, key));
    sink.isFull = false;
    sink.drain();
    assert.deepEqual(sink.written, ['1-1', '1-3', '1-4', '1-5', '1-6']);
  });

  it('gets a comment after two quiet seconds, and none sooner after a message', () => {
    const { sink, reader } = open();
    reader.beat(1_999);
    reader.beat(2_000);
    reader.beat(3_000);
    reader.send(message(1).bytes, [message(1)], 3_500);
    for (const atTs of [4_000, 5_000, 5_499, 5_500]) reader.beat(atTs);
    assert.deepEqual(sink.written, [': keep-alive\n\n', '1-1', ': keep-alive\n\n']);
  });

  it('drops a reader with too many pending messages', () => {
    const { sink, send } = open();
    sink.isFull = true;
    for (let index = 0; index < 600; index++) send(message(index));
    assert.equal(sink.isOpen, false);
  });

  it('drops a reader that makes no progress for 30 seconds', () => {
    const { sink, reader, send } = open();
    sink.isFull = true;
    send(message(1));
    assert.equal(reader.beat(15_000), true);
    assert.equal(reader.beat(31_000), false);
    assert.equal(sink.isOpen, false);
  });

  it('keeps a slow reader that makes some progress', () => {
    const { sink, reader, send } = open();
    sink.isFull = true;
    send(message(1));
    for (const atTs of [15_000, 30_000, 45_000, 60_000]) {
      send(message(2));
      sink.drain();
      assert.equal(reader.beat(atTs), true);
    }
    assert.equal(sink.isOpen, true);
  });

  it('sends everything a reader missed as one chunk', () => {
    const { sink, reader } = open();
    sink.isFull = true;
    reader.begin(Buffer.concat(Array.from({ length: 2_000 }, (_, index) => message(index).bytes)));
    assert.equal(sink.written.length, 1);
    assert.equal(sink.isOpen, true);
  });
});

describe('stream log', () => {
  it('allocates exactly the bytes a message needs', () => {
    const bytes = formatMessage(7, 0, 'price', { bid: 0.5 });
    assert.equal(bytes.toString(), 'id: 7-0\nevent: price\ndata: {"bid":0.5}\n\n');
    assert.equal(bytes.buffer.byteLength, bytes.length);
  });

  it('returns the messages after an id, and none for the newest id', () => {
    const log = createStreamLog(10, 0);
    for (const version of [1, 2, 3]) for (const index of [0, 1]) log.append(message(index, null, version));
    assert.deepEqual(
      log.findAfter('2-0')!.map(({ version, index }) => `${version}-${index}`),
      ['2-1', '3-0', '3-1'],
    );
    assert.deepEqual(log.findAfter('3-1'), []);
    assert.equal(log.findAfter('2-1000000')!.length, 2);
  });

  it('returns null for an id it no longer covers', () => {
    const log = createStreamLog(4, 0);
    for (let version = 1; version <= 20; version++) log.append(message(0, null, version));
    assert.equal(log.findAfter('2-0'), null);
    assert.notEqual(log.findAfter('19-0'), null);
  });

  it('returns null for ids from before its start or from future versions', () => {
    const log = createStreamLog(4, 0);
    log.restart(50);
    assert.equal(log.findAfter('49-1000000'), null);
    assert.deepEqual(log.findAfter('50-1000000'), []);
    assert.equal(log.findAfter('51-0'), null);
    log.noteVersion(51);
    assert.deepEqual(log.findAfter('51-0'), []);
  });

  it('rejects ids it did not issue', () => {
    const log = createStreamLog(4, 0);
    for (const id of ['', 'abc', '1', '1-', '-1', '1-1-1', '9'.repeat(30)])
      assert.equal(log.findAfter(id), null);
  });
});
