// Checks compose.yaml without a container engine: our settings and the mounted files.
// Images are neither pulled nor run.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/config/all-settings.ts';
import { findPromtool } from '../support/promtool.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Files the operator writes, as docs/operations.md explains. */
const BY_OPERATOR = ['./tallycast.config.json', 'tallycast.env'];

interface Service {
  image: string;
  environment?: Record<string, string>;
  env_file?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  volumes?: string[];
  ports?: string[];
  build?: { context: string; dockerfile: string };
  deploy?: { replicas: number };
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const toJson = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
const parsed = spawnSync('/usr/bin/python3', ['-c', toJson], {
  input: read('compose.yaml'),
  encoding: 'utf8',
});
const skip =
  parsed.status !== 0 && /No module|ENOENT/.test(parsed.stderr ?? 'ENOENT') && 'no YAML parser is installed';
const compose = (skip ? { services: {}, volumes: {} } : JSON.parse(parsed.stdout)) as Compose;
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

describe('compose.yaml', { skip }, () => {
  it('runs the service unprivileged on a read-only root', () => {
    for (const [name, { user, read_only, cap_drop }] of ours)
      assert.deepEqual([user, read_only, cap_drop], ['65532:65532', true, ['ALL']], name);
  });

  it('passes only known settings to the service', () => {
    const known = new Set(['TALLYCAST_CONFIG', ...SETTINGS.map(({ name }) => name)]);
    assert.equal(ours.length, 2);
    for (const [name, { environment }] of ours)
      assert.deepEqual(
        Object.keys(environment!).filter((key) => !known.has(key)),
        [],
        name,
      );
  });

  it('mounts only checkout files, operator files and declared volumes', () => {
    for (const [name, { volumes = [], env_file = BY_OPERATOR[1]!, build }] of services) {
      const sources = volumes.map((line) => line.split(':')[0]!);
      const missing = [...sources, env_file, ...(build ? [build.dockerfile] : [])].filter(
        (path) =>
          !path.startsWith('/') &&
          !BY_OPERATOR.includes(path) &&
          !(path in compose.volumes) &&
          !existsSync(join(ROOT, path)),
      );
      assert.deepEqual(missing, [], name);
    }
  });

  it('publishes only the proxy and, on loopback, Grafana', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    assert.deepEqual(published, [
      'proxy 80:80',
      'proxy 443:443',
      'proxy 443:443/udp',
      'grafana 127.0.0.1:3000:3000',
    ]);
  });

  it('takes every password from .env; the example file contains none', () => {
    const example = read('deploy/compose.env.example');
    const names = new Set([...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!));
    assert.deepEqual([...names].sort(), ['DOMAIN', 'GRAFANA_PASSWORD', 'POSTGRES_PASSWORD']);
    for (const name of names) assert.match(example, new RegExp(`^${name}=`, 'm'));
    assert.doesNotMatch(example, /PASSWORD=.+/);
  });

  it('scrapes the api replicas on their metrics port', (t) => {
    const { METRICS_PORT } = compose.services.api!.environment!;
    assert.match(
      read('deploy/prometheus/prometheus.yml'),
      new RegExp(`names: \\[api\\][\\s\\S]*port: ${METRICS_PORT}\\b`),
    );
    const promtool = findPromtool();
    if (promtool === null) return t.skip('promtool is unavailable');
    const checked = spawnSync(promtool, ['check', 'config', 'deploy/prometheus/prometheus.yml'], {
      cwd: ROOT,
    });
    assert.equal(checked.status, 0, String(checked.stderr));
  });
});

describe('deploy/pin-images.sh', () => {
  const FILES = ['deploy/Containerfile', 'compose.yaml', 'deploy/pin-images.sh'];

  /** Like docker buildx: prints a digest for an image that a registry would have. */
  function pin(folder: string, digit: string): string {
    const docker = join(folder, 'docker');
    const digest = `sha256:${digit.repeat(64)}`;
    writeFileSync(
      docker,
      `#!/bin/sh\n[ "$1 $2 $3 $5" = 'buildx imagetools inspect --format' ] && echo ${digest}\n`,
    );
    chmodSync(docker, 0o755);
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const { status, stderr } = spawnSync('sh', [join(folder, FILES[2]!)], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const texts = FILES.slice(0, 2).map((file) => readFileSync(join(folder, file), 'utf8'));
    return texts.join('');
  }

  it('pins every base image to a digest and changes nothing else, also when run again', () => {
    const folder = makeTempFolder('pin');
    mkdirSync(join(folder, 'deploy'));
    for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
    const pinned = pin(folder, 'a');
    assert.equal(pinned.match(/@sha256:a{64}/g)!.length, 6);
    assert.equal(pinned.replaceAll(/@sha256:a{64}/g, ''), FILES.slice(0, 2).map(read).join(''));
    assert.match(pinned, /^FROM docker\.io\/library\/node:24-slim@sha256:a{64} AS build$/m);
    assert.equal(pin(folder, 'b'), pinned.replaceAll('a'.repeat(64), 'b'.repeat(64)));
  });
});
