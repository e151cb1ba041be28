// Routes are in the hash: #/live/account_a/123. No hash is the first page; other hashes are ignored.

import { useSyncExternalStore } from 'react';

/** Each has a row in `pages.ts`. */
export const PAGE_NAMES = [
  'live',
  'event',
  'signals',
  'what-if',
  'portfolio',
  'record',
  'alerts',
  'about',
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

export interface Route {
  page: PageName;
  parts: readonly string[];
}

let current = parseRoute(location.hash) ?? { page: 'live' as const, parts: [] };

export function parseRoute(hash: string): Route | null {
  if (hash === '') return { page: 'live', parts: [] };
  if (!hash.startsWith('#/')) return null;
  const [name, ...parts] = hash.slice(2).split('/').map(decodePart);
  const page = PAGE_NAMES.find((known) => known === name);
  // A link to a moment in an event, as used in alerts.
  if (page === 'live' && parts.length > 2) return { page: 'event', parts };
  return page ? { page, parts } : { page: 'live', parts: [] };
}

/** A hand-typed URL may contain an invalid escape, which is left as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function subscribe(listener: () => void): () => void {
  const follow = () => {
    const route = parseRoute(location.hash);
    if (!route) return;
    current = route;
    listener();
  };
  window.addEventListener('hashchange', follow);
  return () => window.removeEventListener('hashchange', follow);
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, () => current);
}

export function hrefTo(page: PageName, ...parts: (string | number)[]): string {
  return `#/${[page, ...parts].map((part) => encodeURIComponent(part)).join('/')}`;
}
