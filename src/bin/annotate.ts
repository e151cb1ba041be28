// npm run annotate -- "LABEL": a note into the performance history, so that a step in it can be explained.

import { readBuildInfo } from '../app/build-info.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import { silentLogger } from '../runtime/logger.ts';
import { openStore } from '../store/open-store.ts';
import { runCommand } from './run-command.ts';

const USAGE = `usage: npx tallycast annotate "LABEL"

Writes a note with the time and the build into the performance history.

examples:
  npx tallycast annotate "oracle changed its counting rule"`;
const MAX_LABEL = 200;

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(USAGE);
  const config = loadConfig(argv, readEnvironment());
  const [label] = config.rest;
  if (config.rest.length !== 1 || !label?.trim() || label.length > MAX_LABEL) throw new UsageError(USAGE);
  const { databaseUrl, directDatabaseUrl } = config.secrets;
  const services = { clock: systemClock, logger: silentLogger };
  const store = await openStore({ databaseUrl, directDatabaseUrl, dataDir: config.dataDir, ...services });
  try {
    await store.annotations.add({
      ts: systemClock.now(),
      label: label.trim(),
      commit: readBuildInfo().commit,
    });
    console.error(`noted: ${label.trim()}`);
  } finally {
    await store.close();
  }
});
