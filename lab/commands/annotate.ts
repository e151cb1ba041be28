// Adds a note to the performance history, to explain steps in it.

import { readBuildInfo } from '../../src/app/build-info.ts';
import { readWordsAndOptions } from '../../src/cli/arguments.ts';
import { type Command, note } from '../../src/cli/command.ts';
import { withStore } from '../../src/cli/open-configured-store.ts';
import { loadConfig } from '../../src/config/config.ts';
import { UsageError } from '../../src/runtime/errors.ts';

export const usage = `usage: npx tallycast lab annotate "LABEL" [settings]

Add a note with time and build to the performance history (at most 200 characters).

examples:
  npx tallycast lab annotate "oracle changed its counting rule"`;

const MAX_LABEL = 200;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const label = readWordsAndOptions(config.rest, 1, {}).positionals[0]?.trim();
  if (!label || label.length > MAX_LABEL)
    throw new UsageError(`the label must have 1 to ${MAX_LABEL} characters`);
  await withStore(config, (store) =>
    store.annotations.add({ ts: terminal.clock.now(), label, commit: readBuildInfo().commit }),
  );
  note(terminal, `noted: ${label}`);
  return undefined;
};
