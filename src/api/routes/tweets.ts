// Endpoints 4 and 5: posts.

import type { Account } from '../../domain/account.ts';
import type { CapturedPost } from '../../domain/post.ts';
import type { RouteContext } from '../context.ts';
import { TweetsAnswer, TweetsQuery } from '../contract/meta.ts';
import { ok } from '../http/answer.ts';
import { createPreparedView } from '../http/prepared-view.ts';
import { API_PREFIX, defineRoute, type Route } from '../route.ts';
import { PUBLIC_PAGE, presentTweets } from '../views/tweets.ts';

const FIRST_PAGE = { limit: 15, offset: 0 };

export function tweetsRoutes(context: RouteContext): Route[] {
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
    return defineRoute({
      path: `${API_PREFIX}/meta/${account.segment}/tweets`,
      access: 'optional',
      isPayable: true,
      query: TweetsQuery,
      document: {
        operationId: `listTweets_${account.segment}`,
        tag: 'Meta',
        summary: `Recent posts of ${account.segment}`,
        description: 'Public and FREE callers get the latest 15; PRO callers page through all of them.',
        ok: TweetsAnswer,
      },
      handle({ view, query, nowTs }) {
        if (view === 'public') return preparePublic(nowTs);
        const page = { limit: query.limit!, offset: query.offset! };
        if (page.limit === FIRST_PAGE.limit && page.offset === 0) return prepareFirstPro(nowTs);
        const posts = loadPage(context, account, page);
        const present = (found: CapturedPost[]) =>
          ok(presentTweets(found, page, 'pro', context.settings, nowTs));
        return posts instanceof Promise ? posts.then(present) : present(posts);
      },
    });
  });
}

/** From the snapshot where it reaches far enough, else from the store. */
function loadPage(
  context: RouteContext,
  account: Account,
  page: { limit: number; offset: number },
): CapturedPost[] | Promise<CapturedPost[]> {
  const snapshot = context.board.find(account.accountId);
  const recent = snapshot?.recentPosts ?? [];
  const endsInside = page.offset + page.limit <= recent.length;
  if (endsInside || recent.length >= (snapshot?.totalPosts ?? 0)) {
    return recent.slice(page.offset, page.offset + page.limit);
  }
  // Beyond this no account has posts, and the stores take no larger number.
  const offset = Math.min(page.offset, 2 ** 31 - 1);
  return context.withDeadline(context.store.posts.listRecent(account.accountId, page.limit, offset));
}
