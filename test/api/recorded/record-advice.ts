// node test/api/recorded/record-advice.ts: rewrites advice.jsonl after an intended change in advice or its wording.

import { writeFileSync } from 'node:fs';
import { askAdvice } from './ask-advice.ts';

writeFileSync(new URL('./advice.jsonl', import.meta.url), `${(await askAdvice()).join('\n')}\n`);
