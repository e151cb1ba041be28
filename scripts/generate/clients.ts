// node scripts/generate/clients.ts: generates the clients' types from the endpoints, which are not in git, and the
// table of alert kinds in docs/alerts.md, which is. scripts/setup.mjs runs it before checks, tests and packing.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeInterface } from '../../src/server/describe-interface.ts';
import { writeKindsTable } from './alert-kinds.ts';
import type { InterfaceDocument } from './interface-document.ts';
import { generatePythonMethods } from './python-methods.ts';
import { generatePython } from './python-models.ts';
import { generateSyncPython, toSync } from './python-sync.ts';
import { generateTypeScript } from './typescript-types.ts';

const ROOT = new URL('../../', import.meta.url);

const OUTPUTS: Readonly<Record<string, (document: InterfaceDocument) => string>> = {
  'packages/client-js/src/generated/schema.ts': generateTypeScript,
  'packages/client-python/src/tallycast/models.py': generatePython,
  'packages/client-python/src/tallycast/_aio_endpoints.py': generatePythonMethods,
  'packages/client-python/src/tallycast/_endpoints.py': (document) => toSync(generatePythonMethods(document)),
  'packages/client-python/src/tallycast/client.py': generateSyncPython,
};

export function readDocument(): InterfaceDocument {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  return JSON.parse(JSON.stringify(describeInterface(version))) as InterfaceDocument;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = readDocument();
  for (const [path, generate] of Object.entries(OUTPUTS)) {
    const file = fileURLToPath(new URL(path, ROOT));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, generate(document));
  }
  const alerts = new URL('docs/alerts.md', ROOT);
  const text = readFileSync(alerts, 'utf8');
  const table = writeKindsTable(text);
  if (table !== text) writeFileSync(alerts, table);
}
