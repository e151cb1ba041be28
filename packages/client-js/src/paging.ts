// Walks a listing page by page.

import type { PostRecord } from './generated/schema.ts';

export interface PagingOptions {
  /** Posts per call, 100 at most. */
  pageSize?: number | undefined;
  signal?: AbortSignal | undefined;
}

type ListPage = (page: {
  limit: number;
  offset: number;
}) => Promise<{ data: PostRecord[]; limit: number; offset: number }>;

/** Newest first. New posts shift the pages, so posts already seen are skipped. */
export async function* listEveryPost(
  listPage: ListPage,
  { pageSize = 100 }: PagingOptions = {},
): AsyncGenerator<PostRecord, void, void> {
  const seen = new Set<string>();
  for (let offset = 0; ; offset += pageSize) {
    const { data, limit, offset: givenOffset } = await listPage({ limit: pageSize, offset });
    const fresh = data.filter(({ tweet_id }) => !seen.has(tweet_id));
    for (const post of fresh) {
      seen.add(post.tweet_id);
      yield post;
    }
    // In the public view, every page is the first page.
    if (data.length < limit || givenOffset !== offset || limit !== pageSize) return;
  }
}
