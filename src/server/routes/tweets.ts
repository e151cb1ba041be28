// Endpoints 4 and 5: posts.

import { TweetsAnswer, TweetsQuery } from '../../contract/meta.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { RouteContext } from '../context.ts';
import { ok } from '../http/answer.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { createPreparedViews } from '../http/prepared-views.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { createOlderPosts, type PostPage } from '../older-posts.ts';
import { PUBLIC_PAGE, presentTweets } from '../views/tweets.ts';

const FIRST_PAGE = { limit: 15, offset: 0 };

export function tweetsRoutes(context: RouteContext): Route[] {
  const older = createOlderPosts(context.store.posts, context.board);
  return context.accounts.map((account) => {
    const find = () => context.board.find(account.accountId);
    const firstPage = (view: 'public' | 'pro') =>
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
    const pages = createPreparedViews();
    return defineLooseRoute({
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
        if (page.limit === FIRST_PAGE.limit && page.offset === 0) return prepareFirstPro(nowTs);
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
