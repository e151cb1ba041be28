// ntfy topics, at ntfy.sh or a server of one's own: one POST per alert, as JSON so that titles may have any letters.

import { SECOND_MS } from '../../domain/units.ts';
import type { PostWebhook } from '../delivery/post-guarded.ts';
import { POST_TIMEOUT_MS, type SendAlert, toOutcome } from '../delivery/send-alert.ts';
import type { PendingBody } from '../rules/compose.ts';

const PAUSE_MS = 60 * SECOND_MS;

export function createNtfySender(post: PostWebhook): SendAlert {
  return async ({ url }, { body }) => {
    const { server, topic } = splitTopic(url)!;
    const { title, text: message, link } = (JSON.parse(body) as PendingBody).data;
    const click = /^https?:/.test(link) ? { click: link } : {};
    const outcome = await post({
      url: server,
      body: JSON.stringify({ topic, title, message, ...click }),
      headers: { 'content-type': 'application/json', 'user-agent': 'tallycast/1' },
      timeoutMs: POST_TIMEOUT_MS,
    });
    const { status } = outcome;
    if (status === 429) return { ...toOutcome(outcome), pauseMs: PAUSE_MS };
    // The server wants a login or has no such topic; retrying is pointless.
    if (status === 401 || status === 403 || status === 404) return { ...toOutcome(outcome), isGone: true };
    return toOutcome(outcome);
  };
}

/** null unless the address ends with a topic. A query such as `?auth=` is kept. */
export function splitTopic(address: string): { server: string; topic: string } | null {
  const url = new URL(address);
  const topic = /^\/(?:.*\/)?([\w-]{1,64})$/.exec(url.pathname)?.[1];
  if (topic === undefined) return null;
  url.pathname = url.pathname.slice(0, -topic.length);
  return { server: url.href, topic };
}
