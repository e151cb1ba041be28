// A post from a mirror or an archive, which has text and time but no flags. Flags are inferred from the text,
// and marked as doubtful where the text does not decide.

import type { Account } from '../domain/account.ts';
import type { Post } from '../domain/post.ts';

export interface MirroredPost {
  postId: string;
  createdTs: number;
  text: string | null;
  /** URL of the original, which includes its author; null if the mirror has none. */
  originalUrl: string | null;
}

/** 'RT @name …', 'RT: https://…/statuses/…', also after a line break added by the mirror. */
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
    // A quote is text followed by a link to another post.
    isQuote: !isRetweet && endsWithQuotedLink(text),
    isReply: mayBeReply,
    isSelfReply: false,
    isCommunity: false,
    rootPostId: mirrored.postId,
    // A post without text may be of any kind.
    ...(mayBeReply || mirrored.text === null ? { isDoubtful: true } : {}),
  };
}

/** Matches '… RT: https://…' at the end. Searches backwards: an unanchored pattern takes quadratic time. */
function endsWithQuotedLink(text: string): boolean {
  const whole = text.trimEnd();
  let from = whole.length;
  while (from > 0 && !/\s/.test(whole[from - 1]!)) from -= 1;
  const last = whole.slice(from);
  if (/^https?:\/\/\S/.test(last)) return /\bRT:$/.test(whole.slice(0, from).trimEnd().slice(-4));
  return /\bRT:https?:\/\/\S/.test(last);
}
