// The command, and downloads of the record: an earlier record is replaced only by its continuation.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fetchSeals } from '../../src/cli/commands/verify.ts';
import { serve } from '../support/local-server.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { close, NEWEST, RECORD, REWRITTEN, wire } from './sealed-record.ts';

const folder = makeTempFolder('downloads');
const whole = close(wire(RECORD));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('verify', () => {
  it('checks a file against known chains, and refuses what it does not know', async () => {
    const file = write('rewritten', close(wire(REWRITTEN)));
    assert.equal((await runCommand(['verify', file])).code, 0);
    assert.equal((await runCommand(['verify', file, '--known', NEWEST])).code, 1);
    for (const args of [[], [file, file], [file, '--known'], [file, '--knwon', NEWEST]])
      assert.equal((await runCommand(['verify', ...args])).code, 2);
  });
});

describe('downloading the record', () => {
  /** A service with this history. */
  const offer = (record: typeof RECORD) =>
    serve(({ url = '' }, response) => {
      const hour = wire(record).find(({ hour_ts }) => url.includes(`/seals/${hour_ts}`));
      response.end(JSON.stringify(hour ? { data: hour } : { data: wire(record), next_cursor: null }));
    });

  const fetchInto = async (file: string, record: typeof RECORD) => {
    const { url, close: stop } = await offer(record);
    const ran = await runCommand(['verify', file, '--fetch', '--url', url]);
    stop();
    return ran;
  };

  it('replaces an earlier record by its continuation only', async () => {
    const file = write('earlier', close(wire(RECORD.slice(0, 2))));
    const continued = await fetchInto(file, RECORD);
    assert.deepEqual([continued.code, readFileSync(file, 'utf8').trim()], [0, whole], continued.err);
    for (const record of [REWRITTEN, RECORD.slice(0, 2), []]) {
      const { code, out, err } = await fetchInto(file, record);
      assert.equal(code, 1, err);
      assert.match(out, /known chain .* is not in the file[\s\S]*do not trust this file/);
      assert.match(err, /still has the earlier record/);
      assert.equal(readFileSync(file, 'utf8').trim(), whole);
      assert.equal(readFileSync(`${file}.rejected`, 'utf8').trim(), close(wire(record)));
    }
    assert.equal(existsSync(`${file}.part`), false);
  });

  it('replaces no file that is not a record, except an empty one', async () => {
    const file = write('notes', 'my notes');
    const { code, err } = await fetchInto(file, RECORD);
    assert.deepEqual([code, readFileSync(file, 'utf8')], [1, 'my notes']);
    assert.match(err, /is not an intact record/);
    assert.equal((await fetchInto(write('empty', ''), RECORD)).code, 0);
  });

  const answer = (body: object | null) =>
    serve((_, response) => void (body && response.end(JSON.stringify(body))));

  for (const [name, body, problem] of [
    ['a service that lists pages without end', { data: [], next_cursor: 'more' }, /more than 3 pages/],
    ['a service that does not answer', null, /the download stopped after 0 hours/],
  ] as const) {
    it(`gives up on ${name}`, async () => {
      const { url, close } = await answer(body);
      const limits = { maxPages: 3, deadlineMs: 200 };
      const file = join(folder, 'fetched');
      writeFileSync(file, 'an earlier download');
      await assert.rejects(fetchSeals(file, url, undefined, false, limits), problem);
      close();
      assert.deepEqual(
        [readFileSync(file, 'utf8'), existsSync(`${file}.part`)],
        ['an earlier download', false],
      );
    });
  }

  it('says so if nothing is sealed yet, unless a chain is known', async () => {
    const { url, close } = await answer({ data: [], next_cursor: null });
    const fetchWith = (...args: string[]) =>
      runCommand(['verify', join(folder, 'none'), '--fetch', '--url', url, ...args]);
    const { code, out, err } = await fetchWith();
    const text = 'the service has not sealed an hour yet: nothing to verify\n';
    assert.deepEqual({ code, out, err }, { code: 1, out: '', err: text });
    assert.equal(existsSync(join(folder, 'none')), false);
    assert.match((await fetchWith('--known', NEWEST)).out, /do not trust this file/);
    close();
  });
});
