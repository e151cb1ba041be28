// Endpoints 4 and 5: posts, newest first.

import type { View } from '../../access/authorise.ts';
import { envelope, Ts } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { ApiSettings, RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { createPreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { createOlderPosts, type PostPage } from '../older-posts.ts';
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
export function showText({ text, deletedTs }: CapturedPost, rules: TextRules): string {
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
