// Formats an alert as chat text.

import type { PendingBody } from '../rules/compose.ts';

export function writeLines({ data: { title, text, link } }: PendingBody): string {
  return [title, text, /^https?:/.test(link) ? link : ''].filter((line) => line !== '').join('\n');
}
