import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTerminalLog } from './terminal-log.ts';

function createLog(isColoured = false) {
  const written: string[] = [];
  const log = createTerminalLog({
    columns: 40,
    hasColors: () => isColoured,
    write: (text) => written.push(text),
  });
  return { log, written };
}

const TIME = new Date(2026, 0, 2, 3, 4, 5).getTime();

describe('terminal log', () => {
  it('prints time, message and details on one line', () => {
    const { log, written } = createLog();
    log.entry({
      level: 30,
      time: TIME,
      msg: 'backfill complete',
      account: 'account_a',
      posts: 12,
      none: null,
    });
    assert.deepEqual(written, ['03:04:05 backfill complete  account account_a, posts 12\n']);
  });

  it('colours warnings and errors', () => {
    const { log, written } = createLog(true);
    log.entry({ level: 40, time: TIME, msg: 'careful' });
    log.entry({ level: 50, time: TIME, msg: 'broken' });
    assert.ok(written[0]!.endsWith('\u001b[33mcareful\u001b[0m\n'));
    assert.ok(written[1]!.endsWith('\u001b[31mbroken\u001b[0m\n'));
  });

  it('keeps one progress line at the bottom, cut to the width', () => {
    const { log, written } = createLog();
    log.progress(`reading ${'.'.repeat(60)}`);
    log.print('up');
    log.progress(null);
    log.print('done');
    const shown = `reading ${'.'.repeat(31)}`;
    assert.deepEqual(written, [`\r\u001b[K${shown}`, `\r\u001b[Kup\n${shown}`, '\r\u001b[K', 'done\n']);
  });

  it('strips terminal escapes from details and prints only the message of errors', () => {
    const { log, written } = createLog();
    log.entry({ level: 40, time: TIME, msg: 'feed', problem: '\u001b]0;owned\u0007\nx' });
    log.entry({ level: 40, time: TIME, msg: 'lost', err: { type: 'Error', message: 'gone', stack: 'at x' } });
    assert.deepEqual(written, ['03:04:05 feed  problem  ]0;owned x\n', '03:04:05 lost  err gone\n']);
  });
});
