// Files outside the API, served from memory: the built dashboard and what it needs before its first request,
// the OpenAPI document, and a reference page that loads nothing from other hosts.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { DemoKey } from '../../access/demo-key.ts';
import { ALERT_KIND_NAMES, ALERT_KINDS } from '../../alerts/rules/kinds.ts';
import { objectEnvelope } from '../../contract/envelope.ts';
import { Type } from '../../contract/schema.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { API_LINES, PAGE_LINES } from '../http/fixed-headers.ts';
import { prepareFile } from '../http/prepared-body.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { buildOpenApi } from '../openapi.ts';
import { readSharedStyle } from '../shared-style.ts';

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
    ...readSharedStyle().map(({ path, type, bytes }) => pageRoute(path, bytes, type, PAGE_LINES)),
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

interface PageFacts {
  takesPayments: boolean;
  /** Multiple of real time; null on live sources. */
  simulatorSpeed: number | null;
  /** Simulated wallet that visitors can try; null on live sources. */
  demoWallet: string | null;
  /** Whether demo keys are issued. */
  hasDemoKey: boolean;
  /** URL of the simulated exchange; null on live sources. */
  simulatorUrl: string | null;
}

/** What the dashboard needs: accounts, kinds of alerts, and whether the data is simulated. */
export function pageConfigRoute(context: RouteContext, facts: PageFacts): Route {
  const { takesPayments, simulatorSpeed, demoWallet, hasDemoKey, simulatorUrl } = facts;
  const config = {
    accounts: context.accounts.map(({ segment, displayName, postPageUrl, hasRebalancing }) => ({
      segment,
      label: displayName,
      ...(postPageUrl !== undefined && { post_url: postPageUrl }),
      ...(hasRebalancing && { rebalancing: true }),
    })),
    alert_kinds: ALERT_KIND_NAMES.map((kind) => {
      const { words, threshold } = ALERT_KINDS[kind];
      return { kind, words, ...(threshold && { threshold }) };
    }),
    payments: takesPayments,
    price_usd: takesPayments ? context.settings.priceUsd : null,
    version: context.build.version,
    world: simulatorSpeed === null ? null : 'simulated',
    speed: simulatorSpeed ?? 1,
    ...(simulatorSpeed !== null && demoWallet !== null && { demo_wallet: demoWallet }),
    ...(simulatorSpeed !== null && hasDemoKey && { demo_key: true }),
    ...(simulatorSpeed !== null && simulatorUrl !== null && { simulator_url: simulatorUrl }),
  };
  return pageRoute('/config.json', Buffer.from(JSON.stringify(config)), 'application/json', API_LINES);
}

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

/** Clients cache files with a hash in their name forever. */
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

// The demo key, for the dashboard. The route does not exist on live sources.

const DEMO_KEY_PATH = '/demo-key';

const DemoKeyAnswer = objectEnvelope(
  'DemoKeyAnswer',
  Type.Object({ key: Type.String(), tier: Type.Enum(['PRO']) }),
);

export function demoKeyRoute({ withDeadline }: RouteContext, demoKey: DemoKey): Route {
  return defineRoute({
    method: 'POST',
    path: DEMO_KEY_PATH,
    allowance: 'demo',
    isSameOriginOnly: true,
    document: {
      operationId: DEMO_KEY_PATH,
      tag: 'Site',
      summary: 'Get the demo PRO key',
      ok: DemoKeyAnswer,
      isPage: true,
    },
    async handle({ nowTs }) {
      const data = { key: await withDeadline(demoKey.hand()), tier: 'PRO' as const };
      return okUncached({ timestamp: nowTs, data });
    },
  });
}
