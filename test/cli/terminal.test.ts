// npm start in a pseudo-terminal: the first screen matches docs/cli.md, its commands work as printed, and a
// second start is rejected.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { readScreen } from './screen.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PATIENCE_MS = 240_000;
/** Logged in either order once the backfill is complete; the first screen ends after both. */
const LAST_OF_THE_START = ['events settled', 'track record of past events computed'];
const CLEAN_ENV = childEnvironment({ HOME: process.env.HOME ?? '', TERM: 'xterm-256color' });

function startInTerminal(args: readonly string[]) {
  const child = spawn('python3', [join(import.meta.dirname, 'in-terminal.py'), ...args], {
    cwd: ROOT,
    env: CLEAN_ENV,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (drawn += text));
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return {
    drawn: () => drawn,
    async until(text: string) {
      for (const endMs = performance.now() + PATIENCE_MS; !drawn.includes(text); await wait(50)) {
        assert.ok(!isOver() && performance.now() < endMs, `"${text}" was not drawn:\n${drawn}`);
      }
    },
    async pressCtrlC(): Promise<number | null> {
      const exited = once(child, 'exit');
      if (!isOver()) child.stdin.write('\n');
      return isOver() ? child.exitCode : ((await exited)[0] as number | null);
    },
  };
}

/** Times, ports, counts, the setup token and the folder differ between starts. */
function normalise(line: string): string {
  return line
    .replaceAll(/ --data-dir [^\s)]+/g, '')
    .replaceAll(/accountId \w/g, 'accountId x')
    .replaceAll(/setup#\S+/g, 'setup#...')
    .replaceAll(/\d[\d,]*/g, '0');
}

function isLogLine(line: string): boolean {
  return /^\d\d:\d\d:\d\d /.test(line);
}

/** Returns the lines from our first one on; npm and setup print before it. */
function ownLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => isLogLine(line) || line.startsWith('tallycast is running'));
  return lines.slice(first).filter((line) => line !== '' && !line.startsWith('backfilling'));
}

function documentedScreen(): string[] {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  return ownLines(/```text\n([\s\S]*?)```/.exec(page)![1]!.split('\n'));
}

describe('npm start in a terminal', () => {
  let dataDir: string;
  let service: ReturnType<typeof startInTerminal>;
  before(async () => {
    dataDir = makeTempFolder('terminal');
    // A short history prints the same lines with smaller numbers, in a fifth of the time.
    writeYoungSimulator(dataDir, DEFAULT_SIMULATOR_SEED);
    service = startInTerminal(['npm', 'start', '--', '--port', '0', '--data-dir', dataDir]);
    await service.until('stop: Ctrl-C');
    for (const text of LAST_OF_THE_START) await service.until(text);
  });
  after(async () => {
    await service.pressCtrlC();
  });

  it('shows the same first screen as docs/cli.md', () => {
    const shown = ownLines(readScreen(service.drawn())).map(normalise);
    const promised = documentedScreen().map(normalise);
    const isText = (line: string) => !isLogLine(line.replace(/^0:0:0 /, '00:00:00 '));
    assert.deepEqual(shown.filter(isText), promised.filter(isText));
    for (const line of promised) assert.ok(shown.includes(line), `not shown: ${line}\n${shown.join('\n')}`);
    // On a busy machine feeds and sources may report delays, and events may settle or be recomputed one by one.
    // No other lines may appear.
    const mayCome =
      /feed|post source status|event settled|event history recomputed|track record|of past events|: no response within |: not open within /;
    const strange = shown.filter((line) => !promised.includes(line) && !mayCome.test(line));
    assert.deepEqual(strange, []);
    assert.ok(promised.length <= 40);
  });

  it('draws one progress line while backfilling, in colour', () => {
    assert.match(service.drawn(), /backfilling: account_a [\d,]+ posts/);
    assert.ok(service.drawn().includes('\u001b[2m'));
    assert.ok(!service.drawn().includes('{"level"'));
  });

  it('prints commands that can be copied and run', { skip: !hasCurl() && 'curl is not installed' }, () => {
    const lines = readScreen(service.drawn());
    const tries = lines.slice(lines.indexOf('try:') + 1).filter((line) => line.startsWith('  '));
    assert.ok(tries.length >= 6);
    const script = tries.map((line) => line.replace('  curl ', 'curl -sSf ')).join('\necho\n');
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], {
      cwd: ROOT,
      env: CLEAN_ENV,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    assert.equal(answers.length, tries.length - 1);
    for (const answer of answers) assert.ok(Array.isArray(JSON.parse(answer).data));
  });

  it('ends on Ctrl-C, and frees the folder', async () => {
    assert.equal(await service.pressCtrlC(), 0);
    assert.throws(() => readFileSync(join(dataDir, 'running.json')), /ENOENT/);
  });
});

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}
