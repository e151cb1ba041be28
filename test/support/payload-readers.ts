// Every parser of a platform's payloads, with a payload as documented and the facts that the service acts on.

import { completeProfile } from '../../src/domain/account-profile.ts';
import { findWinner, parseEvent, quotesOfBook, quotesOfMarket } from '../../src/sources/kalshi/parse.ts';
import { readBooks, readEventPage, readSeries } from '../../src/sources/kalshi/wire.ts';
import { readBook, readBookMessages } from '../../src/sources/market/book-wire.ts';
import { createBooks, quoteOfBook } from '../../src/sources/market/books.ts';
import { findPriceAlarm, parseListedQuotes, parseMarketEvent } from '../../src/sources/market/parse.ts';
import { readListedEvent } from '../../src/sources/market/wire.ts';
import { parseStatuses } from '../../src/sources/mastodon/parse.ts';
import { parseOraclePosts, parseTrackings, readEnvelope } from '../../src/sources/oracle/calls.ts';
import { readListPage } from '../../src/sources/rollcall/client.ts';
import { parseFeed } from '../../src/sources/rss/client.ts';
import { readPositionPage } from '../../src/sources/wallet/wire.ts';
import { parseTweet } from '../../src/sources/x-api/parse.ts';
import { readActivity } from '../../src/sources/x-api/wire.ts';
import {
  BOOK,
  BOOKS,
  CONTRACTS,
  EVENT,
  FEED,
  HOLDINGS,
  LAST_TRADE,
  LIST,
  LISTED,
  ORACLE_POSTS,
  PRICE_CHANGE,
  PUSHED_POST,
  PUSHED_QUOTE,
  PUSHED_REPLY,
  SERIES,
  STATUSES,
  TRACKING,
} from './documented-payloads.ts';

// biome-ignore lint/suspicious/noExplicitAny: payloads are damaged at any place.
export type Json = any;

export interface Reading {
  /** The parts of a payload that the service acts on. */
  facts: unknown;
  isRefused: boolean;
}

export const REFUSED: Reading = { facts: null, isRefused: true };
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

function readPushedPost(value: Json): Reading {
  const activity = readActivity(value);
  if (!activity) return REFUSED;
  const author = (activity.payload as Json).author_id;
  const post = parseTweet(activity.payload, {
    ...X,
    platformUserId: typeof author === 'string' ? author : '0',
  });
  if ('reason' in post) return REFUSED;
  return { facts: { ...withoutText(post), createdTs: null }, isRefused: post.isDoubtful === true };
}

function readStatuses(value: Json): Reading {
  if (!Array.isArray(value)) return REFUSED;
  const { posts, skipped } = parseStatuses(value, TRUTH, 0);
  return {
    facts: posts.map((post) => ({ ...withoutText(post), createdTs: null })),
    isRefused: skipped.length > 0 || posts.some(({ isDoubtful }) => isDoubtful),
  };
}

/** The items of a feed as JSON, so that a tag can be damaged like a field. */
function readItems(value: Json): Reading {
  const tag = ([name, text]: [string, Json]) =>
    text === null ? '' : `<${name}>${typeof text === 'string' ? text : JSON.stringify(text)}</${name}>`;
  const items = Array.isArray(value)
    ? value.map(
        (item) =>
          `<item>${Object.entries(item ?? {})
            .map(tag)
            .join('')}</item>`,
      )
    : [];
  const feed = parseFeed(`<rss>${items.join('')}</rss>`, TRUTH);
  if (!feed || feed.posts.length < FEED.length) return REFUSED;
  return {
    facts: feed.posts.map(withoutText),
    isRefused: feed.skipped.length > 0 || feed.posts.some(({ isDoubtful }) => isDoubtful),
  };
}

function readContracts(value: Json): Reading {
  const { events, unreadable } = readEventPage(value);
  const context = { accountId: 'b', series: SERIES, listed: readSeries(LISTED), feeChanges: [], nowTs: 0 };
  const parsed = events.map((event) => parseEvent(event, context));
  const isRefused = unreadable > 0 || parsed.some((event) => 'reason' in event);
  const facts = parsed.map((event) => ('reason' in event ? null : { ...event, title: '' }));
  const quotes = events.flatMap(({ markets }) => markets.flatMap((market) => quotesOfMarket(market, 0)));
  return { facts: [facts, quotes, events.map(findWinner)], isRefused };
}

function readSettlementList(value: Json): Reading {
  const { posts, unreadable } = readListPage(value);
  const facts = posts.map(({ postId, createdTs, isDeleted }) => ({ postId, createdTs, isDeleted }));
  return { facts, isRefused: unreadable > 0 || facts.length === 0 };
}

function readHoldings(value: Json): Reading {
  const { rows, unread, nextCursor } = readPositionPage(value);
  return { facts: [rows, nextCursor !== null], isRefused: unread.length > 0 || rows.length === 0 };
}

function readKalshiBooks(value: Json): Reading {
  const books = readBooks(value).filter(({ ticker }) => ticker === 'KXTRUTHSOCIAL-26OCT17-B89');
  return { facts: books.map((book) => quotesOfBook(book, null, 0)), isRefused: books.length < 1 };
}

/** Documented payload, its parser, and fields that may be missing or differ without changing a count or a price. */
export const DOCUMENTED: [string, Json, (value: Json) => Reading, RegExp][] = [
  ['RSS (trumpstruth.org)', FEED, readItems, /^$/],
  ['Mastodon statuses', STATUSES, readStatuses, /\.reblog(\.id)?$/],
  ['X post', PUSHED_POST, readPushedPost, /^$/],
  ['X reply', PUSHED_REPLY, readPushedPost, /^$/],
  ['X quote', PUSHED_QUOTE, readPushedPost, /referenced_tweets$/],
  ['oracle tracking', TRACKING, readTrackings, /^data\.(id|marketLink|user|stats)/],
  ['oracle posts', ORACLE_POSTS, readOraclePosts, /^data(\.\d\.importedAt)?$/],
  ['market event', EVENT, readEvent, /^markets\.\d\.(id|outcomePrices|best|order|positionIds)|^tweetCount/],
  ['market book', BOOK, readWholeBook, /^(asset_id|bids|asks)$/],
  ['pushed book', { ...BOOK, event_type: 'book' }, readFrames, /^(asset_id|bids|asks)$/],
  ['pushed trade', LAST_TRADE, readFrames, /^asset_id$/],
  ['pushed change', PRICE_CHANGE, readFrames, /^price_changes(\.\d\.(asset_id|best_bid|best_ask))?$/],
  ['Kalshi events', CONTRACTS, readContracts, /^events$|_dollars$|_size_fp$|price_ranges/],
  ['Roll Call list', LIST, readSettlementList, /^data$|social|\.id$|post_url$/],
  [
    'Polymarket positions',
    HOLDINGS,
    readHoldings,
    /^data$|status|_cost_|_value|redeem|event_|outcome|has_more/,
  ],
  ['Kalshi books', BOOKS, readKalshiBooks, /(yes|no)_dollars$/],
];
