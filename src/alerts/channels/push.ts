// Browser push: encrypted for the browser and signed with our key (RFC 8291, RFC 8292), sent through the same
// address guard as webhooks.

import { HOUR_MS, SECOND_MS } from '../../domain/units.ts';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { CursorStore } from '../../store/ports.ts';
import type { PostOutcome, PostWebhook } from '../delivery/post-guarded.ts';
import { POST_TIMEOUT_MS, type SendAlert, type SendOutcome, toOutcome } from '../delivery/send-alert.ts';
import type { PendingBody } from '../rules/compose.ts';
import {
  type BrowserKeys,
  encryptForBrowser,
  generatePushKeys,
  type PushKeys,
  signPush,
} from './push-crypto.ts';

export type { PushKeys };

/** A browser offline for longer than this misses the alert. */
const KEPT_S = (12 * HOUR_MS) / SECOND_MS;
const USUAL_PAUSE_MS = 60 * SECOND_MS;

export function createPushSender(
  post: PostWebhook,
  findKeys: () => Promise<PushKeys | null>,
  subject: string,
  clock: Clock,
): SendAlert {
  return async ({ url, secret }, { body }) => {
    try {
      const keys = await findKeys();
      if (keys === null) return { isDelivered: false, response: 'no push key yet' };
      const headers = {
        authorization: signPush(keys, url, subject, clock.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(KEPT_S),
        urgency: 'high',
      };
      const sealed = encryptForBrowser(JSON.parse(secret) as BrowserKeys, Buffer.from(writePayload(body)));
      return judgePush(await post({ url, headers, body: sealed, timeoutMs: POST_TIMEOUT_MS }));
    } catch (error) {
      return { isDelivered: false, response: errorMessage(error) };
    }
  };
}

function writePayload(text: string): string {
  const { type, timestamp, account, data } = JSON.parse(text) as PendingBody;
  const { notice_id, title, text: line, link, event_id } = data;
  const kind = type.replace(/^notice\./, '');
  return JSON.stringify({
    notice_id,
    title,
    text: line,
    link,
    kind,
    account,
    event_id,
    happened_ts: timestamp,
  });
}

function judgePush(outcome: PostOutcome): SendOutcome {
  const { status, headers = {} } = outcome;
  // The browser has unsubscribed.
  if (status === 404 || status === 410) return { ...toOutcome(outcome), isGone: true };
  if (status !== 429) return toOutcome(outcome);
  const seconds = Number(headers['retry-after']);
  return { ...toOutcome(outcome), pauseMs: seconds > 0 ? seconds * SECOND_MS : USUAL_PAUSE_MS };
}

const KEYS_NAME = 'push-keys';

/** The leader creates the key once and stores it, so that every process uses the same key across restarts. */
export async function ensurePushKeys(cursors: CursorStore): Promise<PushKeys> {
  const known = await findPushKeys(cursors);
  if (known) return known;
  const keys = generatePushKeys();
  await cursors.put(KEYS_NAME, JSON.stringify(keys));
  return keys;
}

export async function findPushKeys(cursors: CursorStore): Promise<PushKeys | null> {
  const text = await cursors.find(KEYS_NAME);
  return text === undefined ? null : (JSON.parse(text) as PushKeys);
}
