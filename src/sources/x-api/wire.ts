// Payloads we read from the X API v2.

import { SourceError } from '../../runtime/errors.ts';
import {
  asArray,
  asRecord,
  readName,
  readNumber,
  readText,
  ShapeError,
  type WireRecord,
} from '../wire-reader.ts';

export type TweetListWire = NonNullable<ReturnType<typeof readTweetList>>;
export type ApiProblemWire = ReturnType<typeof readProblem>[number];
export type ActivityWire = NonNullable<ReturnType<typeof readActivity>>;

/** null if the response is not a list of posts. `data` is absent or null if the list is empty. */
export function readTweetList(answer: unknown) {
  const record = asRecord(answer);
  if (!record || (record.data ?? record.meta ?? record.errors) === undefined) {
    return null;
  }
  const tweets = asArray(record.data ?? []);
  if (!tweets) return null;
  const meta = asRecord(record.meta);
  return {
    tweets,
    errors: (asArray(record.errors) ?? []).flatMap(readProblem),
    nextToken: meta && readName(meta, 'next_token'),
    included: readIncluded(asRecord(record.includes) ?? {}),
  };
}

/** Objects included by expansions; each is billed as a read. An author is null if the post does not give it. */
function readIncluded(includes: WireRecord) {
  const listOf = (key: string) => (asArray(includes[key]) ?? []).map((item) => asRecord(item) ?? {});
  const posts = [...listOf('posts'), ...listOf('tweets')].flatMap((post) => {
    const id = readName(post, 'id');
    return id ? [[id, readName(post, 'author_id')] as const] : [];
  });
  return { authors: new Map(posts), userIds: listOf('users').flatMap((user) => readName(user, 'id') ?? []) };
}

function readProblem(value: unknown) {
  const record = asRecord(value);
  if (!record) return [];
  return [
    {
      resourceId: readText(record, 'resource_id') ?? readText(record, 'value'),
      title: readText(record, 'title') ?? '',
      type: readText(record, 'type') ?? '',
    },
  ];
}

/** The envelope of the activity stream; null for anything else, such as disconnect notices. */
export function readActivity(message: unknown) {
  const data = asRecord(asRecord(message)?.data);
  const eventType = data && readName(data, 'event_type');
  const payload = data && asRecord(data.payload);
  if (!data || !eventType || !payload) return null;
  const filter = asRecord(data.filter);
  return {
    eventType,
    userId: filter && readText(filter, 'user_id'),
    payload: asRecord(payload.data) ?? payload,
  };
}

/** Remaining credit in USD; null if unknown. */
export function readCreditBalance(answer: unknown): number | null {
  const data = asRecord(asRecord(answer)?.data) ?? asRecord(answer);
  return data && readNumber(data, 'total_balance');
}

// Interprets X API error responses.

/** True for a deleted post, but not for one that is currently hidden (protected, withheld, suspended). */
export function isNotFound(problem: ApiProblemWire): boolean {
  return problem.type.includes('resource-not-found') || /^not found/i.test(problem.title);
}

/** Subscribing twice is not a failure. */
export function isAlreadySubscribed(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  return error.status === 409 || (error.status === 400 && /duplicate|already|exist/i.test(error.message));
}

export function unexpectedShape(what: string): SourceError {
  return new ShapeError(`x: ${what} has an unexpected shape`);
}

/** A response without the deciding fields. A retry may help, because the platform changes its field names. */
export class UndecidableError extends ShapeError {
  constructor(problem: string) {
    super(`x: ${problem}`);
    this.name = 'UndecidableError';
  }
}
