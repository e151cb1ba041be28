// Posts of other people, as far as the account has replied to them: enough to tell whose conversation it was.

import { MINUTE_MS } from '../../domain/units.ts';
import type { WorldState } from '../world-state.ts';
import { REPLY_AFTER_MS } from './draw-post.ts';
import type { WorldPost } from './world-post.ts';

/** The reply by which the post is known; null for an id that nobody replied to. */
export function findReplyTo(
  state: WorldState,
  platform: 'X' | 'MASTODON',
  id: string,
  idTs: number,
): WorldPost | null {
  for (const { parameters, ledger } of state.accounts) {
    if (parameters.platform !== platform) continue;
    const fromTs = idTs + REPLY_AFTER_MS;
    const reply = ledger
      .range(fromTs - MINUTE_MS, fromTs + MINUTE_MS)
      .find((post) => post.kind === 'reply' && post.replyToId === id);
    if (reply) return reply;
  }
  return null;
}
