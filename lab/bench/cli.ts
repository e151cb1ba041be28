// Measures CPU time of CLI commands, on the Node in PATH and on the packaged one.

import { spawnSync } from 'node:child_process';
import type { BenchOptions } from './core/bench.ts';
import { hasCommand, ROOT } from './core/processes.ts';
import { type BenchRow, limitRow, pairedRow } from './core/row.ts';
import { median, relativeSpread } from './core/statistics.ts';
import { startWholeService, type WholeService } from './load/whole-service.ts';

export const about = `CPU time of \`bin/tallycast.mjs COMMAND\` and its child processes. \`npm link\` or an installed package avoids the overhead of \`npx\`.`;

const HELP_MS = 300;
const QUERY_MS = 600;
const QUERIES = ['status', 'events', 'forecast', 'signals'];

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const service = await startWholeService(options, { proKeys: 1 });
  try {
    return measure(options, service);
  } finally {
    await service.stop();
  }
}

function measure({ isQuick, say }: BenchOptions, { url, keys }: WholeService): BenchRow[] {
  const rounds = Array.from({ length: isQuick ? 1 : 7 });
  const env = { TALLYCAST_URL: url, TALLYCAST_KEY: keys.PRO[0]! };
  const time = (words: readonly string[]) => rounds.map(() => readCpuMs(words, env));
  const limited = (name: string, words: readonly string[], limitMs: number) => {
    say(name);
    const taken = time(words);
    return limitRow(`cli, ${name}: CPU ms`, median(taken), limitMs, relativeSpread(taken));
  };
  const own = 'bin/tallycast.mjs';
  const nodes = [
    { node: process.execPath, name: `Node ${process.versions.node}` },
    ...(hasCommand('node') ? [{ node: 'node', name: `Node ${versionOf('node')} in PATH` }] : []),
  ].filter(({ name }, i, all) => i === 0 || !name.startsWith(`${all[0]!.name} `));
  const rows = nodes.flatMap(({ node, name }) => [
    limited(`--help on ${name}`, [node, own, '--help'], HELP_MS),
    ...QUERIES.map((query) => limited(`${query} on ${name}`, [node, own, query], QUERY_MS)),
  ]);
  const direct = time([process.execPath, own, 'status']);
  const throughNpx = time(['npx', 'tallycast', 'status']);
  return [...rows, pairedRow('cli, status vs. npx status: CPU ms', direct, throughNpx, 'less', 1)];
}

/** User and system time of a command and its children, measured by bash. */
function readCpuMs(words: readonly string[], env: Record<string, string>): number {
  const script = 'TIMEFORMAT="%U %S"; exec 3>&2; { time "$@" >/dev/null 2>&3; } 2>&1';
  const { stdout, status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  if (status !== 0) throw new Error(`${words.join(' ')} exited with ${status}: ${stderr}`);
  const [user = Number.NaN, system = Number.NaN] = stdout.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

function versionOf(node: string): string {
  return spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim();
}
