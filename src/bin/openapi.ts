// npm run openapi: writes docs/openapi.json from the routes themselves.

import { readFileSync, writeFileSync } from 'node:fs';
import { describeInterface } from '../api/describe-interface.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const target = new URL('../../docs/openapi.json', import.meta.url);
  writeFileSync(target, `${JSON.stringify(describeInterface(version), null, 2)}\n`);
});
