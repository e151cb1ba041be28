// npm run doctor: looks at every configured source once; exits 1 when one has a problem.

import { openSources } from '../app/open-sources.ts';
import { openWorld } from '../app/open-world.ts';
import { DOCTOR_USAGE, describeFindings } from '../cli/describe-findings.ts';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { systemClock } from '../runtime/clock.ts';
import { UsageError } from '../runtime/errors.ts';
import { silentLogger } from '../runtime/logger.ts';
import { createRandom, randomSeed } from '../runtime/random.ts';
import { checkSources } from '../sources/doctor.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(DOCTOR_USAGE);
  const config = loadConfig(argv, readEnvironment());
  const isJson = config.rest.includes('--json');
  const unknown = config.rest.find((argument) => argument !== '--json');
  if (unknown !== undefined) throw new UsageError(`unknown argument ${unknown}\n\n${DOCTOR_USAGE}`);
  const world = config.sources === 'world' ? await openWorld(config, silentLogger) : null;
  try {
    const clock = world?.clock ?? systemClock;
    const sources = openSources({ config, world, clock, random: createRandom(randomSeed()) });
    if (!isJson) console.error(`looking at the ${world ? 'pretend world' : 'live sources'} ...`);
    const findings = await checkSources(sources, { clock });
    console.log(isJson ? JSON.stringify(findings, null, 2) : describeFindings(findings));
    if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
  } finally {
    await world?.close();
  }
});
