// Posts of other people that the account has replied to: enough to identify the conversation.

import { MINUTE_MS } from '../../../src/domain/units.ts';
import { REPLY_AFTER_MS } from '../posts/draw-post.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorState } from '../simulator-state.ts';

/** The reply through which the post is known; null for an id without one. */
export function findReplyTo(
  state: SimulatorState,
  platform: 'X' | 'MASTODON',
  id: string,
  idTs: number,
): SimulatorPost | null {
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
