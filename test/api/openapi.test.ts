// The OpenAPI document lists the contract's endpoints and is well formed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { describeInterface } from '../../src/server/describe-interface.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('OpenAPI document', () => {
  it('lists the twenty endpoints', () => {
    const { paths } = describeInterface(version) as { paths: Record<string, Record<string, unknown>> };
    const expected = [
      ...['a', 'b'].flatMap((letter) => [
        `/meta/account_${letter}`,
        `/meta/account_${letter}/tweets`,
        `/prediction/account_${letter}`,
        `/signals/account_${letter}`,
        `/portfolio/account_${letter}`,
      ]),
      '/meta/crypto',
      '/portfolio/account_a/rebalancing',
      '/health',
      '/performance/overview',
      '/performance/history',
      ...['summary', 'by-endpoint', 'errors', 'stats'].map((name) => `/usage/${name}`),
    ];
    for (const path of expected) assert.ok(paths[`/api/v1${path}`]?.get, path);
    assert.ok(paths['/api/v1/waitlist']?.post);
  });

  it('passes the linter', async () => {
    const folder = makeTempFolder('openapi');
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(describeInterface(version)));
    const run = promisify(execFile);
    const { stdout, stderr } = await run(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format=json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } };
    assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout + stderr);
  });
});
