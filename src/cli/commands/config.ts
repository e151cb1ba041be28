// Prints the effective configuration with secrets masked.

import { toConfig } from '../../config/config.ts';
import {
  buildConfigSchema,
  describeCommon,
  describeEffective,
  describeHelp,
} from '../../config/describe-config.ts';
import { loadSettings } from '../../config/load-config.ts';
import { readOptions } from '../arguments.ts';
import { type Command, print } from '../command.ts';

export const usage = `usage: npx tallycast config [--schema | --help-all] [settings]

Print the effective configuration and the source of each value; secrets are masked.

  --schema     print the JSON Schema for tallycast.config.json
  --help-all   list every setting

examples:
  npx tallycast config --port 9000
  npx tallycast config --schema > tallycast.config.schema.json

settings: flags override environment variables, which override tallycast.config.json
in this folder (TALLYCAST_CONFIG selects another file)
${describeCommon()}`;

export const run: Command['run'] = async (args, terminal) => {
  const loaded = loadSettings(args, terminal.env);
  const { values } = readOptions(loaded.rest, {
    schema: { type: 'boolean' },
    'help-all': { type: 'boolean' },
  });
  if (values.schema) {
    print(terminal, JSON.stringify(buildConfigSchema(), null, 2));
    return undefined;
  }
  if (values['help-all']) {
    print(terminal, describeHelp());
    return undefined;
  }
  const { dataDir } = toConfig(loaded, 'store');
  const effective = new Map(loaded.values).set('DATA_DIR', dataDir);
  print(terminal, describeEffective({ ...loaded, values: effective }));
  return undefined;
};
