// Reads lists of posts: requests them in the dialect that the server honours, charges them, and rejects lists
// without the deciding fields.

import type { Account } from '../../domain/account.ts';
import { SourceError } from '../../runtime/errors.ts';
import type { RootOwner } from '../conversation-roots.ts';
import type { HttpTransport, Query } from '../http-transport.ts';
import { chunk } from '../retry.ts';
import type { SpendMeter } from '../spend-meter.ts';
import { asRecord, readName } from '../wire-reader.ts';
import { findUndecidable, type GivenFields, givenBy, NOTHING_GIVEN } from './decidable.ts';
import { DIALECTS } from './dialects.ts';
import { needsRecipients } from './parse.ts';
import type { TweetListWire } from './wire.ts';
import { isNotFound, readTweetList, UndecidableError, unexpectedShape } from './wire.ts';

/** The platform's 2026 price list: USD per returned resource, once per UTC day, including expansions. */
export const POST_READ_USD = 0.005;
const USER_READ_USD = 0.01;
const LOOKUP_SIZE = 100;

export interface XReader {
  fetchPage(path: string, query: Query, signal: AbortSignal): Promise<TweetListWire>;
  lookUp(ids: readonly string[], signal: AbortSignal): Promise<TweetListWire>;
  /** Checks which posts still exist; requests no fields or expansions, so that only ids are charged. */
  lookUpBare(ids: readonly string[], signal: AbortSignal): Promise<TweetListWire>;
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
  /** Fields that each dialect has returned so far. */
  const given = DIALECTS.map((): GivenFields => NOTHING_GIVEN);

  const charge = (ids: Iterable<string>) => meter?.chargePosts(ids, POST_READ_USD);

  function chargeList(list: TweetListWire): void {
    charge(presentIds(list));
    charge(list.included.authors.keys());
    meter?.chargePosts(
      list.included.userIds.map((id) => `user ${id}`),
      USER_READ_USD,
    );
  }

  async function read(path: string, query: Query, what: string, signal: AbortSignal): Promise<TweetListWire> {
    meter?.assertWithinCap();
    const asked = DIALECTS[dialect]!;
    const list = readTweetList(await http.getJson(path, { ...query, ...asked.query }, signal));
    if (!list) throw unexpectedShape(what);
    chargeList(list);
    const seen = givenBy(list.tweets, given[dialect]);
    const needs = { recipients: needsRecipients(account), authors: knownAuthors(list) };
    const problem = findUndecidable(list.tweets, needs, seen);
    if (problem) throw new UndecidableError(`${problem} (requested with ${asked.name})`);
    given[dialect] = seen;
    return list;
  }

  /** Tries the other dialect if the server refuses this one or omits the requested fields. */
  async function readInEither(path: string, query: Query, what: string, signal: AbortSignal) {
    try {
      return await read(path, query, what, signal);
    } catch (error) {
      if (!isAboutDialect(error)) throw error;
      const refused = dialect;
      dialect = (dialect + 1) % DIALECTS.length;
      try {
        return await read(path, query, what, signal);
      } catch (second) {
        // Neither dialect works. The first one is documented, so its refusal is more informative.
        if (isAboutDialect(second)) dialect = refused;
        throw isAboutDialect(second) ? error : second;
      }
    }
  }

  async function lookUp(ids: readonly string[], signal: AbortSignal): Promise<TweetListWire> {
    return readInEither('/2/tweets', { ids: ids.join(',') }, 'the look-up', signal);
  }

  return {
    charge,
    lookUp,
    async lookUpBare(ids, signal) {
      meter?.assertWithinCap();
      const list = readTweetList(await http.getJson('/2/tweets', { ids: ids.join(',') }, signal));
      if (!list) throw unexpectedShape('the look-up');
      chargeList(list);
      return list;
    },
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
    error.status === 400 &&
    /(post|tweet)\.fields|expansions|referenced_|_(post|tweet)_ids|note_/.test(error.message)
  );
}

/**
 * Errors without data mean a deleted, protected or suspended account, which must not look like a quiet day.
 */
function assertReadable(list: TweetListWire): void {
  const problem = list.errors[0];
  if (list.tweets.length === 0 && problem) {
    throw new SourceError(`x: ${problem.title || 'error'} for ${problem.resourceId ?? 'the account'}`, {
      isRetryable: !isNotFound(problem),
    });
  }
}

export function knownAuthors({ included }: TweetListWire): Map<string, string> {
  return new Map([...included.authors].filter((entry): entry is [string, string] => entry[1] !== null));
}

export function presentIds(list: TweetListWire): Set<string> {
  return new Set(list.tweets.flatMap((tweet) => readName(asRecord(tweet) ?? {}, 'id') ?? []));
}
