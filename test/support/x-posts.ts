// Posts in the X API's format, and a scripted source that returns them.

import { createRandom } from '../../src/runtime/random.ts';
import type { PostSource } from '../../src/sources/source.ts';
import { createXPostSource } from '../../src/sources/x-api/client.ts';
import { ACCOUNT, scriptHttp } from './scripted-sources.ts';

/** Ids of posts a second apart, the first at 2026-08-16T11:00:00.000Z. */
export function idAt(second: number): string {
  return String((BigInt(Date.UTC(2026, 7, 16, 11) + second * 1000) - 1288834974657n) << 22n);
}

export function tweet(second: number, fields: object = {}): object {
  return {
    id: idAt(second),
    text: `post ${second}`,
    author_id: '1001',
    conversation_id: idAt(second),
    edit_history_tweet_ids: [idAt(second)],
    ...fields,
  };
}

export function open(
  replies: Parameters<typeof scriptHttp>[0],
): ReturnType<typeof scriptHttp> & { source: PostSource } {
  const scripted = scriptHttp(replies);
  const { http, clock } = scripted;
  return {
    ...scripted,
    source: createXPostSource({ account: ACCOUNT, http, clock, random: createRandom(1) }),
  };
}

export const TIMELINE = '/2/users/1001/tweets';
