// Damages real payloads one field at a time. Each must parse as before, be rejected or reported, or differ only in a
// value shown as missing. The fixtures are not part of the project; without them the tests are skipped.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { completeProfile } from '../src/domain/account-profile.ts';
import { SourceError } from '../src/runtime/errors.ts';
import { parseArchived } from '../src/sources/archive/client.ts';
import { readPriceMessage } from '../src/sources/crypto/wire.ts';
import { readBook, readBookMessages } from '../src/sources/market/book-wire.ts';
import { createBooks, quoteOfBook } from '../src/sources/market/books.ts';
import { findPriceAlarm, parseListedQuotes, parseMarketEvent } from '../src/sources/market/parse.ts';
import { readListedEvent } from '../src/sources/market/wire.ts';
import { parseOraclePosts, parseTrackings } from '../src/sources/oracle/parse.ts';
import { readEnvelope } from '../src/sources/oracle/wire.ts';
import { parseTweet } from '../src/sources/x-api/parse.ts';
import { readActivity } from '../src/sources/x-api/wire.ts';
import { MISSING_FIXTURES, readJsonFixture } from './support/fixtures.ts';

const SEED = 30;
const RUNS = 400;

// biome-ignore lint/suspicious/noExplicitAny: payloads are damaged at any place.
type Json = any;
type Path = (string | number)[];

interface Reading {
  /** The parts of a payload that the service acts on. */
  facts: unknown;
  isRefused: boolean;
}

const REFUSED: Reading = { facts: null, isRefused: true };
const X = completeProfile({ accountId: 'a', handle: 'elonmusk', platformUserId: '44196397' }, 0);
const TRUTH = completeProfile(
  { accountId: 'b', handle: 'realDonaldTrump', platform: 'mastodon', platformUserId: '107780257626128497' },
  1,
);
const withoutText = (post: object) => ({ ...post, text: null });

function readEvent(value: Json): Reading {
  const wire = readListedEvent(value);
  const parsed = wire && parseMarketEvent(wire, X, []);
  if (!wire || !parsed || 'reason' in parsed) return REFUSED;
  const { window, buckets, isClosed } = parsed.event;
  const isReported = parsed.oddities.length + parsed.conflicts.length > 0 || findPriceAlarm(wire) !== null;
  const facts = { window, buckets, isClosed, quotes: parseListedQuotes(wire, 0), count: wire.tweetCount };
  return { facts, isRefused: isReported };
}

function readTrackings(value: Json): Reading {
  const content = readEnvelope(value);
  if (content === undefined) return REFUSED;
  const { trackings, skipped } = parseTrackings(Array.isArray(content) ? content : [content]);
  return { facts: trackings.map((one) => ({ ...one, title: null })), isRefused: skipped.length > 0 };
}

function readOraclePosts(value: Json): Reading {
  const content = readEnvelope(value);
  if (!Array.isArray(content)) return REFUSED;
  let skipped = 0;
  const posts = parseOraclePosts(content, () => {
    skipped += 1;
  });
  const areOpen = posts.some(({ text, mayBeReply }) => text === null && mayBeReply);
  return { facts: posts.map(withoutText), isRefused: skipped > 0 || areOpen };
}

function readWholeBook(value: Json): Reading {
  const book = readBook(value);
  return book ? { facts: quoteOfBook(book, 0), isRefused: false } : REFUSED;
}

function readFrames(value: Json): Reading {
  const messages = readBookMessages(value);
  const books = createBooks();
  const facts = messages.map((message) => books.apply(message, 0));
  return { facts, isRefused: messages.some(({ kind }) => kind === 'broken' || kind === 'unknown') };
}

function readPrices(value: Json): Reading {
  const message = readPriceMessage(value);
  return {
    facts: message,
    isRefused: message === null || message.kind === 'odd' || message.kind === 'error',
  };
}

function readPushedPost(value: Json): Reading {
  const activity = readActivity(value);
  if (!activity) return REFUSED;
  const author = (activity.payload as Json).author_id;
  const post = parseTweet(activity.payload, { ...X, platformUserId: String(author ?? '0') });
  if ('reason' in post) return REFUSED;
  return { facts: { ...withoutText(post), createdTs: null }, isRefused: post.isDoubtful === true };
}

function readArchive(value: Json): Reading {
  if (!Array.isArray(value)) return REFUSED;
  const rows = value.map((row) => parseArchived(row, TRUTH));
  const facts = rows.filter((row) => !('reason' in row)).map(withoutText);
  const isOpen = rows.some((row) => 'isDoubtful' in row);
  return { facts, isRefused: isOpen || facts.length < rows.length };
}

/** Fixture, its parser, and fields that may be missing, in which case the value is shown as missing. */
const CASES: [string, (value: Json) => Reading, RegExp][] = [
  [
    'market/gamma_event_v2_documented_shape.json',
    readEvent,
    /^markets\.\d\.(id|outcomePrices|bestBid|bestAsk|orderMinSize|orderPriceMinTickSize|positionIds)|^tweetCount/,
  ],
  ['oracle/tracking_elon_inprogress_2026-04-21_28.json', readTrackings, /^data\.(id|marketLink|user|stats)/],
  ['oracle/posts_elonmusk_sample.json', readOraclePosts, /^data(\.\d\.importedAt)?$/],
  ['market/clob_book_response.json', readWholeBook, /^(asset_id|bids|asks)$/],
  ['market/http_book.json', readWholeBook, /^(asset_id|bids|asks)$/],
  ['market/ws_market_book_msg.json', readFrames, /^(0\.)?(asset_id|bids|asks)$/],
  ['market/ws_market_last_trade_msg.json', readFrames, /^asset_id$/],
  [
    'market/ws_market_price_change_msg.json',
    readFrames,
    /^price_changes(\.\d\.(asset_id|best_bid|best_ask))?$/,
  ],
  ['market/polybolt_snapshot_docs.json', readPrices, /^payload\.(symbol|data)$/],
  ['market/polybolt_update_docs.json', readPrices, /^payload\.symbol$/],
  ['posts/x_activity_post_create.json', readPushedPost, /^$/],
  ['posts/x_activity_post_reply_create.json', readPushedPost, /^$/],
  ['posts/x_activity_post_quote_create.json', readPushedPost, /referenced_tweets$/],
  ['posts/x_activity_post_repost_create.json', readPushedPost, /referenced_tweets$/],
  ['posts/cnn_truth_archive_sample.json', readArchive, /^$/],
];

const DAMAGES: readonly ((value: Json) => Json)[] = [
  () => undefined,
  () => null,
  (value) => (typeof value === 'string' ? { value } : typeof value === 'boolean' ? 'maybe' : 'x'),
  (value) => (typeof value === 'number' ? [value] : value),
  (value) => (typeof value === 'number' ? String(value) : value),
  (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
  (value) => (typeof value === 'string' ? 'NEW_KIND' : value),
  (value) => (Array.isArray(value) ? [] : value),
  (value) => (typeof value === 'string' ? '' : value),
  (value) => (typeof value === 'number' ? -value - 1 : value),
];

function listPaths(value: Json, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path];
  const inner = Object.keys(value).flatMap((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return listPaths(value[key], [...path, step]);
  });
  return path.length === 0 ? inner : [path, ...inner];
}

/** Damages list elements but never removes them, because a shorter list is still valid. */
function damage(payload: Json, path: Path, change: (value: Json) => Json): Json {
  const copy = structuredClone(payload);
  const holder = path.slice(0, -1).reduce((inner, step) => inner[step], copy);
  const last = path.at(-1)!;
  const changed = change(holder[last]);
  if (changed === undefined && !Array.isArray(holder)) delete holder[last];
  else holder[last] = changed ?? null;
  return copy;
}

/** Skips texts, because a changed text is a different post, not damage. */
function isOtherText(payload: Json, path: Path, change: (value: Json) => Json): boolean {
  const before = path.reduce((inner, step) => inner[step], payload);
  return path.at(-1) === 'content' && typeof before === 'string' && typeof change(before) === 'string';
}

function readOrRefuse(read: (value: Json) => Reading, value: Json): Reading {
  try {
    return read(value);
  } catch (error) {
    assert.ok(error instanceof SourceError, `throws ${error}`);
    return REFUSED;
  }
}

describe('a damaged payload', { skip: MISSING_FIXTURES }, () => {
  for (const [file, read, mayBeAbsent] of CASES) {
    it(`is parsed correctly or rejected: ${file}`, () => {
      const payload = readJsonFixture(file);
      const whole = read(payload);
      assert.equal(whole.isRefused, false, 'the undamaged payload parses without a report');
      const sound = JSON.stringify(whole.facts);
      const paths = listPaths(payload);
      fc.assert(
        fc.property(fc.constantFrom(...paths), fc.constantFrom(...DAMAGES), (path, change) => {
          if (mayBeAbsent.test(path.join('.')) || isOtherText(payload, path, change)) return;
          const { facts, isRefused } = readOrRefuse(read, damage(payload, path, change));
          assert.ok(
            isRefused || JSON.stringify(facts) === sound,
            `${path.join('.')}: ${JSON.stringify(facts)}`,
          );
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });
  }
});
