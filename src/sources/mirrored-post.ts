// A post from a mirror, which has text and time but no flags. Flags are inferred from the text,
// and marked as doubtful where the text does not decide.

import type { Account } from '../domain/account.ts';
import type { Post } from '../domain/post.ts';

export interface MirroredPost {
  postId: string;
  createdTs: number;
  text: string | null;
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

// Converts status HTML to plain text in one linear pass: drops tags, keeps line breaks, decodes entities.

const MAX_HTML_LENGTH = 200_000;

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
};

export function htmlToText(html: string): string {
  return html
    .slice(0, MAX_HTML_LENGTH)
    .replace(/<(?:br\b[^<>]*|\/p\b[^<>]*)>/gi, (tag) => (tag[1] === '/' ? '\n\n' : '\n'))
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, decodeEntity)
    .trim();
}

function decodeEntity(whole: string, name: string): string {
  if (name[0] !== '#') return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
  const code = name[1]!.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}
