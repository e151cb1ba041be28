// Other people's posts that the account replied to: just enough to identify the conversation.

import { MINUTE_MS } from '../../src/domain/units.ts';
import { REPLY_AFTER_MS } from '../posts/draw-post.ts';
import type { SimulatorPost } from '../posts/simulator-post.ts';
import type { SimulatorState } from '../simulator-state.ts';

/** The account's reply to this post; null if there is none. */
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
