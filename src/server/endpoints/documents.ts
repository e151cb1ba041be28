// The OpenAPI document, and a reference page that loads nothing from other hosts.

import { readFileSync } from 'node:fs';
import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { API_LINES, PAGE_LINES } from '../http/fixed-headers.ts';
import { prepareFile } from '../http/prepared-body.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { buildOpenApi } from '../openapi.ts';

const PAGE_FILES = [
  { path: '/docs', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/docs/docs.js', file: 'docs.js', type: 'text/javascript; charset=utf-8' },
  { path: '/docs/docs.css', file: 'docs.css', type: 'text/css; charset=utf-8' },
];

export function documentRoutes(context: RouteContext, published: readonly Route[]): Route[] {
  const document = Buffer.from(JSON.stringify(buildOpenApi(published, context.build)));
  return [
    pageRoute('/openapi.json', document, 'application/json', API_LINES),
    ...PAGE_FILES.map(({ path, file, type }) =>
      pageRoute(path, readFileSync(new URL(`../docs-page/${file}`, import.meta.url)), type, PAGE_LINES),
    ),
  ];
}

export function pageRoute(
  path: string,
  bytes: Buffer,
  contentType: string,
  securityLines: string,
  cacheControl = 'no-cache',
): Route {
  const body = prepareFile(bytes, contentType, securityLines, cacheControl);
  return defineRoute({
    path,
    allowance: 'none',
    document: { operationId: path, tag: 'Site', summary: path, ok: Type.Any(), contentType, isPage: true },
    handle: () => body,
  });
}
