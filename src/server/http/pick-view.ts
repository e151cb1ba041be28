// Decides whether the caller may use the route, which view it gets, and whether a payment buys the call.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { authorise } from '../../access/authorise.ts';
import { isSameOrigin, resolveClientProtocol } from '../../access/client-address.ts';
import type { PaidRequest, PaymentGate } from '../../payments/payment-gate.ts';
import { refuseCrowd } from './admission.ts';
import type { Answer } from './answer.ts';
import { errorAnswer } from './error-responses.ts';
import type { Exchange } from './exchange.ts';
import { PREFLIGHT_LINES, splitLines } from './fixed-headers.ts';
import { accepts } from './negotiate.ts';
import { JSON_TYPE } from './prepared-body.ts';
import type { Route } from './route.ts';
import type { Router } from './router.ts';

// Responds to CORS preflights, but to no other OPTIONS request.

const FIXED = Object.fromEntries(pairs(splitLines(PREFLIGHT_LINES)));

/** Returns null if the request is not a preflight. */
function preflightAnswer(headers: IncomingHttpHeaders, allow: string): Answer | null {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  if (!isPreflight) return null;
  return { status: 204, headers: { ...FIXED, 'Access-Control-Allow-Methods': allow } };
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!] as [string, string]] : []));
}

export interface ViewOptions {
  gate: PaymentGate | null;
  priceUsd: number;
  trustedProxyHops: number;
  /** URL of the service's own page; empty if unknown. */
  publicUrl: string;
  router: Pick<Router, 'find'>;
  /** Segments of the followed accounts. */
  accounts: readonly string[];
}

const NOT_FOUND = errorAnswer(404, 'Not Found');
const FOREIGN_PAGE = errorAnswer(403, "Only this service's own page may call this endpoint");
const MAX_NAME_SHOWN = 40;
const WWW_AUTHENTICATE = 'APIKey realm="tallycast", header="X-API-Key"';

/** null if the route may run. */
export function pickView(x: Exchange, options: ViewOptions): Answer | null {
  if (x.entry === undefined) return explainUnknown(x.path, options) ?? NOT_FOUND;
  if (x.method === undefined) return wrongMethod(x);
  const { route } = x.method;
  const { gate } = options;
  if (route.isSameOriginOnly && !isSameOrigin(x.headers, options.publicUrl)) return FOREIGN_PAGE;
  const isOffered = gate !== null && route.isPayable;
  const verdict = authorise(route.access, x.key, isOffered, x.paymentHeader !== null);
  if (verdict.kind === 'denied') {
    return errorAnswer(401, verdict.detail, { 'WWW-Authenticate': WWW_AUTHENTICATE });
  }
  if (verdict.kind === 'challenge') {
    const { headers, body } = gate!.challenge(
      describePaid(x, route, options),
      'A payment or a PRO key is required',
    );
    return { status: 402, json: body, headers };
  }
  // Again, because calls that waited for the first look-up of their key were admitted together.
  const crowd = refuseCrowd(x);
  if (crowd !== null) return crowd;
  if (verdict.kind !== 'pay') x.paymentHeader = null;
  x.view = verdict.kind === 'pay' ? 'pro' : verdict.view;
  const type = route.document.contentType ?? JSON_TYPE;
  if (x.accept === '' || route.document.isPage || accepts(x.accept, type)) return null;
  if (route.document.csv !== undefined && accepts(x.accept, 'text/csv')) return null;
  return errorAnswer(406, `This endpoint only returns ${type}`);
}

/** Names the followed accounts if only the account in the path is unknown; null otherwise. */
function explainUnknown(path: string, { router, accounts }: ViewOptions): Answer | null {
  const segments = path.split('/');
  const at = segments.findIndex((segment, i) => {
    if (accounts.includes(segment)) return false;
    const pattern = router.find(segments.with(i, accounts[0] ?? '').join('/'))?.pattern;
    return pattern?.split('/')[i] === accounts[0];
  });
  if (at < 0) return null;
  const unknown = segments[at]!.slice(0, MAX_NAME_SHOWN);
  return errorAnswer(404, `Account ${unknown} is not followed; followed: ${accounts.join(', ')}`);
}

export function describePaid(x: Exchange, route: Route, options: ViewOptions): PaidRequest {
  const forwarded = x.req.headers['x-forwarded-proto'] as string | undefined;
  const proto = resolveClientProtocol(forwarded, options.trustedProxyHops);
  return {
    method: route.method,
    pattern: route.path,
    priceUsd: options.priceUsd,
    url: `${proto}://${x.req.headers.host ?? 'localhost'}${route.path}`,
    description: route.document.summary,
    digest: createHash('sha256')
      .update(`${route.method} ${x.req.url} `)
      .update(x.givenBody ?? '')
      .digest('hex'),
  };
}

function wrongMethod(x: Exchange): Answer {
  const entry = x.entry!;
  const isAsked = x.req.method === 'OPTIONS' && !entry.isSameOriginOnly;
  const preflight = isAsked ? preflightAnswer(x.req.headers, entry.allow) : null;
  return preflight ?? errorAnswer(405, 'Method Not Allowed', { Allow: entry.allow });
}
