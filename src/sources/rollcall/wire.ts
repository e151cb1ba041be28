// Rows we read from Roll Call's list of posts.

import { SourceError } from '../../runtime/errors.ts';
import { asArray, asRecord, readFlag, readName, readText, readTs } from '../wire-reader.ts';

export type ListedPostWire = NonNullable<ReturnType<typeof readRow>>;

export function readListPage(value: unknown) {
  const page = asRecord(value);
  const list = page && asArray(page.data);
  if (!list || page.error === true) throw unexpectedShape('the list of posts');
  const posts = list.flatMap((row) => readRow(row) ?? []);
  // A count of 0 would be wrong, and would look like a quiet week.
  if (posts.length === 0 && list.length > 0)
    throw unexpectedShape('every listed post (date, id, deleted_flag)');
  return { posts, unreadable: list.length - posts.length };
}

function readRow(value: unknown) {
  const row = asRecord(value);
  const createdTs = row && readTs(row, 'date');
  const postId = row && (idInUrl(readText(row, 'post_url')) ?? readName(row, 'id'));
  const isDeleted = row && readFlag(row, 'deleted_flag');
  if (!row || createdTs === null || !postId || isDeleted === null) return null;
  const social = asRecord(row.social) ?? {};
  const text = readText(row, 'text');
  return {
    postId,
    createdTs: createdTs!,
    text,
    isDeleted,
    isQuote: readFlag(social, 'quote_flag') ?? false,
    isRepost: readFlag(social, 'repost_flag') ?? /^\s*RT[:\s]/.test(text ?? ''),
    platform: (readName(row, 'platform') ?? '').toLowerCase(),
  };
}

/** The URL of the original ends with the platform's id. */
function idInUrl(url: string | null): string | null {
  return /\/(\d{5,20})\/?$/.exec(url ?? '')?.[1] ?? null;
}

function unexpectedShape(what: string): SourceError {
  return new SourceError(`rollcall: ${what} has an unexpected shape`, { isRetryable: true });
}
