// The npx tallycast command line as a user types it, on any Node version.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BENCHES } from '../../lab/bench/registry.ts';
import { LAB_COMMANDS } from '../../lab/commands/all-lab-commands.ts';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { COMMANDS, findCommand } from '../../src/cli/all-commands.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { type Ran, runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function findLabCommand(name: string) {
  return LAB_COMMANDS.find((entry) => entry.name === name);
}

/** Runs the command as typed, in a separate process, and returns its exit code. */
function tallycast(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } };
    execFile(process.execPath, [join(ROOT, 'bin/tallycast.mjs'), ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

describe('npx tallycast', () => {
  it('lists every command with examples, and each has its own help', async () => {
    const { code, out } = await tallycast(['--help']);
    assert.equal(code, 0);
    for (const { name } of COMMANDS) assert.match(out, new RegExp(`^  ${name} `, 'm'));
    assert.match(out, /examples:/);
    for (const { name, load } of COMMANDS) {
      const { usage } = await load();
      assert.match(usage, new RegExp(`^usage: npx tallycast ${name}`), name);
      assert.ok(!usage.includes('undefined'), name);
    }
  });

  it('lists the lab commands under lab, each with its usage', async () => {
    const { code, out } = await tallycast(['lab', '--help']);
    assert.equal(code, 0);
    for (const { name, load } of LAB_COMMANDS) {
      assert.match(out, new RegExp(`^  ${name} `, 'm'));
      assert.match((await load()).usage, new RegExp(`^usage: npx tallycast lab ${name}`), name);
    }
    assert.match((await tallycast(['fuzz', '--help'])).out, /^usage: npx tallycast lab fuzz/);
    assert.match((await tallycast(['lab', 'nonsense'])).err, /unknown command lab nonsense/);
  });

  it('stops when the shell that npx started it in is ended', async () => {
    const line = `"${process.execPath}" bin/tallycast.mjs simulator; true`;
    const shell = spawn('sh', ['-c', line], {
      cwd: ROOT,
      env: { ...process.env, npm_command: 'exec' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const inTime = { signal: AbortSignal.timeout(60_000) };
    try {
      await once(shell.stdout, 'data', inTime);
      shell.kill('SIGTERM');
      // The output ends with the last process that writes to it.
      await once(shell.stdout.resume(), 'end', inTime);
    } catch (error) {
      process.kill(-shell.pid!, 'SIGKILL');
      throw error;
    }
  });

  it('ends quietly when its output is closed, as by head', async () => {
    const line = `{ sleep 0.2; "${process.execPath}" src/bin/tallycast.ts --help; echo "exit $?" >&2; } | true`;
    const err = await new Promise<string>((resolve) => {
      execFile('sh', ['-c', line], { cwd: ROOT }, (_error, _out, text) => resolve(text));
    });
    assert.equal(err, 'exit 0\n');
  });

  it('has at most fifteen scripts in package.json, each a command or a check', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.ok(Object.keys(scripts).length <= 15, Object.keys(scripts).join(' '));
    for (const [name, line] of Object.entries(scripts)) {
      if (['check', 'fix', 'prepack', 'tallycast'].includes(name)) continue;
      // exec replaces the shell with the service, so that a signal to npm reaches it.
      assert.equal(line, `${name === 'start' ? 'exec ' : ''}node bin/tallycast.mjs ${name}`);
      assert.ok(findCommand(name) ?? findLabCommand(name), name);
    }
  });

  it('exits 2 without a command, and for an unknown one with a suggestion', async () => {
    assert.equal((await tallycast([])).code, 2);
    const { code, err } = await tallycast(['nonsense']);
    assert.equal(code, 2);
    assert.match(err, /unknown command nonsense/);
    assert.match((await tallycast(['kesy'])).err, /Did you mean keys\?/);
  });

  it('prints the start options for `start --help` and `help start`', async () => {
    for (const args of [
      ['start', '--help'],
      ['help', 'start'],
    ]) {
      const { code, out } = await tallycast(args);
      assert.equal(code, 0);
      assert.match(out, /usage: npx tallycast start[\s\S]*--simulator-speed/);
    }
  });

  it('lists every benchmark in the help of lab bench', async () => {
    const { usage } = await findLabCommand('bench')!.load();
    for (const { name } of BENCHES) assert.match(usage, new RegExp(`\\b${name}\\b`));
  });
});

describe('tallycast import and doctor', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = makeTempFolder('cli');
    writeYoungSimulator(folder, DEFAULT_SIMULATOR_SEED);
    file = join(folder, 'history.csv');
    const rows = Array.from({ length: 5 }, (_, i) => `${900 + i},${1_780_000_000_000 + i * 60_000},0,0,0,1`);
    const header = 'tweet_id,created_ts,is_reply,is_quote,is_retweet,is_counted';
    writeFileSync(
      file,
      [header, ...rows, rows[0], '905,yesterday,0,0,0,1', '906,1780000000000,maybe,0,0,1', ''].join('\n'),
    );
  });

  it('import posts only once even if run twice, and report bad and duplicate lines', async () => {
    const args = ['import', file, '--account', 'b', '--data-dir', folder];
    const first = await runCommand(args);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^columns: tweet_id, .*\n8 lines read: 5 imported, 1 duplicates, 2 bad\n/);
    assert.match(first.out, /duplicates in lines 7\n/);
    assert.match(first.out, /line 8: created_ts.*\n {2}line 9: is_reply/);
    const again = JSON.parse((await runCommand([...args, '--json'])).out);
    assert.deepEqual([again.imported, again.duplicates, again.bad_line_count], [0, 6, 2]);
  });

  it('reject a file that is not a history file', async () => {
    const other = join(folder, 'other.csv');
    writeFileSync(other, 'a,b\n1,2\n');
    const { code, err } = await runCommand(['import', other, '--data-dir', folder]);
    assert.equal(code, 2);
    assert.match(err, /other\.csv, line 1: no column for tweet_id; pass --columns/);
    assert.equal((await runCommand(['import', join(folder, 'absent.csv'), '--data-dir', folder])).code, 2);
    assert.equal((await runCommand(['import', file, '--account', 'c', '--data-dir', folder])).code, 2);
    assert.equal((await runCommand(['import', '--data-dir', folder])).code, 2);
  });

  it('report a healthy simulator, and which source fails', async () => {
    const well = await runCommand(['doctor', '--data-dir', folder]);
    assert.equal(well.code, 0, well.out);
    assert.match(well.out, /^ok +account_a posts/m);
    const ill = await runCommand(['doctor', '--json', '--data-dir', folder, '--fault', 'oracle-down']);
    assert.equal(ill.code, 1);
    const problems = JSON.parse(ill.out).filter(({ verdict }: { verdict: string }) => verdict === 'problem');
    assert.ok(problems.some(({ subject }: { subject: string }) => subject.endsWith('counts')));
  });
});
