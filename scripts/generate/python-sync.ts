// Generates the synchronous Python client from the asyncio one by removing async and await, so that they
// cannot diverge.

import { readFileSync } from 'node:fs';

const ASYNC_FILE = new URL('../../packages/client-python/src/tallycast/aio.py', import.meta.url);
const HEADER = '# Generated from aio.py by node scripts/generate/clients.ts; do not edit.\n';

const REPLACEMENTS: readonly [RegExp, string][] = [
  [/\basync (def|for|with) /g, '$1 '],
  [/\bawait /g, ''],
  [/\bAsyncGenerator\[(.+?), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsync(Tallycast|Endpoints|Client|Generator)\b/g, '$1'],
  [/\b_aio_endpoints\b/g, '_endpoints'],
  [/\baclosing\b/g, 'closing'],
  [/\b__a(enter|exit)__/g, '__$1__'],
  [/\ba(close|read|iter_bytes)\(/g, '$1('],
  [/\basyncio\b/g, 'time'],
  [/for time: one/, 'for synchronous code: one'],
];

export function generateSyncPython(): string {
  return HEADER + toSync(readFileSync(ASYNC_FILE, 'utf8'));
}

export function toSync(text: string): string {
  return REPLACEMENTS.reduce((written, [pattern, by]) => written.replace(pattern, by), text);
}
