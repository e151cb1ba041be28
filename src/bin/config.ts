// npm run config [-- --help | --schema]: the effective configuration, secrets masked.

import { toConfig } from '../config/config.ts';
import { buildConfigSchema, describeEffective, describeHelp } from '../config/describe-config.ts';
import { readEnvironment } from '../config/env.ts';
import { loadSettings } from '../config/load-config.ts';
import { runCommand } from './run-command.ts';

await runCommand(async (argv) => {
  if (argv.includes('--help')) return console.log(describeHelp());
  if (argv.includes('--schema')) return console.log(JSON.stringify(buildConfigSchema(), null, 2));
  const loaded = loadSettings(argv, readEnvironment());
  toConfig(loaded);
  console.log(describeEffective(loaded));
});
