// Commands that query a service, run in this process against the real API.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Terminal } from '../../src/cli/command.ts';
import { runTallycast } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { WALLET } from '../api/fixture.ts';
import { type Harness, startHarness } from '../api/harness.ts';

let harness: Harness;
let url: string;

before(async () => {
  harness = await startHarness({
    reach: {
      isLocalAllowed: false,
      publicUrl: '',
      findTelegramBot: async () => 'tally_bot',
    },
  });
  url = `http://127.0.0.1:${harness.port}`;
});
after(() => harness.close());

interface Ran {
  code: number;
  out: string;
  reported: string;
}

interface RunOptions {
  env?: Terminal['env'];
  isTTY?: boolean;
  /** Receives output as it is printed. */
  hear?: (text: string) => void;
}

async function run(args: string[], options: RunOptions = {}): Promise<Ran> {
  let out = '';
  let reported = '';
  const write = (text: string) => {
    out += text;
    options.hear?.(text);
  };
  const output = { isTTY: options.isTTY, columns: 100, rows: 40, write };
  const code = await runTallycast(args, {
    env: options.env ?? { TALLYCAST_URL: url, TALLYCAST_KEY: harness.keys.PRO },
    clock: systemClock,
    output,
    notes: { write: (text: string) => (reported += text) },
    stopSignal: () => new AbortController().signal,
  });
  return { code, out, reported };
}

describe('tallycast status', () => {
  it('shows feeds and counts, and sets the exit code by health', async () => {
    const { code, out } = await run(['status']);
    assert.equal(code, out.startsWith('ok') ? 0 : 1);
    assert.match(out, /account_a\s+oracle\s+2 s ago\s+ok/);
    assert.match(out, /1001 .* 80 +78 +77 +2 behind +1 d 0 h/);
  });

  it('prints one JSON value with --json', async () => {
    const { out } = await run(['status', '--json', '--account', 'b']);
    const { status, accounts } = JSON.parse(out);
    assert.ok(['ok', 'degraded'].includes(status));
    assert.deepEqual(Object.keys(accounts), ['account_b']);
  });
});

describe('tallycast forecast, signals, portfolio', () => {
  it('show percentiles and model to PRO, prices to everyone', async () => {
    const pro = await run(['forecast', '--account', 'a']);
    assert.match(pro.out, /p5 98 {2}p50 127 {2}p95 149/);
    assert.match(pro.out, /120-139 +40\.0% +55\.0% +15\.0% +BUY/);
    const free = await run(['forecast', '--account', 'a'], { env: { TALLYCAST_URL: url } });
    assert.match(free.out, /percentiles need PRO/);
    assert.match(free.out, /120-139 +40\.0%\n/);
  });

  it('size signals for a bankroll', async () => {
    const { out } = await run(['signals', '--account', 'a', '--bankroll', '500', '--json']);
    const { signals } = JSON.parse(out)[0].data[0];
    assert.equal(signals[0].bankroll, 500);
    const text = (await run(['signals', '--account', 'a'])).out;
    assert.match(text, /120-139 .* Buy \d+ Yes of 120-139/);
    assert.doesNotMatch(text, /\(\)/);
  });

  it('value a wallet', async () => {
    const { out } = await run(['portfolio', '--account', 'a', '--wallet', WALLET]);
    assert.match(out, /2 positions/);
    assert.match(out, /120-139 +Yes +100/);
    assert.equal((await run(['portfolio'])).code, 2);
  });
});

describe('a tallycast command', () => {
  it('exits 1 with a helpful message if a request fails', async () => {
    const denied = await run(['signals'], { env: { TALLYCAST_URL: url } });
    assert.equal(denied.code, 1);
    assert.match(denied.reported, /401: .*PRO[\s\S]*TALLYCAST_KEY/);
    const refused = await run(['signals', '--bankroll', '2000000']);
    assert.match(refused.reported, /422: query\.bankroll: Input should be less than or equal to 1000000/);
    const unreachable = await run(['status', '--url', 'http://127.0.0.1:1']);
    assert.deepEqual([unreachable.code, unreachable.out], [1, '']);
    assert.match(unreachable.reported, /no response from http:\/\/127\.0\.0\.1:1/);
  });

  for (const args of [
    ['status', '--nonsense'],
    ['status', '--url', 'here'],
    ['signals', '--bankroll', 'all'],
    ['forecast', '--account', 'c'],
  ]) {
    it(`treats "${args.join(' ')}" as a usage error`, async () => {
      assert.equal((await run(args)).code, 2);
    });
  }
});

describe('untrusted titles', () => {
  it('send no control characters to the terminal from any command', async () => {
    const before = harness.board.find('a')!;
    const evil = '\u001b]0;owned\u0007\u001b[2J\u202etitle\nrow';
    harness.board.replace({
      ...before,
      version: before.version + 1,
      events: before.events.map((each) => ({ ...each, event: { ...each.event, title: evil } })),
    });
    try {
      for (const command of ['status', 'forecast', 'signals']) {
        const { out } = await run([command, '--account', 'a']);
        assert.match(out, / \]0;owned \[2J title row/, command);
        assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u, command);
      }
    } finally {
      harness.board.replace({ ...before, version: before.version + 2 });
    }
  });
});
