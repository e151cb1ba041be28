// Setup in the browser: prints a one-time link and restarts on live sources when setup is complete.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyService } from '../../access/key-service.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { configFilePath, readConfigObject, writeConfigObject } from '../../config/load-config.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import { createRandom, randomSeed } from '../../runtime/random.ts';
import { checkConfiguration } from '../check-configuration.ts';
import type { App } from '../composition.ts';
import { openSources } from '../open-sources.ts';
import { applyDraft, type ConfigFile, describeSetup, type SetupDraft } from './setup-file.ts';
import { openSetupServer, type SetupActions } from './setup-server.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Progress =
  | { state: 'editing' }
  | { state: 'starting' }
  | { state: 'failed'; problem: string }
  | { state: 'live'; url: string; key: string };

export interface Setup {
  readonly link: string;
  /** Resolves with the live configuration when setup is complete; can be awaited again after a failed start. */
  untilRequested(): Promise<Config>;
  noteLive(app: Pick<App, 'url' | 'store'>): Promise<void>;
  noteFailed(problem: string): void;
  close(): Promise<void>;
}

/** Only a demo with its own store and simulator can go live this way, not part of a larger deployment. */
export function canOfferSetup({ sources, role, secrets, simulator }: Config): boolean {
  return sources === 'simulator' && role === 'all' && secrets.databaseUrl === null && simulator.url === null;
}

export async function offerSetup(options: {
  args: readonly string[];
  env: Environment;
  clock: Clock;
  /** Port and data folder of the demo. */
  current: () => { port: number; dataDir: string };
}): Promise<Setup> {
  const { args, env, clock, current } = options;
  const path = configFilePath(env);
  let progress: Progress = { state: 'editing' };
  let requested = Promise.withResolvers<Config>();

  const actions: SetupActions = {
    '/state': async () => describeSetup(readConfigObject(path), env),
    '/check': async (body) => {
      const config = loadDraft(applyDraft(readConfigObject(path), readDraft(body), env), args, env);
      const sources = openSources({ config, simulator: null, clock, random: createRandom(randomSeed()) });
      const findings = await checkConfiguration(config, sources, { clock });
      const costUsdPerMonth = findings.reduce((sum, finding) => sum + (finding.costUsdPerMonth ?? 0), 0);
      return { findings, costUsdPerMonth };
    },
    '/live': async (body) => {
      if (progress.state === 'starting' || progress.state === 'live') return progress;
      const file = applyDraft(readConfigObject(path), readDraft(body), env);
      const config = requireOtherStore(loadDraft(file, args, env), current().dataDir);
      writeConfigObject(path, file);
      progress = { state: 'starting' };
      // Uses the demo's port, so that open pages and links stay valid.
      requested.resolve({ ...config, port: current().port });
      return progress;
    },
    '/progress': async () => progress,
  };
  const server = await openSetupServer(actions, clock);
  return {
    link: server.link,
    untilRequested: () => requested.promise,
    async noteLive({ url, store }) {
      const { key } = await createKeyService(store.keys, systemClock).issue({
        tier: 'INTERNAL',
        label: 'setup',
      });
      progress = { state: 'live', url: url!, key };
      // The progress now holds a key, which the printed link must not reveal.
      server.endLink();
    },
    noteFailed(problem) {
      progress = { state: 'failed', problem };
      requested = Promise.withResolvers();
    },
    close: server.close,
  };
}

function readDraft(body: unknown): SetupDraft {
  const { accounts, credentials } = (body ?? {}) as Partial<SetupDraft>;
  const isTexts = Array.isArray(accounts) && accounts.every((name) => typeof name === 'string');
  const given = Object.entries(credentials ?? {});
  if (!isTexts || given.some(([, value]) => typeof value !== 'string'))
    throw new UsageError('accounts and credentials must be strings');
  return { accounts, credentials: Object.fromEntries(given) };
}

/** Loads the draft as a restart would, but from a temporary file until it is accepted. */
function loadDraft(file: ConfigFile, args: readonly string[], env: Environment): Config {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-setup-'));
  try {
    const path = join(folder, 'draft.json');
    writeConfigObject(path, file);
    const config = loadConfig(args, { ...env, TALLYCAST_CONFIG: path });
    if (config.sources !== 'live')
      throw new UsageError('The SOURCES setting keeps this service on the simulator. Remove it and restart.');
    return config;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireOtherStore(config: Config, simulatedDir: string): Config {
  if (config.dataDir !== simulatedDir) return config;
  throw new UsageError(
    `${simulatedDir} holds simulated data. Restart without --data-dir or with another folder, then go live.`,
  );
}
