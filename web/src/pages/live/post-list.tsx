// Posts as they arrive: type, whether they count, and whether they were deleted.

import type { PostRecord } from '../../api/records.ts';
import { type AccountState, toServerTs } from '../../live/account-state.ts';
import { useNow } from '../../live/clock.ts';
import { useLive } from '../../live/live-context.tsx';
import { Empty, Panel, ProNote } from '../../ui/panel.tsx';
import { formatDayTime, formatLength } from '../../words/format.ts';

interface Props {
  state: AccountState;
  window: { start_ts: number; end_ts: number } | null;
  isPro: boolean;
}

const SHOWN = 30;
/** Placeholder for the post id in the configured URL. */
const ID = '{id}';

export function PostList({ state, window, isPro }: Props) {
  const serverNowTs = toServerTs(state.clock, useNow());
  const posts = state.posts.slice(0, SHOWN);
  const { config } = useLive();
  const url = config?.accounts.find(({ segment }) => segment === state.account)?.post_url;
  return (
    <Panel title="Posts" className="posts-panel" aside={<span className="fine">newest first</span>}>
      {posts.length === 0 ? <Empty>No posts yet.</Empty> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ol className="posts" tabIndex={0} aria-label="Latest posts">
        {posts.map((post) => (
          <Post
            key={post.tweet_id}
            post={post}
            serverNowTs={serverNowTs}
            href={url?.replaceAll(ID, encodeURIComponent(post.tweet_id))}
            isOutside={
              window !== null && (post.created_ts < window.start_ts || post.created_ts >= window.end_ts)
            }
          />
        ))}
      </ol>
      {isPro ? null : <ProNote>shows which posts count toward settlement, and older posts.</ProNote>}
    </Panel>
  );
}

interface PostProps {
  post: PostRecord;
  serverNowTs: number;
  /** Public URL of the post, if configured. */
  href: string | undefined;
  isOutside: boolean;
}

function Post({ post, serverNowTs, href, isOutside }: PostProps) {
  const isFresh = serverNowTs - post.created_ts < 90_000;
  return (
    <li
      className="post"
      data-post={post.tweet_id}
      data-deleted={post.is_deleted || undefined}
      data-fresh={isFresh || undefined}
    >
      <p className="post-facts">
        <time
          className="num"
          dateTime={new Date(post.created_ts).toISOString()}
          title={formatDayTime(post.created_ts)}
        >
          {formatLength(serverNowTs - post.created_ts)} ago
        </time>
        <span className="post-kind">{describeKind(post)}</span>
        {post.is_counted === null ? null : (
          <span className="post-counted" data-counted={post.is_counted}>
            {post.is_counted ? 'counted' : 'not counted'}
          </span>
        )}
        {post.is_deleted ? <span className="tag tag-stale">deleted</span> : null}
        {isOutside ? <span className="fine">before this window</span> : null}
        {href && !post.is_deleted ? (
          <a
            href={href}
            rel="noreferrer"
            target="_blank"
            aria-label={`Open the ${describeKind(post)} from ${formatDayTime(post.created_ts)}`}
          >
            open
          </a>
        ) : null}
      </p>
      <p className="post-text">{post.text || (post.is_deleted ? 'Text removed.' : 'No text.')}</p>
    </li>
  );
}

function describeKind(post: PostRecord): string {
  if (post.is_retweet) return 'repost';
  if (post.is_reply) return post.is_quote ? 'reply with quote' : 'reply';
  return post.is_quote ? 'quote' : 'post';
}
