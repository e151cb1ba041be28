// node test/api/recorded/record.ts: rewrites the recorded responses. They date from before accounts became
// configurable (commit 43ea299); rewriting loses that baseline, so do it only if the contract itself changes.

import { writeFileSync } from 'node:fs';
import { askEverything } from './ask.ts';

const lines = (await askEverything()).map((answer) => JSON.stringify(answer));
writeFileSync(new URL('./answers.jsonl', import.meta.url), `${lines.join('\n')}\n`);
