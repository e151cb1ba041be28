// Every parser of a platform's payloads, with a payload as recorded or documented and the facts that the service acts on.

import { completeProfile } from '../../src/domain/account-profile.ts';
import { parseArchived } from '../../src/sources/archive/client.ts';
import { readPriceMessage } from '../../src/sources/crypto/wire.ts';
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
import { parsePage, readPage } from '../../src/sources/twitterapi/parse.ts';
import { readPositionPage } from '../../src/sources/wallet/wire.ts';
import { parseTweet } from '../../src/sources/x-api/parse.ts';
import { readActivity } from '../../src/sources/x-api/wire.ts';
import {
  BOOKS,
  CONTRACTS,
  FEED,
  HOLDINGS,
  LIST,
  LISTED,
  SERIES,
  STATUSES,
  TWEETS,
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
  const post = parseTweet(activity.payload, {
    ...X,
    platformUserId: typeof author === 'string' ? author : '0',
  });
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

function readStatuses(value: Json): Reading {
  if (!Array.isArray(value)) return REFUSED;
  const { posts, skipped } = parseStatuses(value, TRUTH, 0);
  return {
    facts: posts.map((post) => ({ ...withoutText(post), createdTs: null })),
    isRefused: skipped.length > 0 || posts.some(({ isDoubtful }) => isDoubtful),
  };
}

function readTweets(value: Json): Reading {
  const page = readPage(value);
  if (!page) return REFUSED;
  const { posts, skipped, roots } = parsePage(page.tweets, X);
  const facts = { posts: posts.map(withoutText), hasNext: page.nextCursor !== null };
  // Without its conversation, the recorder leaves a reply to itself undecided.
  const isOpen = posts.some((one) => one.isDoubtful || (one.isSelfReply && !roots.get(one.postId)));
  return { facts, isRefused: skipped.length > 0 || isOpen };
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
  ['twitterapi.io', TWEETS, readTweets, /^tweets$|(retweeted|quoted)_tweet$/],
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

/** Fixture, its parser, and fields that may be missing, in which case the value is shown as missing. */
export const RECORDED: [string, (value: Json) => Reading, RegExp][] = [
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
