// Payloads we read from twitterapi.io.

import { asArray, asRecord, readFlag, readName } from '../wire-reader.ts';

export interface TwitterapiPage {
  tweets: readonly unknown[];
  nextCursor: string | null;
}

/** null if the response is not a list of posts. Some responses nest the list one level deeper. */
export function readPage(answer: unknown): TwitterapiPage | null {
  const outer = asRecord(answer);
  // Failures also come with status 200 and an empty list.
  if (outer && readName(outer, 'status')?.toLowerCase() === 'error') return null;
  const inner = outer && (asRecord(outer.data) ?? outer);
  const tweets = outer && (asArray(inner?.tweets) ?? asArray(outer.tweets) ?? asArray(outer.data));
  if (!outer || !inner || !tweets) return null;
  const hasNext = readFlag(outer, 'has_next_page') ?? readFlag(inner, 'has_next_page') ?? false;
  const next = readName(outer, 'next_cursor') ?? readName(inner, 'next_cursor');
  return { tweets, nextCursor: hasNext ? next : null };
}
