import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from './all-settings.ts';
import { loadConfig } from './config.ts';
import { describeEffective } from './describe-config.ts';
import { loadSettings } from './load-config.ts';
import { PRESET_ADDRESSES } from './presets.ts';

function fileWith(content: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tallycast-config-')), 'config.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('configuration', () => {
  it('defaults to loopback, port 8080 and ./data/simulator', () => {
    const config = loadConfig([], {});
    assert.deepEqual(
      [config.host, config.port, config.dataDir, config.secrets.databaseUrl],
      ['127.0.0.1', 8080, './data/simulator', null],
    );
    assert.equal(config.sources, 'simulator');
  });

  it('gives flags precedence over the environment, and the environment over the file', () => {
    const env = {
      TALLYCAST_CONFIG: fileWith({ port: 1, host: 'file', dataDir: 'file' }),
      PORT: '2',
      HOST: 'env',
    };
    const config = loadConfig(['--port', '3'], env);
    assert.deepEqual([config.port, config.host, config.dataDir], [3, 'env', 'file']);
  });

  it('rejects a bad value with its variable, the value and what is allowed', () => {
    assert.throws(
      () => loadConfig([], { PORT: '80a' }),
      /PORT \(environment\) is "80a"; allowed: a whole number from 0 to 65535/,
    );
    assert.throws(
      () => loadConfig(['--role=boss'], {}),
      /ROLE \(--role\) is "boss"; allowed: one of all, ingest, api/,
    );
    assert.throws(() => loadConfig([], { ACCOUNT_A_SEGMENT: 'crypto' }), /ACCOUNT_A_SEGMENT .*not crypto/);
  });

  it('rejects an unknown key in the file', () => {
    assert.throws(() => loadConfig([], { TALLYCAST_CONFIG: fileWith({ prot: 1 }) }), /unknown key prot/);
  });

  it('rejects two accounts with the same segment', () => {
    assert.throws(() => loadConfig([], { ACCOUNT_B_SEGMENT: 'account_a' }), /ACCOUNT_B_SEGMENT/);
  });

  it('requires a shared database for split roles', () => {
    assert.throws(() => loadConfig(['--role', 'api'], {}), /DATABASE_URL/);
  });

  it("defaults to the vendors' addresses, but to none of the market's if one is set", () => {
    const accounts = [{ id: 'a', handle: 'someone', series: ['s'] }];
    const { urls } = loadConfig([], { TALLYCAST_CONFIG: fileWith({ accounts }) });
    assert.deepEqual(
      [urls.oracle, urls.clob],
      ['https://xtracker.polymarket.com/api', 'https://clob.polymarket.com'],
    );
    assert.equal(urls.marketPage, 'https://polymarket.com/event');
    const preset = { accounts, ...PRESET_ADDRESSES };
    const written = loadConfig([], { TALLYCAST_CONFIG: fileWith(preset) }).urls;
    assert.equal(
      written.marketPage,
      urls.marketPage,
      'a file with the same addresses links to the same page',
    );
    const own = { MARKET_GAMMA_BASE_URL: 'http://127.0.0.1:1', TALLYCAST_CONFIG: fileWith({ accounts }) };
    assert.throws(() => loadConfig([], own), /MARKET_CLOB_BASE_URL is not set/);
  });

  it('has at most 60 settings', () => {
    assert.ok(SETTINGS.filter(({ isShorthand }) => !isShorthand).length <= 60);
  });

  it('needs no platform credential to open the store', () => {
    const env = { ACCOUNT_A_HANDLE: '@somebody', ACCOUNT_A_POST_SOURCES: 'x' };
    assert.throws(() => loadConfig([], env), /is not set; live sources need it/);
    const accounts = [
      { id: 'a', handle: 'a', platformUserId: '1', series: ['s'], postSources: [{ kind: 'x' }] },
    ];
    assert.throws(
      () => loadConfig([], { TALLYCAST_CONFIG: fileWith({ accounts, ...PRESET_ADDRESSES }) }),
      /X_BEARER_TOKEN is not set; .* let the post sources be "oracle" alone/,
    );
    assert.equal(loadConfig([], env, 'store').accounts[0]!.handle, 'somebody', 'the @ is removed');
  });

  it('collects a repeated flag', () => {
    assert.deepEqual(loadConfig(['--fault', 'a', '--fault', 'b=2'], {}).simulator.faults, ['a', 'b=2']);
  });

  it('never shows a secret, even in an error', () => {
    const secret = 'postgres://user:hunter2@host/db';
    assert.doesNotMatch(describeEffective(loadSettings([], { DATABASE_URL: secret })), /hunter2/);
    assert.throws(
      () => loadConfig([], { DATABASE_URL: 'mysql://hunter2' }),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});
