// The settlement list over HTTP in Roll Call's format: newest first, fifty per page, `deleted_flag` per post.

import { DAY_MS } from '../../src/domain/units.ts';
import { flaggedTsOf, isOnList, listedTsOf } from '../kalshi/settlement-list.ts';
import { postText } from '../posts/post-text.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorAccount, SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, ok, readInteger, type SimulatorRequest } from './answer.ts';

const PAGE_SIZE = 50;
const LOOK_BACK_MS = 400 * DAY_MS;

export function createRollcallApi(state: SimulatorState) {
  function listed({ ledger }: SimulatorAccount, nowTs: number): SimulatorPost[] {
    return ledger
      .range(nowTs - LOOK_BACK_MS, nowTs + 1)
      .filter((post) => isOnList(post) && (listedTsOf(ledger, state.seedKey, post) ?? Infinity) <= nowTs)
      .reverse();
  }

  function toRow({ ledger, parameters }: SimulatorAccount, post: SimulatorPost, nowTs: number) {
    const flaggedTs = flaggedTsOf(ledger, post);
    return {
      id: post.id,
      document_id: `ts_${post.id}`,
      date: new Date(post.createdTs).toISOString(),
      platform: 'Truth Social',
      speaker: parameters.displayName,
      handle: parameters.handle,
      text: postText(post, 0),
      deleted_flag: flaggedTs !== null && flaggedTs <= nowTs,
      post_url: `https://social.example/@${parameters.handle}/${post.id}`,
      social: {
        author: parameters.handle,
        quote_flag: post.kind === 'quote',
        repost_flag: post.kind === 'repost',
      },
    };
  }

  return async ({ path, query }: SimulatorRequest): Promise<Answer> => {
    if (path !== '/wp-json/factbase/v1/twitter') return failure(404, { code: 'rest_no_route' });
    const nowTs = state.now();
    const account = state.accounts.find(({ parameters }) => parameters.kalshi !== undefined);
    const page = Math.max(1, readInteger(query.get('page'), 1));
    const all = account ? listed(account, nowTs) : [];
    const rows = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    return {
      ...ok({
        error: false,
        data: rows.map((post) => toRow(account!, post, nowTs)),
        meta: { page, page_count: Math.ceil(all.length / PAGE_SIZE), total_hits: all.length },
      }),
      served: rows,
    };
  };
}
