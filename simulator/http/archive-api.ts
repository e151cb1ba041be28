// A public archive of an account: every post in one JSON array, regenerated hourly, hours late.

import { HOUR_MS } from '../../src/domain/units.ts';
import { otherHandle, postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, type SimulatorRequest, toIso } from './answer.ts';

const LAG_MS = 2 * HOUR_MS;

export interface ArchiveApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createArchiveApi(state: SimulatorState): ArchiveApi {
  return {
    async handle({ path }) {
      const name = matchPath('/:file', path)?.file?.replace(/\.json$/, '');
      const account = state.findAccount((one) => one.handle === name);
      if (!account) return failure(404, { error: 'no such archive' });
      const madeTs = Math.floor(state.now() / HOUR_MS) * HOUR_MS - LAG_MS;
      const posts = archivedPosts(account, madeTs);
      return { ...ok(posts.map((post) => toEntry(account, post))), served: posts };
    },
  };
}

/** Newest first: posts that still existed when the archive checked, at most an hour after each post. */
function archivedPosts({ ledger }: SimulatorAccount, madeTs: number): SimulatorPost[] {
  return ledger
    .range(ledger.oldestTs, madeTs)
    .filter((post) => ledger.isShownAt(post, post.createdTs + HOUR_MS))
    .reverse();
}

function toEntry(account: SimulatorAccount, post: SimulatorPost): Record<string, unknown> {
  const text = postText(post, 0);
  return {
    id: post.id,
    created_at: toIso(post.createdTs),
    content: post.kind === 'repost' ? text.replace(`@${otherHandle(post)}: `, `@${otherHandle(post)}`) : text,
    url: `https://social.example/@${account.parameters.handle}/${post.id}`,
    media: [],
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
  };
}
