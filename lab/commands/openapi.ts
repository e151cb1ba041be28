// Generates docs/openapi.json from the routes, and the clients' types from it.

import { readFileSync, writeFileSync } from 'node:fs';
import { readOptions } from '../../src/cli/arguments.ts';
import type { Command } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';
import { describeInterface } from '../../src/server/describe-interface.ts';

export const usage = `usage: npx tallycast lab openapi

Generate docs/openapi.json from the routes, then the clients' types from it. Check it with
npx redocly lint docs/openapi.json.`;

const ROOT = new URL('../../', import.meta.url);

export const run: Command['run'] = async (args, terminal) => {
  readOptions(args, {});
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const document = `${JSON.stringify(describeInterface(version), null, 2)}\n`;
  writeFileSync(new URL('docs/openapi.json', ROOT), document);
  return runProgram('scripts/generate-client.ts')([], terminal);
};
