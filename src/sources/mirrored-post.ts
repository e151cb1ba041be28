// A post as a mirror or an archive tells it: text and time, no flags. What its words show is taken, what they leave
// open is told as a doubt.

import type { Account } from '../domain/account.ts';
import type { Post } from '../domain/post.ts';

export interface MirroredPost {
  postId: string;
  createdTs: number;
  text: string | null;
  /** Address of the original, which names its author; null where the mirror gives none. */
  originalUrl: string | null;
}

/** 'RT @name …', 'RT: https://…/statuses/…', also behind a line break that the mirror puts in front. */
const REPOST = /^\s*RT\s?(?:@\w|:\s*https?:\/\/)/;
const MENTION = /^\s*@\w/;

export function guessMirrored(account: Account, mirrored: MirroredPost): Post {
  const text = mirrored.text ?? '';
  const isRetweet = REPOST.test(text);
  const mayBeReply = !isRetweet && MENTION.test(text);
  return {
    accountId: account.accountId,
    postId: mirrored.postId,
    createdTs: mirrored.createdTs,
    text: mirrored.text,
    isRetweet,
    // Words of its own and a link to another post behind them.
    isQuote: !isRetweet && endsWithQuotedLink(text),
    isReply: mayBeReply,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: mirrored.postId,
    // Without its text a post may be anything.
    ...(mayBeReply || mirrored.text === null ? { isDoubtful: true } : {}),
  };
}

/** '… RT: https://…' at the end, found from there: a pattern that may begin anywhere takes the square of the text in time. */
function endsWithQuotedLink(text: string): boolean {
  const whole = text.trimEnd();
  let from = whole.length;
  while (from > 0 && !/\s/.test(whole[from - 1]!)) from -= 1;
  const last = whole.slice(from);
  if (/^https?:\/\/\S/.test(last)) return /\bRT:$/.test(whole.slice(0, from).trimEnd().slice(-4));
  return /\bRT:https?:\/\/\S/.test(last);
}
