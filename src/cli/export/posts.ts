// Post ids and times, which source saw each post first, and deletions. Texts are left out because platforms
// forbid redistribution.

import type { CapturedPost } from '../../domain/post.ts';
import { DAY_MS } from '../../domain/units.ts';
import { type Dataset, type ExportScope, readPages, tableOf } from './dataset.ts';

const PAGE_ROWS = 5_000;
/** The oracle's time for a post may differ from the platform's. */
const ORACLE_SLACK_MS = DAY_MS;

type ExportedPost = CapturedPost & { importedTs: number | null };

/** The first six are the columns of a history file (`tallycast import`). */
const TABLE = tableOf<ExportedPost>({
  tweet_id: ['text', ({ postId }) => postId],
  created_ts: ['time', ({ createdTs }) => createdTs],
  is_reply: ['flag', ({ isReply }) => isReply],
  is_quote: ['flag', ({ isQuote }) => isQuote],
  is_retweet: ['flag', ({ isRetweet }) => isRetweet],
  is_counted: ['flag', ({ isCounted }) => isCounted],
  account_id: ['text', ({ accountId }) => accountId],
  is_self_reply: ['flag', ({ isSelfReply }) => isSelfReply],
  is_community: ['flag', ({ isCommunity }) => isCommunity],
  is_doubtful: ['flag', ({ isDoubtful }) => isDoubtful ?? false],
  root_post_id: ['text', ({ rootPostId }) => rootPostId],
  first_seen_ts: ['time', ({ firstSeenTs }) => firstSeenTs],
  first_source: ['text', ({ firstSource }) => firstSource ?? null],
  deleted_ts: ['time', ({ deletedTs }) => deletedTs],
  oracle_imported_ts: ['time', ({ importedTs }) => importedTs],
});

export const postsDataset: Dataset = {
  columns: TABLE.columns,
  async *listRows(scope) {
    for (const accountId of listAccountIds(scope))
      for await (const page of readPosts(scope, accountId)) {
        const imports = await findImports(scope, page);
        yield page.map((post) => TABLE.toRow({ ...post, importedTs: findImport(imports, post) }));
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
