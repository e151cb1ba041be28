import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, inTurn, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import type { Post } from '../../domain/post.ts';
import { createRssPostSource, parseFeed } from './client.ts';

function item(
  id: string,
  html: string,
  pubDate = 'Sun, 16 Aug 2026 11:00:00 +0000',
  author = '@somebody',
): string {
  return `<item><title><![CDATA[t]]></title><link>https://mirror.example/statuses/1</link>
    <description><![CDATA[${html}]]></description><pubDate>${pubDate}</pubDate>
    <truth:originalUrl>https://social.example/${author}/${id}</truth:originalUrl>
    <truth:originalId>${id}</truth:originalId></item>`;
}

function feed(...items: string[]): string {
  return `<?xml version="1.0"?><rss version="2.0"><channel>${items.join('\n')}</channel></rss>`;
}

const xml = (text: string) => () =>
  new Response(text, { headers: { 'content-type': 'application/rss+xml' } });

describe('mirror items', () => {
  it('become posts of the platform, with flags inferred from their text', () => {
    const { posts } = parseFeed(
      feed(
        item('116457972455781406', '<p>Hello &amp; bye</p>'),
        item('116457972455781407', '<p><br/>RT: https://social.example/users/x/statuses/1</p>'),
        item('116457972455781408', '<p>Look at this RT: https://social.example/users/x/statuses/1</p>'),
        item('116457972455781409', '<p>@other no</p>'),
      ),
      ACCOUNT,
    )!;
    const shown = posts.map(({ isRetweet, isQuote, isReply, isDoubtful = false }) =>
      [isRetweet, isQuote, isReply, isDoubtful].map(Number).join(''),
    );
    assert.deepEqual(shown, ['0000', '1000', '0100', '0011']);
    assert.equal(posts[0]!.text, 'Hello & bye');
    assert.equal(posts[0]!.createdTs, Date.UTC(2026, 7, 16, 11));
  });

  it('without an original or a time are skipped, and the rest stay valid', () => {
    const { posts, skipped } = parseFeed(
      feed('<item><link>x</link></item>', item('1', 'a', 'soon'), item('2', 'b'), '<item><link>cut'),
      ACCOUNT,
    )!;
    assert.deepEqual([posts.length, skipped.length], [1, 2]);
  });

  it("are identified by the original's URL if there is no id", () => {
    const bare = item('116457972455781406', 'x').replace(/<truth:originalId>.*?<\/truth:originalId>/, '');
    assert.equal(parseFeed(feed(bare), ACCOUNT)!.posts[0]!.postId, '116457972455781406');
  });
});

describe("the account's reposts", () => {
  const repost = (of: string, text: string) =>
    `<p>RT <span class="h-card"><a href="https://social.example/@${of}">@<span>${of}</span></a></span>${text}</p>`;
  const listed = feed(
    item('905', repost('Somebody', 'Own words'), 'Sun, 16 Aug 2026 11:00:30 +0000'),
    item('904', repost('other', 'Their words'), 'Sun, 16 Aug 2026 11:00:00 +0000'),
    item('903', '<p>Own words</p>', 'Sun, 16 Aug 2026 09:00:00 +0000', '@Somebody'),
    item('902', '<p></p>', 'Sun, 16 Aug 2026 08:00:00 +0000', 'users/somebody/statuses'),
    item('901', '<p>Their words</p>', 'Sat, 15 Aug 2026 23:00:00 +0000', '@other'),
  );
  const shown = (posts: readonly Post[]) =>
    posts.map(({ postId, isRetweet }) => `${postId} ${isRetweet ? 'repost' : 'post'}`);
  const open = (text: string) => {
    const { http, clock } = scriptHttp({ '/': xml(text) });
    return createRssPostSource({ account: ACCOUNT, http, clock });
  };

  it('count by the wrapper and its date, and their originals only if they are its own', async () => {
    const { posts, skipped, problem } = await open(listed).fetchLatest(null, never());
    assert.deepEqual(shown(posts), ['902 post', '903 post', '904 repost', '905 repost']);
    assert.equal(posts[2]!.createdTs, Date.UTC(2026, 7, 16, 11));
    assert.deepEqual([skipped, problem], [[], null]);
  });

  it('are read as history in the same way', async () => {
    const range = { sinceTs: Date.UTC(2026, 7, 15), untilTs: Date.UTC(2026, 7, 16, 11) };
    const batches: Post[][] = [];
    for await (const batch of open(listed).fetchHistory(range, () => {}, never())) batches.push(batch);
    assert.deepEqual(batches.map(shown), [['902 post', '903 post']]);
  });

  it("fail if nothing is by the account, and an item without its author's name is named", async () => {
    const others = open(feed(item('901', 'a', undefined, '@other')));
    await assert.rejects(others.fetchLatest(null, never()), /another account than @somebody/);
    const { skipped } = parseFeed(feed(item('116457972455781406', 'x', undefined, 'i/web')), ACCOUNT)!;
    assert.deepEqual(skipped[0]?.reason, 'its address does not name its author');
  });
});

describe('mirror feed', () => {
  it('fails if it is empty after a non-empty one, or not a feed', async () => {
    const { http, clock } = scriptHttp({
      '/': inTurn(xml(feed(item('5', 'a'))), xml(feed()), xml('<html>')),
    });
    const source = createRssPostSource({ account: ACCOUNT, http, clock });
    assert.equal((await source.fetchLatest(null, never())).cursor, '5');
    await assert.rejects(source.fetchLatest('5', never()), /feed is empty after a non-empty one/);
    await assert.rejects(source.fetchLatest('5', never()), /not a feed/);
  });

  it('drops posts dated tomorrow', async () => {
    const tomorrow = new Date(NOW_TS + 86_400_000).toUTCString();
    const { http, clock } = scriptHttp({ '/': xml(feed(item('7', 'lie', tomorrow), item('5', 'a'))) });
    const page = await createRssPostSource({ account: ACCOUNT, http, clock }).fetchLatest(null, never());
    assert.deepEqual([page.posts.map(({ postId }) => postId), page.cursor], [['5'], '5']);
    assert.deepEqual(
      page.skipped.map(({ isFuture }) => isFuture),
      [true],
    );
  });
});
