// Uses everything that is published from an empty folder, as its user would, and prints what it took as a table.
// node scripts/try-artefacts.ts [FOLDER]: FOLDER has what `lab release` built (packages/dist).

import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { MCPB_TOOL } from './packages/agents.ts';
import { findPythons, judgeWheelOn, PYTHON } from './packages/client-python.ts';
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
const FAST = ['--simulator-speed', '1200'];
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

interface Row {
  artefact: string;
  command: string;
  seconds: number;
  megabytes: number | null;
}
const rows: Row[] = [];

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

function measureMb(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size / 1e6;
  const files = globSync(join(path, '**/*'), { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

/** `made` is the file or folder to weigh afterwards. */
async function measure<T>(
  artefact: string,
  command: string,
  work: () => Promise<T>,
  made?: string,
): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  const row = { artefact, command, seconds, megabytes: made === undefined ? null : measureMb(made) };
  rows.push(row);
  process.stderr.write(`${artefact}: ${command}: ${seconds.toFixed(1)} s\n`);
  return result;
}

async function tryService(): Promise<void> {
  const cwd = makeFolder('npm');
  const tarball = basename(find('tallycast-[0-9]*.tgz'));
  copyFileSync(join(dist, tarball), join(cwd, tarball));
  const run = (...args: string[]) => runProgram('npx', args, { cwd, env });
  const install = () => runProgram('npm', ['install', ...QUIET, `./${tarball}`], { cwd, env });
  await measure('npm package', `npm install ./${tarball}`, install, join(cwd, 'node_modules'));
  const version = () => run('tallycast', '--version');
  const isOld =
    Number((await runProgram('node', ['-p', 'process.versions.node'], { env })).split('.')[0]) < 24;
  await measure(
    '',
    `npx tallycast --version${isOld ? ' (downloads Node 24 once)' : ''}`,
    version,
    isOld ? join(home, '.cache/tallycast') : undefined,
  );
  const command = ['npx', 'tallycast', 'start', '--port', '0', ...FAST];
  const service = await measure('', 'npx tallycast start', () =>
    startProgram(command, /^tallycast is running: (\S+)/, { cwd, env }),
  );
  try {
    await tryRunning(service.match[1]!, run);
    await tryClients(service.match[1]!, cwd);
  } finally {
    await service.stop();
  }
  const simulator = () => startProgram(['npx', 'tallycast', 'simulator'], /"base":"([^"]+)"/, { cwd, env });
  await (await measure('', 'npx tallycast simulator', simulator)).stop();
  await measure('', 'npx tallycast mcp (starts a service)', () =>
    listTools('npx', ['tallycast', 'mcp'], cwd),
  );
}

async function tryRunning(url: string, run: (...args: string[]) => Promise<string>): Promise<void> {
  await measure('', 'the page and the API reference', async () => {
    for (const path of ['/', '/docs', '/openapi.json']) {
      const { status } = await fetch(url + path);
      if (status !== 200) throw new Error(`${path} returned ${status}`);
    }
  });
  await waitForSeal(url);
  await measure('', 'npx tallycast verify seals.jsonl --fetch', () =>
    run('tallycast', 'verify', 'seals.jsonl', '--fetch', '--url', url),
  );
}

async function waitForSeal(url: string): Promise<void> {
  const untilMs = performance.now() + SEAL_MS;
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/v1/performance/seals`)).json()) as { data: unknown[] };
    if (data.length > 0) return;
    if (performance.now() > untilMs) throw new Error(`no sealed hour in ${SEAL_MS / 1000} s`);
    // Anonymous callers have 100 requests an hour.
    await wait(5_000);
  }
}

async function tryClients(url: string, serviceFolder: string): Promise<void> {
  const issue = ['tallycast', 'keys', 'issue', '--tier', 'PRO', '--label', 'artefacts'];
  const key = (await runProgram('npx', issue, { cwd: serviceFolder, env })).trim();
  const access = { ...env, TALLYCAST_URL: url, TALLYCAST_KEY: key };
  const cwd = makeFolder('client-js');
  const tarball = find('tallycast-client-*.tgz');
  const install = () => runProgram('npm', ['install', ...QUIET, tarball], { cwd, env });
  await measure(
    'JavaScript client',
    `npm install ./${basename(tarball)}`,
    install,
    join(cwd, 'node_modules'),
  );
  copyFileSync(join(ROOT, 'test/packages/use-client.mjs'), join(cwd, 'use-client.mjs'));
  await measure('', 'node use-client.mjs', () =>
    runProgram('node', ['use-client.mjs'], { cwd, env: access }),
  );
  await tryPython(access);
}

async function tryPython(access: Record<string, string>): Promise<void> {
  const wheel = find('tallycast-*.whl');
  const cwd = makeFolder('python');
  for (const [version, python] of findPythons()) {
    const command = `python${version} -m pip install ./${basename(wheel)}, then its tests`;
    await measure(
      'Python wheel',
      command,
      () => judgeWheelOn(python, wheel, join(cwd, version)),
      join(cwd, version),
    );
  }
  const archive = find('tallycast-*.tar.gz');
  const install = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--no-build-isolation',
    '--target',
    'sdist',
    archive,
  ];
  const fromSource = () => runProgram(PYTHON, install, { cwd, env });
  await measure(
    'Python sdist',
    `python3 -m pip install ./${basename(archive)}`,
    fromSource,
    join(cwd, 'sdist'),
  );
  const plot = () =>
    runProgram(PYTHON, [join(ROOT, 'examples/python/plot_fan.py'), 'fan.svg'], {
      cwd,
      env: { ...access, PYTHONPATH: join(cwd, 'sdist') },
    });
  await measure('', 'python3 plot_fan.py fan.svg', plot, undefined);
}

async function listTools(command: string, args: string[], cwd: string): Promise<void> {
  const client = new ClientV2({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioV2({ command, args, cwd, env: { ...env, PORT: '18080' }, stderr: 'ignore' }));
  expectTools((await client.listTools()).tools.length);
  await client.close();
}

function expectTools(count: number): void {
  if (count === 0) throw new Error('no tools');
}

async function tryBundle(): Promise<void> {
  const cwd = makeFolder('mcpb');
  const bundle = find('*.mcpb');
  const unpack = ['--yes', MCPB_TOOL, 'unpack', bundle, 'unpacked'];
  await measure(
    'MCPB bundle',
    `npx ${MCPB_TOOL} unpack ${basename(bundle)}`,
    () => runProgram('npx', unpack, { cwd, env }),
    join(cwd, 'unpacked'),
  );
  const folder = join(cwd, 'unpacked');
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const args = server.mcp_config.args.map((arg: string) =>
    arg.replace(/\$\{__dirname\}/, folder),
  ) as string[];
  await measure('', 'node server/bin/tallycast.mjs mcp, as in its manifest', async () => {
    const client = new ClientV1({ name: 'host', version: '1.0.0' });
    const transport = new StdioV1({
      command: 'node',
      args,
      cwd,
      env: { ...env, PORT: '18081' },
      stderr: 'ignore',
    });
    await client.connect(transport as never);
    expectTools((await client.listTools()).tools.length);
    await client.close();
  });
}

async function trySkill(): Promise<void> {
  const copy = async () =>
    cpSync(join(ROOT, 'skills/tallycast'), join(home, 'skills/tallycast'), { recursive: true });
  await measure('skill', 'cp -r skills/tallycast ~/skills/', copy, undefined);
}

function printTable(): void {
  const cells = rows.map(({ artefact, command, seconds, megabytes }) => [
    artefact,
    `\`${command}\``,
    seconds.toFixed(1),
    megabytes === null ? '' : megabytes.toFixed(megabytes < 1 ? 2 : 1),
  ]);
  const head = ['artefact', 'command, in an empty folder', 'seconds', 'MB'];
  const lines = [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

try {
  await tryService();
  await tryBundle();
  await trySkill();
  printTable();
} finally {
  rmSync(home, { recursive: true, force: true });
}
