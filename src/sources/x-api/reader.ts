// Reading lists of posts: in the dialect that the platform answers to, paid for, and only where the answer says what
// each post is.

import type { Account } from '../../domain/account.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { RootOwner } from '../conversation-roots.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { chunk } from '../retry.ts';
import type { SpendMeter } from '../spend-meter.ts';
import { asRecord, readName } from '../wire-reader.ts';
import { DIALECTS } from './dialects.ts';
import { isNotFound, UndecidableError, unexpectedShape } from './errors.ts';
import { findUndecidable, type GivenFields, givenBy } from './parse.ts';
import type { TweetListWire } from './wire.ts';
import { readTweetList } from './wire.ts';

/** The platform's price list of 2026: USD for a post that an answer holds, once per UTC day. */
const POST_READ_USD = 0.005;
const LOOKUP_SIZE = 100;

export interface XReader {
  fetchPage(path: string, query: Query, signal: AbortSignal): Promise<TweetListWire>;
  lookUp(ids: readonly string[], signal: AbortSignal): Promise<TweetListWire>;
  findOwners(ids: readonly string[], signal: AbortSignal): Promise<Map<string, RootOwner>>;
  charge(ids: Iterable<string>): void;
}

export function createXReader(options: {
  account: Account;
  http: HttpTransport;
  meter?: SpendMeter;
}): XReader {
  const { http, meter, account } = options;
  let dialect = 0;
  /** What has been seen to come in each dialect. */
  const given = DIALECTS.map((): GivenFields => ({ references: false, conversations: false }));

  const charge = (ids: Iterable<string>) => meter?.chargePosts(ids, POST_READ_USD);

  async function read(path: string, query: Query, what: string, signal: AbortSignal): Promise<TweetListWire> {
    meter?.assertWithinCap();
    const { parameter, fields } = DIALECTS[dialect]!;
    const list = readTweetList(await http.getJson(path, { ...query, [parameter]: fields }, signal));
    if (!list) throw unexpectedShape(what);
    charge(presentIds(list));
    const before = given[dialect]!;
    const now = givenBy(list.tweets);
    given[dialect] = {
      references: before.references || now.references,
      conversations: before.conversations || now.conversations,
    };
    const problem = findUndecidable(list.tweets, given[dialect]);
    if (problem) throw new UndecidableError(problem);
    return list;
  }

  /** In the other dialect where this one is refused, or is answered without what was asked for. */
  async function readInEither(path: string, query: Query, what: string, signal: AbortSignal) {
    try {
      return await read(path, query, what, signal);
    } catch (error) {
      if (!isAboutDialect(error)) throw error;
      dialect = (dialect + 1) % DIALECTS.length;
      return read(path, query, what, signal);
    }
  }

  async function lookUp(ids: readonly string[], signal: AbortSignal): Promise<TweetListWire> {
    return readInEither('/2/tweets', { ids: ids.join(',') }, 'the look-up', signal);
  }

  return {
    charge,
    lookUp,
    async fetchPage(path, query, signal) {
      const list = await readInEither(path, query, 'the timeline', signal);
      assertReadable(list);
      return list;
    },
    async findOwners(ids, signal) {
      const owners = new Map<string, RootOwner>();
      for (const some of chunk(ids, LOOKUP_SIZE)) {
        for (const tweet of (await lookUp(some, signal)).tweets) {
          const record = asRecord(tweet) ?? {};
          const [id, authorId] = [readName(record, 'id'), readName(record, 'author_id')];
          if (id && authorId) owners.set(id, authorId === account.platformUserId ? 'own' : 'other');
        }
      }
      return owners;
    },
  };
}

function isAboutDialect(error: unknown): boolean {
  return error instanceof UndecidableError || (error instanceof SourceError && isUnknownField(error));
}

function isUnknownField(error: SourceError): boolean {
  return (
    error.status === 400 && /(post|tweet)\.fields|referenced_|_(post|tweet)_ids|note_/.test(error.message)
  );
}

/** Errors without data: the account is gone, protected or suspended. Silence would look like a quiet day. */
function assertReadable(list: TweetListWire): void {
  const problem = list.errors[0];
  if (list.tweets.length === 0 && problem) {
    throw new SourceError(`x: ${problem.title || 'error'} for ${problem.resourceId ?? 'the account'}`, {
      isRetryable: !isNotFound(problem),
    });
  }
}

export function presentIds(list: TweetListWire): Set<string> {
  return new Set(list.tweets.flatMap((tweet) => readName(asRecord(tweet) ?? {}, 'id') ?? []));
}
