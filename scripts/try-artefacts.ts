// Uses everything that is published from an empty folder, as its user would.
// node scripts/try-artefacts.ts [FOLDER]: FOLDER has what `lab release` built (packages/dist).

import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCPB_TOOL } from './packages/agents.ts';
import { findPythons, judgeWheelOn } from './packages/client-python.ts';
import { ROOT } from './packages/places.ts';
import { runProgram } from './packages/run-program.ts';
import { startProgram } from './packages/start-program.ts';

const dist = resolve(process.argv[2] ?? join(ROOT, 'packages/dist'));
const home = mkdtempSync(join(tmpdir(), 'tallycast-artefacts-'));
/** The machine's Node instead of the checkout's, and nothing from earlier installations. */
const env = {
  HOME: home,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};
const SEAL_MS = 180_000;
/** Seals an hour every few seconds. */
const START = ['npx', 'tallycast', 'start', '--port', '0', '--simulator-speed', '1200'];
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

function find(pattern: string): string {
  const [file] = globSync(join(dist, pattern));
  if (file === undefined)
    throw new Error(`${pattern} is missing in ${dist}. Run npx tallycast lab release first.`);
  return file;
}

function makeFolder(name: string): string {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  process.stdout.write(`${what}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  return result;
}

async function tryService(): Promise<void> {
  const cwd = makeFolder('npm');
  const run = (program: string, ...args: string[]) => runProgram(program, args, { cwd, env });
  await step('npm install', () => run('npm', 'install', ...QUIET, find('tallycast-[0-9]*.tgz')));
  await step('npx tallycast --version', () => run('npx', 'tallycast', '--version'));
  const service = await step('npx tallycast start', () =>
    startProgram(START, /^tallycast is running: (\S+)/, { cwd, env }),
  );
  const url = service.match[1]!;
  try {
    await step('page, API reference and a sealed hour', () => readPages(url));
    await step('npx tallycast verify', () =>
      run('npx', 'tallycast', 'verify', 'seals.jsonl', '--fetch', '--url', url),
    );
    const issue = ['keys', 'issue', '--tier', 'PRO', '--label', 'artefacts'];
    const key = (await run('npx', 'tallycast', ...issue)).trim();
    await tryClients({ ...env, TALLYCAST_URL: url, TALLYCAST_KEY: key });
  } finally {
    await service.stop();
  }
  await step('npx tallycast mcp', () => listTools('npx', ['tallycast', 'mcp'], cwd));
}

async function readPages(url: string): Promise<void> {
  for (const path of ['/', '/docs', '/openapi.json'])
    if ((await fetch(url + path)).status !== 200) throw new Error(`${path} cannot be read`);
  for (const untilMs = performance.now() + SEAL_MS; performance.now() < untilMs; await wait(5_000)) {
    const { data } = (await (await fetch(`${url}/api/v1/performance/seals`)).json()) as { data: unknown[] };
    if (data.length > 0) return;
  }
  throw new Error(`no sealed hour in ${SEAL_MS / 1000} s`);
}

async function tryClients(access: Record<string, string>): Promise<void> {
  const cwd = makeFolder('client-js');
  await step('JavaScript client', async () => {
    await runProgram('npm', ['install', ...QUIET, find('tallycast-client-*.tgz')], { cwd, env });
    copyFileSync(join(ROOT, 'test/packages/use-client.mjs'), join(cwd, 'use-client.mjs'));
    await runProgram('node', ['use-client.mjs'], { cwd, env: access });
  });
  for (const [version, python] of findPythons())
    await step(`Python ${version} wheel and its tests`, () =>
      judgeWheelOn(python, find('tallycast-*.whl'), makeFolder(`python-${version}`)),
    );
}

async function listTools(command: string, args: string[], cwd: string): Promise<void> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const where = { command, args, cwd, env: { ...env, PORT: '18080' } };
  await client.connect(new StdioClientTransport({ ...where, stderr: 'ignore' }));
  if ((await client.listTools()).tools.length === 0) throw new Error('no tools');
  await client.close();
}

async function tryBundle(): Promise<void> {
  const cwd = makeFolder('mcpb');
  await runProgram('npx', ['--yes', MCPB_TOOL, 'unpack', find('*.mcpb'), 'unpacked'], { cwd, env });
  const folder = join(cwd, 'unpacked');
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const args = (server.mcp_config.args as string[]).map((arg) => arg.replace('${__dirname}', folder));
  await step('MCP bundle, as in its manifest', () => listTools('node', args, cwd));
}

try {
  await tryService();
  await tryBundle();
} finally {
  rmSync(home, { recursive: true, force: true });
}
