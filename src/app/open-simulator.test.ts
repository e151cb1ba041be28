import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../config/config.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openSimulator } from './open-simulator.ts';

it('a simulator that does not answer is named with its setting', async () => {
  const config = loadConfig(['--sources', 'simulator', '--simulator-url', 'http://127.0.0.1:1'], {});
  await assert.rejects(
    openSimulator(config, silentLogger),
    /SIMULATOR_URL: no simulator answers at http:\/\/127\.0\.0\.1:1\S* \(.*\)\. Start one or correct it\.$/,
  );
});
