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
  let text = '';
  const output = { write: (part: string) => void (text += part) };
  const stopSignal = () => new AbortController().signal;
  await run(args, { env: { TALLYCAST_CONFIG: path }, clock: systemClock, output, notes: output, stopSignal });
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
