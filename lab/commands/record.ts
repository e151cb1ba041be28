// Runs the service for a few minutes and records the platforms' responses for use in tests.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatorUrls } from '../../simulator/urls.ts';
import { startApp } from '../../src/app/composition.ts';
import { openSimulator, simulatorAccounts, simulatorSourceUrls } from '../../src/app/open-simulator.ts';
import { openSources, REAL_NETWORK } from '../../src/app/open-sources.ts';
import { readNumberWithin, readWordsAndOptions, required } from '../../src/cli/arguments.ts';
import { type Command, DONE, note, print } from '../../src/cli/command.ts';
import { beginRecording } from '../../src/cli/commands/replay.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { MINUTE_MS } from '../../src/domain/units.ts';
import { sleep } from '../../src/runtime/clock.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { createRandom, randomSeed } from '../../src/runtime/random.ts';
import { checkSources } from '../../src/sources/doctor.ts';
import { createRecordingNetwork } from '../../src/sources/recording/record-network.ts';
import { blankSecrets, createRedact, findSecrets } from '../../src/sources/recording/redact.ts';

export const usage = `usage: npx tallycast lab record --minutes N DIR [settings]

Run the service on the configured sources for N minutes in a temporary folder and record the platforms' responses and
pushes in DIR. Credentials, wallets, mail and network addresses are removed first; requests are not recorded. Run the
adapters on the recording with 'npx tallycast replay DIR'.

examples:
  npx tallycast lab record --minutes 10 first-day
  npx tallycast replay first-day`;

export const run: Command['run'] = async (args, terminal) => {
  const given = loadConfig(args, terminal.env);
  const { values, positionals } = readWordsAndOptions(given.rest, 1, { minutes: { type: 'string' } });
  const minutes = readNumberWithin('--minutes', required(values.minutes, '--minutes'), 0, 24 * 60);
  const folder = required(positionals[0], 'DIR');
  const dataDir = mkdtempSync(join(tmpdir(), 'tallycast-record-'));
  const simulator =
    given.sources === 'simulator' ? await openSimulator({ ...given, dataDir }, silentLogger) : null;
  try {
    const config = toRecorded(given, dataDir, simulator?.urls ?? null);
    const { clock } = terminal;
    const secrets = findSecrets(config);
    const redact = createRedact(secrets, randomBytes(16).toString('hex'));
    const clean = JSON.parse(redact(JSON.stringify(blankSecrets({ ...config, dataDir: '' })))) as Config;
    let kept = 0;
    const write = beginRecording(folder, { startedTs: clock.now(), config: clean });
    const network = createRecordingNetwork({
      network: REAL_NETWORK,
      redact,
      clock,
      keep(entry) {
        kept += 1;
        write(entry);
      },
    });
    const sources = openSources({
      config,
      simulator: null,
      clock,
      random: createRandom(randomSeed()),
      network,
    });
    note(terminal, `recording the ${simulator ? 'simulator' : 'live sources'} for ${minutes} min ...`);
    await checkSources(sources, { clock });
    const app = await startApp(config, { sources, logger: silentLogger });
    await sleep(clock, minutes * MINUTE_MS, terminal.stopSignal());
    await app.stop();
    network.finish();
    print(terminal, `${kept} responses and connections recorded in ${folder}`);
    return DONE;
  } finally {
    await simulator?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Runs only the service, on free ports, without payments and without other processes. */
function toRecorded(config: Config, dataDir: string, simulatorUrls: SimulatorUrls | null): Config {
  const { secrets } = config;
  const alone: Config = {
    ...config,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    metrics: { host: '127.0.0.1', port: 0 },
    role: 'all',
    sources: 'live',
    payments: { ...config.payments, mode: 'off' },
    secrets: { ...secrets, databaseUrl: null, directDatabaseUrl: null },
    rest: [],
  };
  if (!simulatorUrls) return alone;
  const any = 'simulator';
  const simulatedSecrets = {
    xBearerToken: any,
    twitterapiKey: any,
    cryptoApiKey: any,
    cryptoApiSecret: any,
    cryptoApiPassphrase: any,
  };
  return {
    ...alone,
    urls: { ...config.urls, ...simulatorSourceUrls(simulatorUrls) },
    accounts: simulatorAccounts(config, simulatorUrls),
    secrets: { ...alone.secrets, ...simulatedSecrets },
  };
}
