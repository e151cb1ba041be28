// The Mastodon platform: account look-up, status pages, single statuses.

import { compareIds } from '../../src/domain/post.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/units.ts';
import { makeMastodonId, mastodonIdTs } from '../platform-ids.ts';
import { otherHandle, otherUserId, postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, ok, readInteger, type SimulatorRequest, toIso } from './answer.ts';
import { findReplyTo } from './others-post.ts';
import { disturbPage, forgeFuture, pageLength } from './page-faults.ts';
import { createRateWindow } from './rate-window.ts';

/** Calls per 5 minutes, and paged calls per 15, of one instance; every account is on a separate one. */
const RATE_LIMIT = 300;
const PAGING_LIMIT = 300;
const MAX_PAGE = 40;

export interface MastodonApi {
  handle(request: SimulatorRequest): Promise<Answer>;
}

export function createMastodonApi(state: SimulatorState): MastodonApi {
  const window = createRateWindow(5 * MINUTE_MS);
  const pagingWindow = createRateWindow(15 * MINUTE_MS);
  const instances = state.accounts.filter(({ parameters }) => parameters.platform === 'MASTODON').length;
  const rateLimit = RATE_LIMIT * Math.max(1, instances);
  const pagingLimit = PAGING_LIMIT * Math.max(1, instances);

  function findUser(matches: (handle: string, id: string) => boolean): SimulatorAccount | undefined {
    return state.findAccount((one) => one.platform === 'MASTODON' && matches(one.handle, one.platformUserId));
  }

  function statuses(account: SimulatorAccount, request: SimulatorRequest, nowTs: number): Answer {
    const { query } = request;
    const limit = Math.min(MAX_PAGE, Math.max(1, readInteger(query.get('limit'), 20)));
    const minId = query.get('min_id');
    const found = findStatuses(account, query, nowTs);
    // min_id selects the page just after it, not the newest page.
    const wanted = minId ? found.slice(-limit) : found.slice(0, limit);
    const page = minId ? wanted : wanted.slice(0, pageLength(state.faults, wanted.length, nowTs));
    const shown = disturbPage(state.faults, page, nowTs).map((post) => toStatus(account, post, nowTs));
    forgeFuture(state.faults, shown, nowTs, (idTs, createdTs) => ({
      id: makeMastodonId(idTs, 1),
      created_at: toIso(createdTs),
    }));
    const link = linkHeader(request, page);
    return { ...ok(shown, link ? { link } : undefined), served: page };
  }

  function single(id: string, nowTs: number): Answer {
    const found = findStatus(state, id, nowTs);
    const reply =
      found || !/^\d{1,20}$/.test(id) ? null : findReplyTo(state, 'MASTODON', id, mastodonIdTs(id));
    if (reply) return ok(toOthersStatus(reply));
    return found
      ? ok(toStatus(found.account, found.post, nowTs))
      : failure(404, { error: 'Record not found' });
  }

  /** The parent status, and the account's replies to this one. */
  function context(id: string, nowTs: number): Answer {
    const found = findStatus(state, id, nowTs);
    if (!found) return failure(404, { error: 'Record not found' });
    const { account, post } = found;
    const parent = post.replyToId === null ? null : findStatus(state, post.replyToId, nowTs);
    const other = parent || post.kind !== 'reply' ? null : toOthersStatus(post);
    const replies = account.ledger
      .range(post.createdTs, nowTs + 1)
      .filter((one) => one.replyToId === id && account.ledger.isShownAt(one, nowTs));
    return ok({
      ancestors: parent ? [toStatus(parent.account, parent.post, nowTs)] : other ? [other] : [],
      descendants: replies.map((one) => toStatus(account, one, nowTs)),
    });
  }

  function route(request: SimulatorRequest, nowTs: number): Answer {
    const { path, query } = request;
    if (path === '/api/v1/accounts/lookup') {
      const acct = (query.get('acct') ?? '').replace(/^@/, '').split('@')[0]!.toLowerCase();
      const account = findUser((handle) => handle.toLowerCase() === acct);
      return account ? ok(toAccount(account)) : failure(404, { error: 'Record not found' });
    }
    const listing = matchPath('/api/v1/accounts/:id/statuses', path);
    if (listing) {
      const account = findUser((_, id) => id === listing.id);
      // Lists that include replies to others require authentication.
      if (query.get('exclude_replies') !== 'true' && !request.headers.has('authorization'))
        return failure(401, { error: 'This API requires an authenticated user' });
      return account ? statuses(account, request, nowTs) : failure(404, { error: 'Record not found' });
    }
    const one = matchPath('/api/v1/accounts/:id', path);
    const account = one && findUser((_, id) => id === one.id);
    if (account) return ok(toAccount(account));
    const thread = matchPath('/api/v1/statuses/:id/context', path);
    if (thread) return context(thread.id!, nowTs);
    const status = matchPath('/api/v1/statuses/:id', path);
    if (status) return single(status.id!, nowTs);
    if (path === '/api/v1/statuses') {
      const ids = [...query.getAll('id[]'), ...query.getAll('id')];
      const found = ids.map((id) => findStatus(state, id, nowTs)).filter((item) => item !== null);
      return ok(found.map((item) => toStatus(item.account, item.post, nowTs)));
    }
    return failure(404, { error: 'Record not found' });
  }

  return {
    async handle(request) {
      const nowTs = state.now();
      if (state.faults.hits('mastodon-blocked', nowTs)) return BLOCKED;
      const isPaging = ['max_id', 'min_id', 'since_id', 'page'].some((key) => request.query.has(key));
      const all = window.take(rateLimit, nowTs);
      const paging = isPaging ? pagingWindow.take(pagingLimit, nowTs) : all;
      const taken = all.isAllowed ? paging : all;
      const headers = {
        'x-ratelimit-limit': String(rateLimit),
        'x-ratelimit-remaining': String(taken.remaining),
        'x-ratelimit-reset': toIso(taken.resetTs),
      };
      const answer = taken.isAllowed ? route(request, nowTs) : failure(429, { error: 'Too many requests' });
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}

/** The proxy's response to a data-centre address. */
const BLOCKED: Answer = {
  status: 403,
  body: null,
  text: '<!DOCTYPE html><html><head><title>Attention Required!</title></head><body>Sorry, you have been blocked</body></html>',
  headers: { 'content-type': 'text/html; charset=UTF-8' },
};

/** Newest first. */
function findStatuses({ ledger }: SimulatorAccount, query: URLSearchParams, nowTs: number): SimulatorPost[] {
  const lowId = query.get('since_id') ?? query.get('min_id');
  const highId = query.get('max_id');
  const fromTs = lowId ? mastodonIdTs(lowId) - HOUR_MS : ledger.oldestTs;
  const toTs = highId ? Math.min(nowTs, mastodonIdTs(highId)) : nowTs;
  return ledger
    .range(fromTs, toTs + 1)
    .filter(
      (post) =>
        ledger.isShownAt(post, nowTs) &&
        (!lowId || compareIds(post.id, lowId) > 0) &&
        (!highId || compareIds(post.id, highId) < 0) &&
        !(query.get('exclude_replies') === 'true' && post.kind === 'reply') &&
        !(query.get('exclude_reblogs') === 'true' && post.kind === 'repost'),
    )
    .reverse();
}

function findStatus(
  state: SimulatorState,
  id: string,
  nowTs: number,
): { account: SimulatorAccount; post: SimulatorPost } | null {
  if (!/^\d{1,20}$/.test(id)) return null;
  const ts = mastodonIdTs(id);
  for (const account of state.accounts) {
    if (account.parameters.platform !== 'MASTODON') continue;
    const post = account.ledger.range(ts, ts + 1).find((candidate) => candidate.id === id);
    if (post && account.ledger.isShownAt(post, nowTs)) return { account, post };
  }
  return null;
}

function linkHeader(request: SimulatorRequest, page: readonly SimulatorPost[]): string | null {
  if (page.length === 0) return null;
  const at = `${request.baseUrl}${request.path}`;
  return `<${at}?max_id=${page.at(-1)!.id}>; rel="next", <${at}?min_id=${page[0]!.id}>; rel="prev"`;
}

function toAccount({ parameters }: SimulatorAccount): Record<string, unknown> {
  return {
    id: parameters.platformUserId,
    username: parameters.handle,
    acct: parameters.handle,
    display_name: parameters.displayName,
    url: `https://social.example/@${parameters.handle}`,
    avatar: 'https://images.example/avatar.png',
    bot: false,
    locked: false,
  };
}

function toStatus(account: SimulatorAccount, post: SimulatorPost, nowTs: number): Record<string, unknown> {
  const { parameters } = account;
  const edits = post.edits.filter((edit) => edit.editedTs <= nowTs);
  const text = postText(post, edits.length);
  const isReply = post.kind === 'reply' || post.kind === 'self-reply';
  const url = `https://social.example/@${parameters.handle}/${post.id}`;
  return {
    id: post.id,
    created_at: toIso(post.createdTs),
    edited_at: edits.length > 0 ? toIso(edits.at(-1)!.editedTs) : null,
    in_reply_to_id: isReply ? post.replyToId : null,
    in_reply_to_account_id:
      post.kind === 'self-reply' ? parameters.platformUserId : isReply ? otherUserId(post) : null,
    sensitive: false,
    spoiler_text: '',
    visibility: 'public',
    language: 'en',
    uri: url,
    url,
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    content: post.kind === 'repost' ? '' : `<p>${text}</p>`,
    reblog: post.kind === 'repost' ? toOther(post, text) : null,
    quote_id: isQuoting(post) ? otherId(post) : null,
    quote: isQuoting(post) ? { state: 'accepted', quoted_status: toOther(post, text) } : null,
    account: toAccount(account),
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
  };
}

/** The status the account replied to, as posted by its author. */
function toOthersStatus(reply: SimulatorPost): Record<string, unknown> {
  const id = reply.replyToId!;
  const url = `https://social.example/@${otherHandle(reply)}/${id}`;
  return {
    id,
    created_at: toIso(mastodonIdTs(id)),
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    visibility: 'public',
    uri: url,
    url,
    content: '<p>A question from another user.</p>',
    reblog: null,
    account: { id: otherUserId(reply), username: otherHandle(reply), acct: otherHandle(reply) },
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
  };
}

function isQuoting(post: SimulatorPost): boolean {
  return post.kind === 'quote' || post.isQuoteReply;
}

function otherId(post: SimulatorPost): string {
  return (BigInt(post.id) - (1n << 27n)).toString();
}

function toOther(post: SimulatorPost, text: string): Record<string, unknown> {
  return {
    id: otherId(post),
    created_at: toIso(mastodonIdTs(otherId(post))),
    content: `<p>${text}</p>`,
    account: { id: otherUserId(post), username: otherHandle(post), acct: otherHandle(post) },
    reblog: null,
  };
}
