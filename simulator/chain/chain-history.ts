// Stores the transactions accepted by the simulated chain, one per line, so that a restarted demo restores
// its balances.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PastTransaction {
  raw: string;
  timestampS: number;
}

export interface ChainHistory {
  load(): PastTransaction[];
  append(raw: string, timestampS: number): void;
}

export function openChainHistory(dataDir: string): ChainHistory {
  const file = join(dataDir, 'demo-chain.jsonl');
  return {
    load: () => (existsSync(file) ? parseHistory(readFileSync(file, 'utf8')) : []),
    append(raw, timestampS) {
      mkdirSync(dataDir, { recursive: true });
      appendFileSync(file, `${JSON.stringify({ raw, timestampS })}\n`);
    },
  };
}

/** A process killed while writing leaves half a line; that transaction was never executed. */
function parseHistory(text: string): PastTransaction[] {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PastTransaction);
}
