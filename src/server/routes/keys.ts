// Key management for the operator: list with usage, issue, revoke, recent calls.

import { createKeyService } from '../../access/key-service.ts';
import { KeyBody, KeyCalls, KeyCallsQuery, KeyIssued, KeyList, KeyRevoked } from '../../contract/keys.ts';
import { DAY_MS } from '../../domain/units.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineLooseRoute, type Route } from '../http/route.ts';
import { presentCall, presentKey, presentKeyUsage } from '../views/keys.ts';

const PATH = `${API_PREFIX}/keys`;
const USAGE_MS = 30 * DAY_MS;

export function keysRoutes(context: RouteContext): Route[] {
  return [listRoute(context), issueRoute(context), revokeRoute(context), callsRoute(context)];
}

function listRoute({ store, recorder, wallClock, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
    access: 'INTERNAL',
    path: PATH,
    document: {
      operationId: 'listKeys',
      tag: 'Keys',
      summary: "List this instance's keys with their usage, newest first",
      ok: KeyList,
    },
    async handle({ identity, nowTs }) {
      await withDeadline(recorder.flush());
      const [keys, usage] = await withDeadline(
        Promise.all([store.keys.list(), store.usage.byKey(wallClock.now() - USAGE_MS)]),
      );
      const byId = new Map(usage.map((row) => [row.keyId, row]));
      const data = keys.toReversed().map((key) => ({
        ...presentKey(key),
        is_calling: key.keyId === identity!.keyId,
        ...presentKeyUsage(byId.get(key.keyId)),
      }));
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

function issueRoute({ store, wallClock, withDeadline }: RouteContext): Route {
  const keyService = createKeyService(store.keys, wallClock);
  return defineLooseRoute({
    access: 'INTERNAL',
    method: 'POST',
    path: PATH,
    body: KeyBody,
    document: {
      operationId: 'issueKey',
      tag: 'Keys',
      summary: 'Issue a FREE or PRO key',
      description: 'The key is shown only once. INTERNAL keys can only be issued on the command line.',
      ok: KeyIssued,
      also: [400, 413, 415],
    },
    async handle({ body, nowTs }) {
      const { tier, label, expires_in_days: days = null } = body;
      const expiresTs = days === null ? null : wallClock.now() + days * DAY_MS;
      const { key, record } = await withDeadline(
        keyService.issue({ tier: tier as 'FREE' | 'PRO', label, expiresTs }),
      );
      return okUncached({ timestamp: nowTs, data: { ...presentKey(record), key } });
    },
  });
}

function revokeRoute({ store, wallClock, withDeadline }: RouteContext): Route {
  const keyService = createKeyService(store.keys, wallClock);
  return defineLooseRoute({
    access: 'INTERNAL',
    method: 'DELETE',
    path: `${PATH}/{key_id}`,
    document: {
      operationId: 'revokeKey',
      tag: 'Keys',
      summary: 'Revoke a key along with its webhooks, rules and streams',
      description: 'Takes effect within seconds. A key cannot revoke itself.',
      ok: KeyRevoked,
      also: [404, 409],
    },
    async handle({ params, identity, nowTs }) {
      const keyId = params.key_id!;
      if (keyId === identity!.keyId)
        throw new ApiError(409, 'A key cannot revoke itself. Use another INTERNAL key or the command line.');
      await needKey(store, keyId, withDeadline);
      const revoked = await withDeadline(keyService.revoke(keyId)).catch(toConflict);
      return okUncached({ timestamp: nowTs, data: presentKey(revoked) });
    },
  });
}

function callsRoute({ store, recorder, withDeadline }: RouteContext): Route {
  return defineLooseRoute({
    access: 'INTERNAL',
    path: `${PATH}/{key_id}/calls`,
    query: KeyCallsQuery,
    document: {
      operationId: 'listKeyCalls',
      tag: 'Keys',
      summary: 'Recent calls by a key, newest first',
      description: 'Retained as long as other usage data.',
      ok: KeyCalls,
      also: [404],
    },
    async handle({ params, query, nowTs }) {
      const keyId = params.key_id!;
      await needKey(store, keyId, withDeadline);
      await withDeadline(recorder.flush());
      const calls = await withDeadline(store.usage.recent(keyId, query.limit!));
      return okUncached({ timestamp: nowTs, data: calls.map(presentCall) });
    },
  });
}

async function needKey(
  { keys }: RouteContext['store'],
  keyId: string,
  withDeadline: RouteContext['withDeadline'],
): Promise<void> {
  if (!(await withDeadline(keys.findById(keyId)))) throw new ApiError(404, 'No such key');
}

function toConflict(error: unknown): never {
  throw error instanceof UsageError ? new ApiError(409, 'The key is already revoked') : error;
}
