// A recorded conversation: responses as received, in the order they ended.

import { createHash } from 'node:crypto';

export interface AnswerEntry {
  kind: 'answer';
  /** Milliseconds since the recording began. */
  atMs: number;
  method: string;
  url: string;
  /** Digest of the request's body, which distinguishes batches; the body itself is not stored. */
  sent?: string | undefined;
  /** null if there was no response. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why there was no response, or why it was cut off. */
  problem: string | null;
}

export interface SocketEntry {
  kind: 'socket';
  atMs: number;
  url: string;
  /** What the server sent; our own frames may contain a credential and are not stored. */
  frames: readonly string[];
  closeCode: number | null;
}

export type TapeEntry = AnswerEntry | SocketEntry;

export function digestSent(body: unknown): string | undefined {
  return typeof body === 'string' ? createHash('sha256').update(body).digest('hex').slice(0, 16) : undefined;
}

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
