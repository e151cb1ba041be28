// Sends requests to the service with the caller's key, records the allowance and maps errors to text.

import { authHeaders, markRefused, noteAllowance } from './access.ts';
import type { PageConfig } from './records.ts';

export class ServiceError extends Error {
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly fieldErrors: readonly FieldError[];

  constructor(
    status: number,
    message: string,
    fieldErrors: readonly FieldError[],
    retryAfterS: number | null,
  ) {
    super(message);
    this.status = status;
    this.fieldErrors = fieldErrors;
    this.retryAfterS = retryAfterS;
  }
}

export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError(0, String(error), [], null);
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface FieldError {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export const API_BASE = '/api/v1';

export type Query = Record<string, string | number | boolean | undefined>;

export async function fetchJson<T>(path: string, query: Query = {}, init: RequestInit = {}): Promise<T> {
  const response = await reach(`${API_BASE}${path}${formatQuery(query)}`, {
    ...init,
    headers: { accept: 'application/json', ...authHeaders(), ...(init.headers as Record<string, string>) },
  });
  noteAllowance(path, response.headers);
  const body: unknown = await response.json().catch(() => null);
  // The health endpoint reports an outage as 503 with a useful body.
  if (response.ok || (path === '/health' && isHealthBody(body))) return readable(response, body) as T;
  throw describeFailure(response, body);
}

export async function fetchConfig(): Promise<PageConfig> {
  const response = await reach('/config.json', {});
  if (!response.ok)
    throw new ServiceError(response.status, `The service returned status ${response.status}`, [], null);
  const body = readable(response, await response.json().catch(() => null)) as Partial<PageConfig>;
  if (!Array.isArray(body.accounts)) throw unreadable();
  return body as PageConfig;
}

/** A proxy in front of the service may send its login page with status 200. */
function readable(response: Response, body: unknown): unknown {
  if (response.status !== 204 && (typeof body !== 'object' || body === null)) throw unreadable();
  return body;
}

function unreadable(): ServiceError {
  return new ServiceError(502, 'The response could not be read.', [], null);
}

/** Requests a demo key; services with live data issue none. */
export async function fetchDemoKey(): Promise<string> {
  const response = await reach('/demo-key', { method: 'POST' });
  const body = (await response.json().catch(() => null)) as { data?: { key?: string } } | null;
  if (!response.ok || !body?.data?.key) throw describeFailure(response, body);
  return body.data.key;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { cache: 'no-store', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ServiceError(0, 'The service cannot be reached.', [], null);
  }
}

export function formatQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()}`;
}

export function describeFailure(response: Response, body: unknown): ServiceError {
  const detail = (body as { detail?: unknown } | null)?.detail;
  const fieldErrors = Array.isArray(detail) ? (detail as FieldError[]) : [];
  const retryAfter = Number(response.headers.get('retry-after')) || null;
  if (response.status === 401) markRefusedUnlessTierIsShort(detail);
  return new ServiceError(response.status, describeStatus(response.status, detail), fieldErrors, retryAfter);
}

/** 401 means a bad key or an insufficient tier; only the error text distinguishes them. */
function markRefusedUnlessTierIsShort(detail: unknown): void {
  if (typeof detail === 'string' && /unknown|revoked|malformed|invalid|expired/i.test(detail)) markRefused();
}

function describeStatus(status: number, detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (status === 422) return 'Some values are invalid.';
  return `The service returned status ${status}.`;
}

function isHealthBody(body: unknown): boolean {
  return typeof (body as { status?: unknown } | null)?.status === 'string';
}
