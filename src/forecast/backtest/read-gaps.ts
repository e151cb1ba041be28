// Parses a file of outages, one per line: start and end in UTC milliseconds.

import type { Gap } from './walk-forward.ts';

export function parseGaps(text: string): Gap[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line, number }) => line !== '' && !(number === 1 && /[a-z]/i.test(line)))
    .map(({ line, number }) => parseGap(line, number));
}

function parseGap(line: string, number: number): Gap {
  const [startTs, endTs, ...more] = line.split(',').map(Number);
  const isWhole = Number.isSafeInteger(startTs) && Number.isSafeInteger(endTs) && more.length === 0;
  if (!isWhole || startTs! >= endTs!) {
    throw new Error(`line ${number}: "${line}" must be a start and an end in milliseconds`);
  }
  return { startTs: startTs!, endTs: endTs! };
}
