// A published site: generated from the API, verified with the standalone verifier, opened in a browser.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Dossier } from '../../packages/client-js/src/index.ts';
import type { Signature } from '../../src/runtime/signing.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { HOUR_MS, START_TS, sampleDraft, sampleEvent, sampleScore } from '../store/samples.ts';
import { isAcceptedAsDocumented } from '../support/documented-check.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import { runCommand } from '../support/run-command.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { closeBrowser, findFaults, isWithinWidth, openBrowser, visit } from './browser.ts';
import { SCREENS } from './still-service.ts';

const END_TS = START_TS + 168 * HOUR_MS;
const MINUTE_MS = 60_000;
const OPEN = 104;
const HOURS = 6;
const TITLE = `<script>document.title = 'taken'</script> "Posts" & more?`;

const BUCKETS = [
  { probability: 0.7, won: true, marketPrice: 0.6 },
  { probability: 0.3, won: false, marketPrice: 0.4 },
];

const base = makeTempFolder('site');
const site = join(base, 'public');
let harness: Harness;
let url: string;

before(async () => {
  harness = await startHarness();
  url = `http://127.0.0.1:${harness.port}`;
  await fill(harness);
});
after(() => harness.close());

async function fill({ store, clock }: Harness): Promise<void> {
  const window = { startTs: START_TS, endTs: END_TS };
  const ids = [101, 102, 103, OPEN];
  await store.events.upsert(ids.map((eventId) => sampleEvent({ eventId, title: TITLE, window })));
  for (const eventId of [101, 102, 103]) await settle(eventId);
  await store.scores.upsert([
    ...[101, 102].map((eventId) => sampleScore({ eventId, endTs: END_TS, buckets: BUCKETS })),
    sampleScore({ eventId: 103, endTs: END_TS, modelVersion: '1.0.0+backfill', buckets: BUCKETS }),
  ]);
  for (let hour = 0; hour < HOURS; hour++) await seal(hour);
  clock.step(END_TS + 8 * HOUR_MS - clock.now());
}

async function settle(eventId: number, finalCount = 39): Promise<void> {
  const settledTs = END_TS + HOUR_MS;
  const settled = { accountId: 'a', winningLabel: '<40', source: 'market', settledTs };
  await harness.store.settlements.record({ ...settled, eventId, finalCount });
}

/** The last two hours also have an entry about the open event. */
async function seal(hour: number): Promise<void> {
  const recordedTs = START_TS + hour * HOUR_MS;
  const events = hour < HOURS - 2 ? [101, 102] : [101, OPEN];
  await harness.store.seals.append(events.map((event) => sampleDraft({ recordedTs, event })));
  await harness.store.seals.sealNext(recordedTs + HOUR_MS);
}

function publish(key: string | null = harness.keys.INTERNAL, folder = site) {
  return runCommand(['site', folder, '--url', url, ...(key === null ? [] : ['--key', key])]);
}

/** Runs the published verifier on the published file, as a visitor would. */
function verify(file = 'seals.jsonl'): Promise<{ code: number; out: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, ['verify-seals.mjs', file], { cwd: site }, (error, out) =>
      resolve({ code: Number(error?.code ?? 0), out }),
    ),
  );
}

const read = (name: string) => readFileSync(join(site, name), 'utf8');

describe('tallycast site', () => {
  it('publishes a record that verifies, and withholds what is not public, also with a key', async () => {
    const { code, out, err } = await publish();
    assert.equal(code, 0, err);
    assert.match(out, /6 sealed hours \(6 fetched\), 3 events \(3 fetched\)/);
    assert.deepEqual(await verify(), {
      code: 0,
      out: 'intact: the record, 6 hours, 10 entries checked, 2 withheld\nwithheld in 2026-11-02T21: 10\nwithheld in 2026-11-02T22: 12\n',
    });
    const withoutKey = join(base, 'without-key');
    assert.equal((await publish(null, withoutKey)).code, 0);
    assert.equal(readFileSync(join(withoutKey, 'seals.jsonl'), 'utf8'), read('seals.jsonl'));
    const { dossier, signature } = JSON.parse(read('events/account_a-101.json')) as {
      dossier: Dossier;
      signature: Signature;
    };
    assert.equal(dossier.posts, undefined);
    const { public_key } = JSON.parse(read('instance-key.json')) as { public_key: string };
    assert.ok(await isAcceptedAsDocumented({ dossier, signature }, public_key));
    assert.equal(JSON.parse(read('record.json')).forward.events, 2);
  });

  it('fails the check when one byte is changed', async () => {
    const text = read('seals.jsonl');
    const at = text.indexOf('buy-yes');
    writeFileSync(join(site, 'forged.txt'), `${text.slice(0, at)}s${text.slice(at + 1)}`);
    const { code, out } = await verify('forged.txt');
    assert.equal(code, 1);
    assert.match(out, /differs from the sealed text[\s\S]*not intact/);
  });

  it('fetches only what is new, continues an interrupted run, and changes no other file', async () => {
    const stamp = (name: string) => statSync(join(site, name)).ino;
    const before = stamp('events/account_a-101.html');
    // The first run may have got texts from before an event settled, so withheld hours are fetched again once.
    assert.match((await publish()).out, /\(2 fetched\), 3 events \(0 fetched\)/);
    assert.match((await publish()).out, /\(0 fetched\), 3 events \(0 fetched\)/);
    await seal(HOURS);
    await settle(102, 38);
    assert.match((await publish()).out, /7 sealed hours \(1 fetched\), 3 events \(0 fetched\)/);
    harness.clock.step(MINUTE_MS);
    const lines = read('seals.jsonl').split('\n');
    writeFileSync(join(site, 'seals.jsonl'), '');
    writeFileSync(
      join(site, 'seals.jsonl.part'),
      `${lines.slice(0, 4).join('\n')}\n${lines[4]!.slice(0, 50)}`,
    );
    assert.match((await publish()).out, /7 sealed hours \(3 fetched\), 3 events \(1 fetched\)/);
    assert.equal(stamp('events/account_a-101.html'), before);
    assert.match(read('events/account_a-102.html'), /<dt>Final count<\/dt><dd>38<\/dd>/);
    await settle(OPEN);
    assert.match((await publish()).out, /\(3 fetched\), 4 events \(1 fetched\)/);
    assert.match((await verify()).out, /14 entries checked, 0 withheld/);
  });

  it('refuses folders it did not write, a changed history and wrong arguments', async () => {
    const other = join(base, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'thesis.txt'), 'mine');
    const cases: [string[], number, RegExp][] = [
      [['site'], 2, /DIR is missing/],
      [['site', other, '--url', url], 2, /not empty and was not written by tallycast site/],
      [['site', join(other, 'thesis.txt'), '--url', url], 2, /is not a folder/],
      [['site', site, '--url', 'ftp://x'], 2, /is not an http\(s\) address/],
      [
        ['site', join(base, 'none'), '--url', 'http://127.0.0.1:1'],
        1,
        /no response from http:\/\/127\.0\.0\.1:1/,
      ],
      [['site', site, '--url', url, '--key', 'tc_pro_wrong'], 1, /Invalid API key/],
    ];
    for (const [args, code, words] of cases) {
      const ran = await runCommand(args);
      assert.equal(ran.code, code, ran.err);
      assert.match(ran.err, words);
    }
    const kept = read('seals.jsonl');
    writeFileSync(join(site, 'seals.jsonl'), kept.replace(/"chain":"./, '"chain":"x'));
    const ran = await publish();
    assert.equal(ran.code, 1);
    assert.match(ran.err, /2026-11-02T17 is not in the service's history/);
    writeFileSync(join(site, 'seals.jsonl'), kept);
  });

  it('refuses before it writes anything if the allowance without a key is too small', async () => {
    const seals = `${url}/api/v1/performance/seals?limit=1`;
    while (Number((await fetch(seals)).headers.get('x-ratelimit-remaining')) > 10);
    const refused = join(base, 'refused');
    const { code, err } = await publish(null, refused);
    assert.equal(code, 1);
    assert.match(err, /^The site needs 11 more requests, but without a key \d are left .* --key/);
    assert.equal(existsSync(refused), false);
  });
});

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** A plain static host in a subfolder, because links must be relative. */
function serveSite(): Promise<LocalServer> {
  return serve((request, response) => {
    const path = request.url!.replace(/^\/deep\//, '').replace(/\/$|^$/, '/index.html');
    try {
      const bytes = readFileSync(join(site, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
}

describe('the published pages in a browser', () => {
  let browser: Browser;
  let server: LocalServer;
  before(async () => {
    assert.equal((await publish()).code, 0);
    [browser, server] = await Promise.all([openBrowser(), serveSite()]);
  });
  after(() => {
    closeBrowser();
    server.close();
  });

  for (const { name: screen, ...look } of SCREENS) {
    it(`are accessible and fit at ${screen}, without scripts`, async () => {
      const opened = await visit(browser, { url: server.url, keyOf: () => null }, { ...look, hash: 'deep/' });
      const { page, errors, strays } = opened;
      try {
        for (const name of ['index.html', 'events/index.html', 'events/account_a-103.html']) {
          await page.goto(`${server.url}/deep/${name}`);
          assert.deepEqual(await findFaults(page), [], name);
          assert.ok(await isWithinWidth(page), name);
          assert.match(await page.title(), /Tallycast$/);
        }
        await page.getByRole('link', { name: 'Record' }).click();
        await page.getByRole('heading', { name: 'Forward record' }).waitFor();
        assert.deepEqual([errors, strays], [[], []]);
      } finally {
        await opened.close();
      }
    });
  }
});
