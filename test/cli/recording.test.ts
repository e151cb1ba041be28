// Records the simulator and replays the recording, using the commands.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as recordCommand from '../../lab/commands/record.ts';
import { type SimulatorServer, startSimulatorServer } from '../../simulator/server.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import type { Command, Terminal } from '../../src/cli/command.ts';
import * as replayCommand from '../../src/cli/commands/replay.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { UsageError } from '../../src/runtime/errors.ts';
import { youngAnchorTs } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const root = makeTempFolder('recording');
const folder = join(root, 'tape');
let simulator: SimulatorServer;
let recorded: { code: number; printed: string };
before(async () => {
  simulator = await startSimulatorServer(
    createSimulator({ seed: 7, anchorTs: youngAnchorTs(), clock: systemClock }),
  );
  recorded = await run(
    recordCommand,
    ...['--minutes', '0.05', folder, '--simulator-url', simulator.urls.base],
  );
});
after(async () => {
  await simulator.close();
});

const SECRETS = { MASTODON_TOKEN: 'planted-mastodon-token', PAY_PRIVATE_KEY: `0x${'5e'.repeat(32)}` };

/** With the sources that are not used by default. */
const EVERY_SOURCE = {
  VENUES: 'kalshi',
  ACCOUNT_A_POST_SOURCES: 'twitterapi,x,oracle',
  ACCOUNT_B_POST_SOURCES: 'rss,mastodon,oracle',
};

async function run(command: Command, ...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const terminal: Terminal = {
    env: { ...SECRETS, ...EVERY_SOURCE },
    clock: systemClock,
    output: { write: (text) => void (printed += text) },
    notes: { write() {} },
    stopSignal: () => new AbortController().signal,
  };
  return { code: (await command.run(args, terminal)) ?? 0, printed };
}

describe('the record and replay commands', () => {
  it("store the simulator's responses without credentials or wallets", async () => {
    const { code, printed } = recorded;
    assert.equal(code, 0);
    assert.match(printed, /^\d{2,} responses and connections recorded/);
    const kept = ['recording.json', 'tape.jsonl'].map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const secret of [...Object.values(SECRETS), 'simulator', '0x7a11ca57']) {
      assert.ok(!kept.join('').includes(secret), secret);
    }
    await assert.rejects(run(recordCommand, '--minutes', '1', folder), UsageError, 'not empty');
  });

  it('run every adapter on the recording without a network', async () => {
    const { code, printed } = await run(replayCommand, folder, '--json');
    const verdicts = new Map(
      (JSON.parse(printed) as { subject: string; verdict: string }[]).map((one) => [
        one.subject,
        one.verdict,
      ]),
    );
    assert.deepEqual(
      [...verdicts].filter(([, verdict]) => verdict === 'problem'),
      [],
    );
    assert.equal(code, 0);
    const tape = readFileSync(join(folder, 'tape.jsonl'), 'utf8');
    for (const path of [
      '/twitter/user/last_tweets',
      '/api/v1/accounts/',
      '/trade-api/v2/events',
      '/factbase/',
      '/feed',
    ])
      assert.ok(tape.includes(path), `${path} is recorded`);
    for (const subject of ['account_a prices', 'account_b events', 'positions', 'crypto']) {
      assert.equal(verdicts.get(subject), 'ok', subject);
    }
  });

  it('treat an account without new posts as healthy', async () => {
    const file = join(folder, 'tape.jsonl');
    const tape = readFileSync(file, 'utf8');
    const asked = tape.split('\n').find((line) => /\/x\/2\/users\/\d+\/tweets\?max/.test(line))!;
    const silence = { ...JSON.parse(asked), atMs: 1e6, body: '{"meta":{"result_count":0}}' };
    writeFileSync(file, `${tape}${JSON.stringify(silence)}\n`);
    const { code, printed } = await run(replayCommand, folder);
    writeFileSync(file, tape);
    assert.deepEqual([code, /PROBLEM/.test(printed)], [0, false], printed);
  });

  /** Each change breaks one field in every response that has it, which loses the matching capability. */
  const MUTATIONS: [string, (body: string, url: string) => string, RegExp][] = [
    ['a renamed list of events', (body) => body.replaceAll('"events":[', '"evts":['), /account_a events/],
    [
      'market frames without a token',
      (body, url) => (isMarketSocket(url) ? body.replaceAll('"asset_id"', '"asset"') : body),
      /account_a prices/,
    ],
    [
      'market frames that are not JSON',
      (body, url) => (isMarketSocket(url) ? `~${body}` : body),
      /account_a prices/,
    ],
    [
      'X posts without a type, with its fallback',
      (body, url) => (url.includes('/2/') ? body.replace(UNDECIDING, '"was_$1":') : breakTweets(body, url)),
      /account_a posts/,
    ],
    [
      'Mastodon statuses without ids, with their fallback',
      (body, url) => (/\/statuses/.test(url) ? body.replaceAll('"id":', '"ident":') : breakFeed(body, url)),
      /account_b posts/,
    ],
    ['missing oracle stats', (body) => body.replaceAll('"stats":', '"statistics":'), /account_a counts/],
    [
      'books without asset_id',
      (body, url) => (/\/books?$/.test(url) ? body.replaceAll('"asset_id"', '"asset"') : body),
      /account_a prices/,
    ],
    [
      'an unreadable settlement list',
      (body, url) =>
        url.includes('closed=true')
          ? body.replaceAll('"slug":', '"slugs":').replaceAll('"ticker":', '"t":')
          : body,
      /account_a settlements/,
    ],
    ['positions without pages', (body, url) => (url.includes('/positions') ? '[]' : body), /positions/],
  ];
  const UNDECIDING = /"(conversation_id|referenced_(?:posts|tweets)|in_reply_to_user_id|author_id)":/g;
  const breakTweets = (body: string, url: string) =>
    url.includes('/last_tweets') ? body.replaceAll('"tweets":', '"items":') : body;
  const breakFeed = (body: string, url: string) =>
    url.includes('/feed') ? body.replaceAll('<rss', '<feed') : body;
  const breakBrackets = (body: string, url: string) =>
    url.includes('/trade-api/v2/events') ? body.replaceAll('"markets":', '"rungs":') : body;
  const isMarketSocket = (url: string) => url.includes('/ws/market');

  for (const [what, mutate, lost] of MUTATIONS) {
    it(`fail on ${what}, and report what is lost`, async () => {
      const file = join(folder, 'tape.jsonl');
      const tape = readFileSync(file, 'utf8');
      writeFileSync(file, mutateTape(tape, mutate));
      const { code, printed } = await run(replayCommand, folder);
      writeFileSync(file, tape);
      assert.equal(code, 1, printed);
      assert.match(printed, new RegExp(`PROBLEM +.*\\(lost: ${lost.source}\\)`));
    });
  }

  for (const [what, mutate, reported] of [
    ['twitterapi.io pages without posts', breakTweets, /degraded +account_a posts +x leads/],
    ['an RSS feed that is none', breakFeed, /degraded +account_b posts +mastodon leads/],
    ['Kalshi events without brackets', breakBrackets, /PROBLEM +account_b events .*is not followed/],
  ] as const)
    it(`report ${what}`, async () => {
      const file = join(folder, 'tape.jsonl');
      const tape = readFileSync(file, 'utf8');
      writeFileSync(file, mutateTape(tape, mutate));
      const { printed } = await run(replayCommand, folder);
      writeFileSync(file, tape);
      assert.match(printed, reported);
    });

  it('report rejected requests even if adapters can handle them', async () => {
    const file = join(folder, 'tape.jsonl');
    const tape = readFileSync(file, 'utf8');
    const refused = { kind: 'answer', atMs: 1, method: 'GET', url: 'https://host/2/tweets?ids=5' };
    const entry = { ...refused, status: 429, headers: {}, body: '', problem: null };
    writeFileSync(file, `${tape}${`${JSON.stringify(entry)}\n`.repeat(23)}`);
    const { printed } = await run(replayCommand, folder);
    writeFileSync(file, tape);
    assert.match(printed, /refused or failed calls on the tape: 23x 429 host\/2\/tweets/);
  });

  it('fail without a recording', () => assert.rejects(run(replayCommand, root), /has no recording/));
});

function mutateTape(tape: string, mutate: (body: string, url: string) => string): string {
  const lines = tape.split('\n').filter((line) => line !== '');
  const mutated = lines.map((line) => {
    const entry = JSON.parse(line) as { url: string; body?: string; frames?: string[] };
    const changed = entry.frames
      ? { ...entry, frames: entry.frames.map((frame) => mutate(frame, entry.url)) }
      : { ...entry, body: mutate(entry.body ?? '', entry.url) };
    return JSON.stringify(changed);
  });
  return `${mutated.join('\n')}\n`;
}
