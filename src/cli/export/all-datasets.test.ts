import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CapturedPost } from '../../domain/post.ts';
import type { Store } from '../../store/ports.ts';
import { postsDataset } from './all-datasets.ts';

it('finds the import of an edited post, which the oracle lists by its first id', async () => {
  const edited = { postId: '2', rootPostId: '1', accountId: 'a', createdTs: 9 } as CapturedPost;
  const store = {
    posts: { listPage: async () => [edited] },
    oraclePosts: { list: async () => [{ postId: '1', createdTs: 5, importedTs: 7, listedTs: 8 }] },
  } as unknown as Store;
  const scope = {
    store,
    accounts: [],
    event: { accountId: 'a', window: {} } as never,
    fromTs: 0,
    untilTs: 99,
  };
  const rows = [];
  for await (const page of postsDataset.listRows(scope)) rows.push(...page);
  const column = Object.keys(postsDataset.columns).indexOf('oracle_imported_ts');
  assert.equal(rows[0]![column], 7);
});
