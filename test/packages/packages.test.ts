// Installs the JavaScript client into an empty project, and uses both clients against a booted service. What checks the
// packages themselves (publint, mypy, the wheel) runs on release: scripts/packages.ts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type PackedPackage, pack, packClientJs } from '../../scripts/packages/client-js.ts';
import { findMissingPython, PYTHON, testPython } from '../../scripts/packages/client-python.ts';
import { ROOT } from '../../scripts/packages/places.ts';
import { runProgram } from '../../scripts/packages/run-program.ts';
import { listVersions } from '../../scripts/packages.ts';
import { openTestService, type TestService } from '../browser/service.ts';
import { waitUntil } from '../support/boot.ts';
import { makeTempFolder } from '../support/temp-store.ts';

/** Creates a project outside this repository, with the client and its one dependency from tarballs. */
async function createNodeProject(folder: string, tarball: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const parser = await pack(join(ROOT, 'node_modules/eventsource-parser'), folder);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runProgram('npm', ['install', ...quiet, parser.file, tarball], { cwd: folder });
}

/** Finds the machine's own Node, which is older than the service's; null if there is none. */
function findMachineNode(): string | null {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? null;
}

function readVersion(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

/** The first question about a forecast waits for the model to load its posts. */
async function canImagine(service: TestService): Promise<boolean> {
  const [eventId] = await listEventIds(service);
  const { ok } = await fetch(`${service.url}/api/v1/what-if/account_a`, {
    method: 'POST',
    headers: { 'X-API-Key': service.keyOf('PRO')!, 'Content-Type': 'application/json' },
    body: JSON.stringify({ event_id: eventId }),
  });
  return ok;
}

const HERE = join(ROOT, 'test/packages');
const BANKROLL = 500;
const missing = findMissingPython() ?? false;

describe('the published packages', { timeout: 300_000 }, () => {
  const folder = makeTempFolder('packages');
  const project = join(folder, 'project');
  let opening: Promise<TestService>;
  let service: TestService;
  let clientJs: PackedPackage;
  let env: Record<string, string>;

  before(async () => {
    opening = openTestService(18);
    clientJs = await packClientJs(folder);
    await createNodeProject(project, clientJs.file);
    service = await opening;
    await waitUntil(() => canImagine(service));
    env = {
      TALLYCAST_URL: service.url,
      TALLYCAST_KEY: service.keyOf('PRO')!,
      TALLYCAST_ACCOUNT: 'account_a',
      BANKROLL: String(BANKROLL),
      ONCE: '1',
      PYTHONPATH: join(ROOT, 'packages/client-python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
  });
  after(async () => {
    await (await opening).close();
  });

  it('have the same version', () => {
    assert.equal(new Set(Object.values(listVersions())).size, 1);
  });

  it('stay within their size limits', () => {
    assert.ok(clientJs.unpackedBytes < 200_000);
  });

  it('pass the Python package’s own tests', { skip: missing }, () => testPython());

  for (const [name, find] of [
    ["the machine's Node", findMachineNode],
    ["the service's Node", () => process.execPath],
  ] as const) {
    it(`work in plain JavaScript on ${name}`, async (t) => {
      const node = find();
      if (node === null) return t.skip('no other Node is installed');
      t.diagnostic(readVersion(node));
      copyFileSync(join(HERE, 'use-client.mjs'), join(project, 'use-client.mjs'));
      const got = JSON.parse(await runProgram(node, ['use-client.mjs'], { cwd: project, env }));
      assert.deepEqual(got.events, await listEventIds(service));
      assert.ok(got.signals > 0);
      assert.deepEqual([got.posts, got.first, got.isTyped], [50, 'snapshot', true]);
    });
  }

  it('pass the strictest TypeScript checks', async () => {
    copyFileSync(join(HERE, 'use-client.ts.txt'), join(project, 'use-client.ts'));
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const resolution = { module: 'nodenext', moduleResolution: 'nodenext' };
    const compilerOptions = { ...resolution, ...strict, skipLibCheck: false, noEmit: true };
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const config = { compilerOptions: { ...compilerOptions, lib, types: [] }, files: ['use-client.ts'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    await runProgram(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: project });
  });

  it('work in Python with and without asyncio, and convert responses to data frames', {
    skip: missing,
  }, async () => {
    const got = JSON.parse(await runProgram(PYTHON, [join(HERE, 'use_client.py')], { cwd: folder, env }));
    const events = await listEventIds(service);
    assert.deepEqual([got.sync.events, got.async.events], [events, events]);
    assert.deepEqual([got.sync.first, got.async.first, got.async.refused], ['snapshot', 'snapshot', true]);
    assert.equal(got.sync.posts, 50);
    assert.ok(got.sync.ladder.length > 1);
    const { what_if: eventId, ...reach } = got.sync.reach;
    assert.ok(events.includes(eventId));
    assert.deepEqual(reach, {
      linking: ['linking'],
      is_code_told: true,
      is_listed: true,
      is_tested: true,
      is_past: true,
      rule: ['feed', 'account_a', true, 5],
      course: eventId,
      removed: [true],
    });
    assert.deepEqual(got.sync.frame.rows, got.sync.signals);
    // Compare without order, because it depends on changing prices.
    const { data } = await ask(service, `/signals/account_a?bankroll=${BANKROLL}`);
    const buckets = data.flatMap(({ event_id, signals }) =>
      signals.map(({ bucket }) => `${event_id} ${bucket}`),
    );
    const framed = got.sync.frame.rows.map(([event_id, bucket]: [number, string]) => `${event_id} ${bucket}`);
    assert.deepEqual(framed.sort(), buckets.sort());
    for (const column of ['event_title', 'edge', 'token_id', 'reasons'])
      assert.ok(got.sync.frame.columns.includes(column), column);
  });

  it('draw a forecast fan in Python', { skip: missing }, async () => {
    await waitUntil(() => service.app.board.find('a')!.events.some(({ forecast }) => forecast?.path));
    await runProgram(PYTHON, [join(ROOT, 'examples/python/plot_fan.py'), 'fan.svg'], { cwd: folder, env });
    const picture = readFileSync(join(folder, 'fan.svg'), 'utf8');
    assert.match(picture, /^<svg [\s\S]*<polygon points="[\d., ]+"[\s\S]*median \d+[\s\S]*<\/svg>\n$/);
    assert.doesNotMatch(picture, /nan|inf/);
  });
});

interface EventRecord {
  event_id: number;
  signals: { bucket: string }[];
}

async function ask(service: TestService, path: string) {
  const headers = { 'X-API-Key': service.keyOf('PRO')! };
  return (await (await fetch(`${service.url}/api/v1${path}`, { headers })).json()) as { data: EventRecord[] };
}

async function listEventIds(service: TestService): Promise<number[]> {
  return (await ask(service, '/meta/account_a')).data.map(({ event_id }) => event_id);
}
