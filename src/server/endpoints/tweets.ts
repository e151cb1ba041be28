// Endpoints 4 and 5: posts, newest first.

import type { View } from '../../access/authorise.ts';
import { envelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { AccountId } from '../../domain/account.ts';
import type { CapturedPost } from '../../domain/post.ts';
import { SECOND_MS } from '../../domain/units.ts';
import { createRecentResults } from '../../runtime/recent-results.ts';
import type { BoardReader } from '../../state/board.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { PostStore } from '../../store/ports.ts';
import type { ApiSettings, RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { createPreparedView, createPreparedViews } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { recordOf } from '../records/record.ts';

/** The public view ignores the requested page. */
export const PUBLIC_PAGE = { limit: 15, offset: 0 };

/** The platform's terms do not allow us to show all texts. */
export type TextRules = Pick<ApiSettings, 'publishText' | 'blankTextOnDeletion'>;

interface PostSource {
  post: CapturedPost;
  view: View;
  rules: TextRules;
}

export const PostRecord = recordOf<PostSource>('PostRecord')({
  tweet_id: [Type.String(), ({ post }) => post.postId],
  text: [Type.String(), ({ post, rules }) => showText(post, rules)],
  created_ts: [Ts, ({ post }) => post.createdTs],
  is_reply: [Type.Boolean(), ({ post }) => post.isReply],
  is_quote: [Type.Boolean(), ({ post }) => post.isQuote],
  is_retweet: [Type.Boolean(), ({ post }) => post.isRetweet],
  is_counted: [
    Type.Union([Type.Boolean(), Type.Null()], { description: 'PRO: true or false. Public: always null' }),
    ({ post, view }) => (view === 'pro' ? post.isCounted : null),
  ],
  is_deleted: [Type.Boolean(), ({ post }) => post.deletedTs !== null],
});

/** Empty if the text may not be shown. */
function showText({ text, deletedTs }: CapturedPost, rules: TextRules): string {
  const isShown = rules.publishText && !(deletedTs !== null && rules.blankTextOnDeletion);
  return isShown ? (text ?? '') : '';
}

const TweetsAnswer = envelope('TweetsAnswer', PostRecord.schema, {
  limit: Type.Integer(),
  offset: Type.Integer(),
});

const TweetsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 15 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
});

function presentTweets(
  posts: readonly CapturedPost[],
  page: PostPage,
  view: View,
  rules: TextRules,
  nowTs: number,
) {
  return {
    timestamp: nowTs,
    data: posts.map((post) => PostRecord.present({ post, view, rules })),
    limit: page.limit,
    offset: page.offset,
  };
}

export function tweetsRoutes(context: RouteContext): Route[] {
  const older = createOlderPosts(context.store.posts, context.board);
  return context.accounts.map((account) => {
    const find = () => context.board.find(account.accountId);
    const firstPage = (view: View) =>
      createPreparedView({
        version: () => find()?.recentPosts,
        present: (nowTs) =>
          presentTweets(
            (find()?.recentPosts ?? []).slice(0, PUBLIC_PAGE.limit),
            PUBLIC_PAGE,
            view,
            context.settings,
            nowTs,
          ),
      });
    const preparePublic = firstPage('public');
    const prepareFirstPro = firstPage('pro');
    const pages = createPreparedViews<ReturnType<typeof presentTweets>>();
    return defineRoute({
      path: `${API_PREFIX}/meta/${account.segment}/tweets`,
      access: 'optional',
      isPayable: true,
      query: TweetsQuery,
      document: {
        operationId: `listTweets_${account.segment}`,
        tag: 'Meta',
        summary: `Recent posts of ${account.segment}`,
        description:
          'Public and FREE callers get the latest 15 posts; PRO callers can page through all of them.',
        ok: TweetsAnswer,
      },
      handle({ view, query, nowTs }) {
        if (view === 'public') return preparePublic(nowTs);
        const page = { limit: query.limit!, offset: query.offset! };
        if (page.limit === PUBLIC_PAGE.limit && page.offset === 0) return prepareFirstPro(nowTs);
        const present = (found: readonly CapturedPost[]) =>
          presentTweets(found, page, 'pro', context.settings, nowTs);
        const recent = findRecent(find(), page);
        if (recent === null) {
          const reading = context.withDeadline(older.read(account.accountId, page, context.wallClock.now()));
          return reading.then((found) => ok(present(found)));
        }
        return pages.get(`${page.limit} ${page.offset}`, [find()?.recentPosts], nowTs, () =>
          present(recent.slice(page.offset, page.offset + page.limit)),
        );
      },
    });
  });
}

/** Returns posts from the snapshot; null if the page reaches further back and the store is needed. */
function findRecent(snapshot: AccountSnapshot | undefined, page: PostPage): readonly CapturedPost[] | null {
  const recent = snapshot?.recentPosts ?? [];
  const endsInside = page.offset + page.limit <= recent.length;
  return endsInside || recent.length >= (snapshot?.totalPosts ?? 0) ? recent : null;
}

// Reads pages of posts older than the snapshot's from the store. Repeated requests for a range read the whole
// range once and slice it, because skipping to an offset costs as much as reading up to it.

interface OlderPosts {
  read(accountId: AccountId, page: PostPage, nowTs: number): Promise<CapturedPost[]>;
}

export interface PostPage {
  limit: number;
  offset: number;
}

/** Ranges start at multiples of this and overlap by a page, so that every page lies within one range. */
const STRETCH = 400;
const MAX_PAGE_ROWS = 100;
/** A new post invalidates cached ranges at once; only a deletion may show up late. */
const REUSE_MS = 10 * SECOND_MS;
/** Maximum cached ranges; each takes about a megabyte. */
const MAX_STRETCHES = 16;
/** The largest offset stores accept; no account has more posts than this. */
const MAX_OFFSET = 2 ** 31 - 1;

interface Stretch {
  isAskedAgain: boolean;
  posts: Promise<CapturedPost[]> | null;
}

export function createOlderPosts(posts: PostStore, board: BoardReader): OlderPosts {
  const stretches = createRecentResults<string, Stretch>(MAX_STRETCHES, REUSE_MS);

  return {
    async read(accountId, { limit, offset }, nowTs) {
      const from = Math.min(offset, MAX_OFFSET);
      const start = from - (from % STRETCH);
      const key = `${accountId} ${start}`;
      // Inside a list, so that the posts are compared by identity, not one by one.
      const basis = [board.find(accountId)?.recentPosts];
      const stretch = stretches.get(key, basis, nowTs, () => ({ isAskedAgain: false, posts: null }));
      if (!stretch.isAskedAgain) {
        stretch.isAskedAgain = true;
        return posts.listRecent(accountId, limit, from);
      }
      stretch.posts ??= posts.listRecent(accountId, STRETCH + MAX_PAGE_ROWS, start).catch((error) => {
        stretches.drop(key);
        throw error;
      });
      return (await stretch.posts).slice(from - start, from - start + limit);
    },
  };
}
