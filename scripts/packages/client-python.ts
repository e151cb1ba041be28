// Builds the Python package as published: a wheel and a source archive, without contacting an index.

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './places.ts';
import { runProgram } from './run-program.ts';

const MYPY_CACHE = join(ROOT, 'node_modules/.cache/mypy');
const SOURCE = join(ROOT, 'packages/client-python');

/**
 * The system's Python, with packages from `node scripts/setup.mjs --python`; otherwise the first on the path.
 */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** Lists missing prerequisites for building and testing the package; null if there are none. */
export function findMissingPython(): string | null {
  const needed = ['httpx', 'pandas', 'build', 'setuptools', 'wheel', 'venv', 'ensurepip', 'mypy'];
  const words = `import importlib.util as u; print(*[n for n in ${JSON.stringify(needed)} if u.find_spec(n) is None])`;
  const { status, stdout } = spawnSync(PYTHON, ['-c', words], { encoding: 'utf8' });
  if (status !== 0) return 'python3';
  return stdout.trim() === '' ? null : stdout.trim();
}

export async function buildWheel(outDir: string): Promise<{ file: string; packedBytes: number }> {
  // Build from a copy, because setuptools leaves folders next to the sources.
  const staging = join(outDir, 'client-python');
  mkdirSync(staging, { recursive: true });
  const isSource = (path: string) =>
    !/__pycache__|\.mypy_cache|\.egg-info|^tests(\/|$)/.test(relative(SOURCE, path));
  cpSync(SOURCE, staging, { recursive: true, filter: isSource });
  copyFileSync(join(ROOT, 'LICENSE'), join(staging, 'LICENSE'));
  const args = ['-m', 'build', '--no-isolation', '--outdir', outDir, staging];
  await runProgram(PYTHON, args, { env: { PYTHONDONTWRITEBYTECODE: '1' } });
  const name = readdirSync(outDir).find((each) => each.endsWith('.whl'))!;
  return { file: join(outDir, name), packedBytes: statSync(join(outDir, name)).size };
}

/**
 * Creates a virtual environment with the wheel installed and returns its python. httpx and pandas come from
 * the system. Installing pip takes four times as long as the rest, so it is done only if needed.
 */
export async function installWheel(wheel: string, folder: string): Promise<string> {
  const hasPip = spawnSync(PYTHON, ['-m', 'pip', '--version']).status === 0;
  const pip = hasPip ? ['--without-pip'] : [];
  await runProgram(PYTHON, ['-m', 'venv', '--system-site-packages', ...pip, folder]);
  const python = join(folder, 'bin/python');
  await runProgram(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-compile', wheel]);
  return python;
}

const OLDEST_MINOR = 10;
const NEWEST_MINOR = 30;

/** The oldest and the newest supported Python on the path and in pyenv, by version. */
export function findPythons(): [string, string][] {
  const minors = Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_, i) => OLDEST_MINOR + i);
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const found = minors.flatMap((minor) => {
    const name = `python3.${minor}`;
    const python = [name, ...globSync(join(pyenv, `3.${minor}.*/bin`, name))].find(
      (each) => spawnSync(each, ['-m', 'pip', '--version']).status === 0,
    );
    return python === undefined ? [] : [[`3.${minor}`, python] as [string, string]];
  });
  return found.filter((_, i) => i === 0 || i === found.length - 1);
}

/** Installs the wheel and its dependency for the given Python, and runs the package's tests against them. */
export async function judgeWheelOn(python: string, wheel: string, folder: string): Promise<void> {
  const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--retries', '0', '--target', folder];
  await runProgram(python, [...install, wheel]);
  await runTests(python, folder);
}

/** Checks types in strict mode, then runs the package's own tests. */
export async function judgePython(): Promise<void> {
  await runProgram(PYTHON, ['-m', 'mypy', '--cache-dir', MYPY_CACHE], { cwd: SOURCE });
  await testPython();
}

/** Runs the package's own tests on its sources. */
export function testPython(): Promise<void> {
  return runTests(PYTHON, join(SOURCE, 'src'));
}

async function runTests(python: string, packages: string): Promise<void> {
  const env = { PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: packages };
  const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'];
  await runProgram(python, args, { cwd: SOURCE, env });
}
