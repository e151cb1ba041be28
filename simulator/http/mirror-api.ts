// An RSS mirror of an account: the newest hundred items, some minutes late, with deleted posts and without
// flags. A repost is followed by its original, under the original's author and date.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { chance } from '../chance.ts';
import { makeMastodonId, makeSnowflake } from '../platform-ids.ts';
import { otherHandle, postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, type SimulatorRequest } from './answer.ts';

const FEED_LENGTH = 100;
/** Long enough for the calmer account to fill its feed. */
const LOOK_BACK_MS = 7 * DAY_MS;

export interface MirrorApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

interface Mirrored {
  author: string;
  id: string;
  createdTs: number;
  html: string;
}

export function createMirrorApi(state: SimulatorState): MirrorApi {
  return {
    async handle({ path }) {
      const match = matchPath('/:handle/feed', path);
      const account = match && state.findAccount((one) => one.handle === match.handle);
      if (!account) return failure(404, { error: 'no such feed' });
      const nowTs = state.now();
      const posts = mirroredPosts(state, account, nowTs).slice(0, FEED_LENGTH);
      const listed = posts.flatMap((post) => mirror(account, post, state.seedKey));
      const aheadMs = state.faults.valueAt('posts-future', nowTs);
      if (aheadMs !== null) listed.push(forge(account, nowTs + aheadMs));
      const items = listed.sort((left, right) => right.createdTs - left.createdTs).slice(0, FEED_LENGTH);
      return {
        status: 200,
        body: null,
        text: toFeed(account, items.map(toItem)),
        headers: { 'content-type': 'application/rss+xml; charset=UTF-8' },
        served: posts,
      };
    },
  };
}

/** Newest first: posts that existed at the mirror's check, two to five minutes after each post. */
function mirroredPosts(
  { seedKey }: SimulatorState,
  { ledger }: SimulatorAccount,
  nowTs: number,
): SimulatorPost[] {
  return ledger
    .range(nowTs - LOOK_BACK_MS, nowTs + 1)
    .filter((post) => {
      const lagMs = (2 + 3 * chance(seedKey, post.createdTs, 31)) * MINUTE_MS;
      const mirroredTs = ledger.visibleTsOf(post) + lagMs;
      return mirroredTs <= nowTs && ledger.isShownAt(post, mirroredTs);
    })
    .reverse();
}

function mirror(account: SimulatorAccount, post: SimulatorPost, seedKey: number): Mirrored[] {
  const { id, createdTs } = post;
  const author = account.parameters.handle;
  const text = postText(post, 0);
  if (post.kind !== 'repost') return [{ author, id, createdTs, html: `<p>${text}</p>` }];
  const other = otherHandle(post);
  const words = text.slice(`RT @${other}: `.length);
  const name = `<span class="h-card"><a href="https://social.example/@${other}">@<span>${other}</span></a></span>`;
  const originalTs = createdTs - Math.floor(DAY_MS * chance(seedKey, createdTs, 32)) - HOUR_MS;
  return [
    { author, id, createdTs, html: `<p>RT ${name}${words}</p>` },
    { author: other, id: makeId(account, originalTs), createdTs: originalTs, html: `<p>${words}</p>` },
  ];
}

function toItem({ author, id, createdTs, html }: Mirrored): string {
  return [
    '<item>',
    `<title><![CDATA[Post ${id}]]></title>`,
    `<link>https://mirror.example/statuses/${id.slice(-6)}</link>`,
    `<description><![CDATA[${html}]]></description>`,
    `<pubDate>${new Date(createdTs).toUTCString().replace('GMT', '+0000')}</pubDate>`,
    `<truth:originalUrl>https://social.example/@${author}/${id}</truth:originalUrl>`,
    `<truth:originalId>${id}</truth:originalId>`,
    '</item>',
  ].join('');
}

function forge(account: SimulatorAccount, aheadTs: number): Mirrored {
  const author = account.parameters.handle;
  return { author, id: makeId(account, aheadTs), createdTs: aheadTs, html: '<p>From tomorrow.</p>' };
}

function makeId({ parameters }: SimulatorAccount, createdTs: number): string {
  return parameters.platform === 'X' ? makeSnowflake(createdTs, 1) : makeMastodonId(createdTs, 1);
}

function toFeed(account: SimulatorAccount, items: readonly string[]): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:truth="https://social.example/ns"><channel>' +
    `<title>${account.parameters.displayName}</title>\n${items.join('\n')}\n</channel></rss>`
  );
}
