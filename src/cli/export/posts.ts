// Post ids and times, which source saw each post first, and deletions. Texts are left out because platforms
// forbid redistribution.

import type { CapturedPost } from '../../domain/post.ts';
import { DAY_MS } from '../../domain/units.ts';
import { type Dataset, type ExportScope, type Row, readPages } from './dataset.ts';

const PAGE_ROWS = 5_000;
/** The oracle's time for a post may differ from the platform's. */
const ORACLE_SLACK_MS = DAY_MS;

/** The first six are the columns of a history file (`tallycast import`). */
export const postsDataset: Dataset = {
  columns: {
    tweet_id: 'text',
    created_ts: 'time',
    is_reply: 'flag',
    is_quote: 'flag',
    is_retweet: 'flag',
    is_counted: 'flag',
    account_id: 'text',
    is_self_reply: 'flag',
    is_community: 'flag',
    is_doubtful: 'flag',
    root_post_id: 'text',
    first_seen_ts: 'time',
    first_source: 'text',
    deleted_ts: 'time',
    oracle_imported_ts: 'time',
  },
  async *listRows(scope) {
    for (const accountId of listAccountIds(scope))
      for await (const page of readPosts(scope, accountId)) {
        const imports = await findImports(scope, page);
        yield page.map((post) => [...toRow(post), findImport(imports, post)]);
      }
  },
};

function listAccountIds({ event, accounts }: ExportScope): string[] {
  return event ? [event.accountId] : accounts.map(({ accountId }) => accountId);
}

export function readPosts(
  { store, event, fromTs, untilTs }: Omit<ExportScope, 'accounts'>,
  accountId: string,
): AsyncIterable<readonly CapturedPost[]> {
  const range = {
    fromTs: Math.max(fromTs, event?.window.startTs ?? fromTs),
    untilTs: Math.min(untilTs, event?.window.endTs ?? untilTs),
    limit: PAGE_ROWS,
  };
  return readPages<CapturedPost>(PAGE_ROWS, (after) =>
    store.posts.listPage(accountId, { ...range, after: after ?? null }),
  );
}

async function findImports(
  { store }: ExportScope,
  page: readonly CapturedPost[],
): Promise<Map<string, number | null>> {
  const [first, last] = [page[0]!, page.at(-1)!];
  const [fromTs, untilTs] = [first.createdTs - ORACLE_SLACK_MS, last.createdTs + ORACLE_SLACK_MS];
  const listings = await store.oraclePosts.list(first.accountId, fromTs, untilTs);
  return new Map(listings.map(({ postId, importedTs }) => [postId, importedTs]));
}

/** The oracle lists an edited post by its first id. */
function findImport(imports: ReadonlyMap<string, number | null>, post: CapturedPost): number | null {
  return imports.get(post.postId) ?? imports.get(post.rootPostId) ?? null;
}

function toRow(post: CapturedPost): Row {
  return [
    post.postId,
    post.createdTs,
    post.isReply,
    post.isQuote,
    post.isRetweet,
    post.isCounted,
    post.accountId,
    post.isSelfReply,
    post.isCommunity,
    post.isDoubtful ?? false,
    post.rootPostId,
    post.firstSeenTs,
    post.firstSource ?? null,
    post.deletedTs,
  ];
}
