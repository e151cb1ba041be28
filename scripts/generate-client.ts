// node scripts/generate-client.ts: generates client code from docs/openapi.json.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type InterfaceDocument, readDocument } from './generate/interface-document.ts';
import { generatePython } from './generate/python-models.ts';
import { generateSyncPython } from './generate/python-sync.ts';
import { generateTypeScript } from './generate/typescript-types.ts';

export interface GeneratedFile {
  file: URL;
  generate(document: InterfaceDocument): string;
}

export const GENERATED_FILES: readonly GeneratedFile[] = [
  {
    file: new URL('../packages/client-js/src/generated/schema.ts', import.meta.url),
    generate: generateTypeScript,
  },
  {
    file: new URL('../packages/client-python/src/tallycast/models.py', import.meta.url),
    generate: generatePython,
  },
  {
    file: new URL('../packages/client-python/src/tallycast/client.py', import.meta.url),
    generate: generateSyncPython,
  },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = readDocument();
  for (const { file, generate } of GENERATED_FILES) writeFileSync(file, generate(document));
}
