// Adding known accounts on the command line produces a valid configuration.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run } from '../../src/cli/commands/accounts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { ACCOUNT_PRESETS } from '../../src/config/presets.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const folder = makeTempFolder('presets');

async function ask(path: string, ...args: string[]): Promise<string> {
  return askWith({}, path, ...args);
}

async function askWith(env: Record<string, string>, path: string, ...args: string[]): Promise<string> {
  let text = '';
  const output = { write: (part: string) => void (text += part) };
  const stopSignal = () => new AbortController().signal;
  await run(args, {
    env: { ...env, TALLYCAST_CONFIG: path },
    clock: systemClock,
    output,
    notes: output,
    stopSignal,
  });
  return text;
}

describe('known accounts', () => {
  it('all produce a valid live configuration without credentials', async () => {
    const path = join(folder, 'all.json');
    for (const { name } of ACCOUNT_PRESETS) await ask(path, 'add', name, '--no-check');
    const config = loadConfig([], { TALLYCAST_CONFIG: path });
    assert.equal(config.sources, 'live');
    assert.equal(config.accounts.length, ACCOUNT_PRESETS.length);
    const series = config.accounts.flatMap(({ market }) => market.seriesSlugs);
    assert.equal(new Set(series).size, 11);
    const trump = config.accounts.find(({ accountId }) => accountId === 'donald-trump')!;
    assert.deepEqual(
      trump.contracts!.map((contract) => [contract.series, contract.countingRule.deletedPosts]),
      [
        ['KXTRUTHSOCIAL', false],
        ['KXTRUTHSOCIALD', false],
      ],
    );
    assert.equal(trump.countingRule.deletedPosts, true);
  });

  it('read posts with a credential that is set, and say so if it cannot be used', async () => {
    const path = join(folder, 'paid.json');
    const token = { X_BEARER_TOKEN: 't' };
    assert.match(
      await askWith(token, path, 'add', 'elon-musk', '--no-check'),
      /reads posts from x, then oracle/,
    );
    const said = await askWith(token, path, 'add', 'cz', '--no-check');
    assert.match(said, /cz reads posts from oracle\n.*X_BEARER_TOKEN is not used for cz: .*platformUserId/);
    const config = loadConfig([], { ...token, TALLYCAST_CONFIG: path });
    assert.deepEqual(
      config.accounts.map(({ postSources }) => postSources!.map(({ kind }) => kind)),
      [['x', 'oracle'], ['oracle']],
    );
    assert.equal(config.postSources.x.monthlyCapUsd, 100, 'a cap by default when live');
    assert.equal(loadConfig([], {}).postSources.x.monthlyCapUsd, null);
  });

  it('can be listed with their status, added once and removed', async () => {
    const path = join(folder, 'one.json');
    await ask(path, 'add', 'cz', '--no-check');
    const written = readFileSync(path, 'utf8');
    assert.match(await ask(path, 'add', 'cz', '--no-check'), /already/);
    assert.equal(readFileSync(path, 'utf8'), written);
    assert.match(await ask(path), /cz +cz_binance +followed/);
    await ask(path, 'remove', 'cz');
    assert.doesNotMatch(await ask(path), /followed/);
    await assert.rejects(ask(path, 'add', 'unknown'), /not a known account; known: elon-musk/);
  });
});
