// Posts of one account from a mirror's RSS feed: minutes late, and only the newest items.

import type { Account } from '../../domain/account.ts';
import { compareIds, type Post } from '../../domain/post.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { SourceError } from '../../runtime/errors.ts';
import { guessMirrored, htmlToText } from '../mirrored-post.ts';
import { dropFuturePosts } from '../plausibility.ts';
import type { HistoryRange, HttpPostSourceOptions, PostPage, PostSource, SkippedItem } from '../source.ts';
import { idClockOf, isStatusId, newestId } from '../status-id.ts';
import { ShapeError } from '../wire-reader.ts';

export function createRssPostSource(options: HttpPostSourceOptions): PostSource {
  let lastLength = 0;

  async function read(cursor: string | null, signal: AbortSignal): Promise<PostPage> {
    const feed = parseFeed(await options.http.getText('', {}, signal), options.account);
    if (!feed) throw new ShapeError('rss: the response is not a feed');
    if (feed.posts.length === 0 && feed.othersCount > 0)
      throw new SourceError(`rss: every item is by another account than @${options.account.handle}`, {
        isRetryable: true,
      });
    if (feed.posts.length === 0 && lastLength > 0)
      throw new SourceError('rss: the feed is empty after a non-empty one', { isRetryable: true });
    lastLength = feed.posts.length;
    const present = dropFuturePosts(feed.posts, options.clock.now(), idClockOf(options.account.platform));
    const ids = present.posts.map((post) => post.postId);
    return {
      posts: present.posts,
      skipped: [...feed.skipped, ...present.skipped],
      cursor: newestId(ids, null) ?? cursor,
      problem: feed.isCutOff ? 'rss: the feed is cut off' : null,
    };
  }

  return {
    kind: 'rss',
    name: options.name ?? 'rss',
    // Only X gives an edited post a new id.
    knows: { replies: false, edits: options.account.platform !== 'x' },
    keepsGone: true,
    lagMs: 3 * MINUTE_MS,
    // The mirror itself polls every 60 to 90 s.
    periodMs: options.periodMs ?? 75 * SECOND_MS,
    staleAfterMs: 10 * MINUTE_MS,
    spend: () => null,
    fetchLatest: read,
    /** The feed's items are the only history available. */
    async *fetchHistory({ sinceTs, untilTs }: HistoryRange, onSkipped, signal) {
      const { posts, skipped } = await read(null, signal);
      const wanted = posts.filter((post) => post.createdTs >= sinceTs && post.createdTs < untilTs);
      onSkipped(skipped);
      if (wanted.length > 0) yield wanted;
    },
  };
}

// Converts items of a mirror's RSS feed to posts. The link to the original contains its id and its author; the
// mirror's own ids are useless. A repost is listed twice: as the account's, recognised by its text, and as the
// reposted original under its own author and date, which is no post of the account. Replies are not marked.

/** Far longer than any real feed, yet short enough to search repeatedly. */
const MAX_FEED_LENGTH = 8 * 1024 * 1024;

interface ParsedFeed {
  posts: Post[];
  skipped: SkippedItem[];
  /** Items by other accounts: the originals of reposts. */
  othersCount: number;
  /** The feed is truncated: its items are valid, but some are missing. */
  isCutOff: boolean;
}

/** null if the text is not an RSS feed; an Atom feed has entries instead of items and would look empty. */
export function parseFeed(xml: string, account: Account): ParsedFeed | null {
  const text = xml.slice(0, MAX_FEED_LENGTH);
  if (!/<(?:rss|rdf:RDF)[\s>]/.test(text)) return null;
  const posts: Post[] = [];
  const skipped: SkippedItem[] = [];
  let othersCount = 0;
  for (const item of splitItems(text)) {
    const post = parseItem(item, account);
    if (post === OTHERS) othersCount += 1;
    else if ('reason' in post) skipped.push(post);
    else posts.push(post);
  }
  posts.sort((left, right) => left.createdTs - right.createdTs || compareIds(left.postId, right.postId));
  return { posts, skipped, othersCount, isCutOff: !/<\/(?:rss|rdf:RDF)>\s*$/.test(text.slice(-200)) };
}

/** Searches rather than matching a pattern, so any text takes one pass. A truncated last item is dropped. */
function splitItems(text: string): string[] {
  const items: string[] = [];
  for (let at = text.search(/<item[\s>]/); at >= 0; ) {
    const end = text.indexOf('</item>', at);
    if (end < 0) break;
    items.push(text.slice(at, end));
    const next = text.slice(end).search(/<item[\s>]/);
    at = next < 0 ? -1 : end + next;
  }
  return items;
}

const OTHERS = "another account's post";

function parseItem(item: string, account: Account): Post | SkippedItem | typeof OTHERS {
  const address = readAddress(readTag(item, 'originalUrl'));
  const postId = readTag(item, 'originalId') ?? address?.postId;
  if (!postId || !isStatusId(postId)) {
    const link = readTag(item, 'link') ?? 'an item';
    return { what: link.slice(0, 200), reason: 'it does not link to the original post' };
  }
  if (!address) return { what: `post ${postId}`, reason: 'its address does not name its author' };
  if (address.author.toLowerCase() !== account.handle.toLowerCase()) return OTHERS;
  const createdTs = Date.parse(readTag(item, 'pubDate') ?? readTag(item, 'date') ?? '');
  if (Number.isNaN(createdTs)) return { what: `post ${postId}`, reason: 'it has no readable time' };
  const html = readTag(item, 'description') ?? readTag(item, 'encoded');
  return guessMirrored(account, {
    postId,
    createdTs,
    text: html === null ? null : htmlToText(html),
  });
}

/** …/@somebody/116457972455781406, …/users/somebody/statuses/116457972455781406 or …/somebody/status/2080761390344937796 */
const ADDRESS = /^(?:\/users)?\/@?([\w.-]+)(?:\/posts|\/status|\/statuses)?\/(\d{1,20})\/?$/;

function readAddress(url: string | null): { author: string; postId: string } | null {
  if (url === null || !URL.canParse(url)) return null;
  const [, author, postId] = ADDRESS.exec(new URL(url).pathname) ?? [];
  return author && postId ? { author, postId } : null;
}

/** Content of the first tag with this name, with or without a prefix such as truth:, decoded. */
function readTag(item: string, name: string): string | null {
  const open = new RegExp(`<(?:[a-zA-Z]{1,20}:)?${name}(?:\\s[^<>]{0,500})?>`).exec(item);
  if (!open) return null;
  const from = open.index + open[0].length;
  const close = new RegExp(`</(?:[a-zA-Z]{1,20}:)?${name}>`).exec(item.slice(from));
  if (!close) return null;
  const inner = item.slice(from, from + close.index).trim();
  const cdata = /^<!\[CDATA\[([\s\S]*)\]\]>$/.exec(inner);
  return (cdata ? cdata[1]! : decodeXml(inner)).trim();
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&amp;': '&',
};

function decodeXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => XML_ENTITIES[entity]!);
}
