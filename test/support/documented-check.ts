// Verifies a dossier with the code in docs/dossier.md, which shares nothing with the code that signs.

import { readFileSync } from 'node:fs';

const DOCS = readFileSync(new URL('../../docs/dossier.md', import.meta.url), 'utf8');

/** Whether the documented code accepts the signed dossier as the holder of `knownKey` signed it. */
export async function isAcceptedAsDocumented(signed: object, knownKey: string): Promise<boolean> {
  const [, imports, steps] = /```js\n(import .*)\n([\s\S]*?)```/.exec(DOCS)!;
  const body = steps!.replace(/^verify\(/m, 'return verify(');
  const text = `${imports}\nexport const check = async (address, knownKey) => {\n${body}};`;
  const { check } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return check(`data:application/json,${encodeURIComponent(JSON.stringify({ data: signed }))}`, knownKey);
}
