// A notice as a person reads it in a chat.

import type { OwedBody } from '../notices/compose.ts';

export function writeLines({ data: { title, text, link } }: OwedBody): string {
  return [title, text, /^https?:/.test(link) ? link : ''].filter((line) => line !== '').join('\n');
}
