// Summarises the refusals on a tape. Adapters handle them, so only this count shows that they happened.

import type { TapeEntry } from './tape.ts';

/** One line, by status and address, most frequent first; null when nothing was refused. */
export function describeRefusals(entries: readonly TapeEntry[]): string | null {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'answer' || (entry.status !== null && entry.status < 400)) continue;
    const { hostname, pathname } = new URL(entry.url);
    const what = `${entry.status ?? 'no response'} ${hostname}${pathname.replace(/\/(?=[\w-]*\d{3})[\w-]+/g, '/…')}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const sorted = [...counts].sort((left, right) => right[1] - left[1]);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return `${total} refused or failed calls on the tape: ${sorted.map(([what, count]) => `${count}x ${what}`).join(', ')}`;
}
