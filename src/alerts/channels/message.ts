// An alert as chat text.

import type { OwedBody } from '../rules/compose.ts';

export function writeLines({ data: { title, text, link } }: OwedBody): string {
  return [title, text, /^https?:/.test(link) ? link : ''].filter((line) => line !== '').join('\n');
}
