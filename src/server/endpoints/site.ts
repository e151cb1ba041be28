// Serves the built dashboard from memory. Clients cache files with a hash in their name forever.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { PAGE_LINES } from '../http/fixed-headers.ts';
import type { Route } from '../http/route.ts';
import { pageRoute } from './documents.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

const HASHED = /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;
const FOR_EVER = 'public, max-age=31536000, immutable';
const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tallycast</title><h1>Tallycast</h1><p>The dashboard has not been built. The API is documented at <a href="/docs">/docs</a>.</p></html>';

export function siteRoutes(webRoot: string | null): Route[] {
  if (webRoot === null || !existsSync(join(webRoot, 'index.html'))) {
    return [pageRoute('/', Buffer.from(NOT_BUILT), TYPES['.html']!, PAGE_LINES)];
  }
  return readdirSync(webRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(webRoot, file).split(sep).join('/')}`;
      const cache = HASHED.test(entry.name) ? FOR_EVER : 'no-cache';
      return pageRoute(
        path === '/index.html' ? '/' : path,
        readFileSync(file),
        TYPES[extname(file)]!,
        PAGE_LINES,
        cache,
      );
    });
}
