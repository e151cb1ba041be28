// The third-party API to X: an account's newest posts, twenty per page.

import { compareIds } from '../../src/domain/post.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { snowflakeTs } from '../platform-ids.ts';
import { otherHandle, otherUserId, postText } from '../posts/post-text.ts';
import { type SimulatorPost, versionsAt } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, type SimulatorRequest } from './answer.ts';
import { findReplyTo } from './others-post.ts';
import { latestVersion } from './x-wire.ts';

const PAGE_LENGTH = 20;
/** How far the third party lags behind X. */
const LAG_MS = 4 * SECOND_MS;
const STRETCH_MS = 2 * DAY_MS;
const EDITABLE_MS = HOUR_MS;

export interface TwitterapiApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createTwitterapiApi(state: SimulatorState): TwitterapiApi {
  function lastTweets(query: URLSearchParams): Answer {
    const account = state.findAccount(
      (one) => one.platform === 'X' && one.handle.toLowerCase() === query.get('userName')?.toLowerCase(),
    );
    if (!account)
      return ok({
        tweets: [],
        has_next_page: false,
        next_cursor: '',
        status: 'error',
        message: 'user not found',
      });
    const nowTs = state.now();
    const found = listPosts(account, query, nowTs);
    const page = found.slice(0, PAGE_LENGTH);
    const hasNext = found.length > page.length;
    return {
      ...ok({
        status: 'success',
        code: 0,
        msg: 'success',
        data: { pin_tweet: null, tweets: page.map((post) => toTweet(account, post, nowTs)) },
        has_next_page: hasNext,
        next_cursor: hasNext ? page.at(-1)!.id : '',
      }),
      served: page,
    };
  }

  function byIds(query: URLSearchParams): Answer {
    const ids = (query.get('tweet_ids') ?? '').split(',').filter((id) => /^\d{1,19}$/.test(id));
    const nowTs = state.now();
    const tweets = ids.flatMap((id) =>
      state.accounts
        .filter(({ parameters }) => parameters.platform === 'X')
        .flatMap((account) => {
          const ts = snowflakeTs(id);
          const post = account.ledger
            .range(ts - EDITABLE_MS, ts + 1)
            .find((one) => versionsAt(one, nowTs).some((version) => version.id === id));
          return post && account.ledger.isShownAt(post, nowTs) ? [toTweet(account, post, nowTs)] : [];
        }),
    );
    const others = ids.flatMap((id) => {
      const reply = findReplyTo(state, 'X', id, snowflakeTs(id));
      return reply
        ? [{ type: 'tweet', id, isReply: false, conversationId: id, author: { id: otherUserId(reply) } }]
        : [];
    });
    return ok({ tweets: [...tweets, ...others], status: 'success', message: '' });
  }

  return {
    async handle({ path, query, headers }) {
      if (!headers.get('x-api-key'))
        return failure(401, { error: 'Unauthorized', message: 'API key is missing' });
      if (path === '/twitter/user/last_tweets') return lastTweets(query);
      if (path === '/twitter/tweets') return byIds(query);
      return failure(404, { error: 'Not found' });
    },
  };
}

/**
 * Newest first, plus one extra post if there is another page. Reads one time range at a time, because most
 * pages fit into the first.
 */
function listPosts({ ledger }: SimulatorAccount, query: URLSearchParams, nowTs: number): SimulatorPost[] {
  const cursor = query.get('cursor');
  const withReplies = query.get('includeReplies') === 'true';
  const isGiven = (post: SimulatorPost) =>
    ledger.visibleTsOf(post) + LAG_MS <= nowTs &&
    ledger.isShownAt(post, nowTs) &&
    (!cursor || compareIds(post.id, cursor) < 0) &&
    (withReplies || post.kind !== 'reply');
  const posts: SimulatorPost[] = [];
  let toTs = (cursor ? snowflakeTs(cursor) : nowTs) + 1;
  while (posts.length <= PAGE_LENGTH && toTs > ledger.oldestTs) {
    const fromTs = toTs - STRETCH_MS;
    posts.push(...ledger.range(fromTs, toTs).filter(isGiven).reverse());
    toTs = fromTs;
  }
  return posts.slice(0, PAGE_LENGTH + 1);
}

/** The latest version under its own id, without the earlier id. */
function toTweet(
  { parameters }: SimulatorAccount,
  post: SimulatorPost,
  nowTs: number,
): Record<string, unknown> {
  const { id, version, versionTs } = latestVersion(post, nowTs);
  const isReply = post.kind === 'reply' || post.kind === 'self-reply';
  const isQuoting = post.kind === 'quote' || post.isQuoteReply;
  const other = {
    type: 'tweet',
    id: (BigInt(post.id) - (1n << 33n)).toString(),
    author: { id: otherUserId(post) },
  };
  return {
    type: 'tweet',
    id,
    text: postText(post, version),
    createdAt: oldForm(versionTs),
    lang: 'en',
    isReply,
    inReplyToId: isReply ? post.replyToId : null,
    inReplyToUserId:
      post.kind === 'self-reply' ? parameters.platformUserId : isReply ? otherUserId(post) : null,
    inReplyToUsername: post.kind === 'self-reply' ? parameters.handle : isReply ? otherHandle(post) : null,
    conversationId: post.conversationId === post.id && restarts(post) ? id : post.conversationId,
    author: {
      type: 'user',
      id: parameters.platformUserId,
      userName: parameters.handle,
      name: parameters.displayName,
    },
    quoted_tweet: isQuoting ? other : null,
    retweeted_tweet: post.kind === 'repost' ? other : null,
    ...(post.isCommunity ? { communityId: '1506001001001001001' } : {}),
  };
}

/** Whether an edited post's conversation keeps the first id is undocumented, so the simulator does both. */
function restarts(post: SimulatorPost): boolean {
  return post.createdTs % 2 === 0;
}

/** Tue Jun 02 04:41:03 +0000 2026 */
function oldForm(ts: number): string {
  const [weekday, day, month, year, time] = new Date(ts).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} +0000 ${year}`;
}
