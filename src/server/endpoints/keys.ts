// Key management for the operator: list with usage, issue, revoke, recent calls.

import { createKeyService } from '../../access/key-service.ts';
import { envelope, MaybeTs, objectEnvelope, Ts } from '../../contract/envelope.ts';
import { CLOSED, Type } from '../../contract/schema.ts';
import { DAY_MS } from '../../domain/units.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { ApiKeyRecord, KeyUsage, UsageRow } from '../../store/ports.ts';
import type { RouteContext } from '../context.ts';
import { okUncached } from '../http/answer.ts';
import { ApiError } from '../http/error-responses.ts';
import { API_PREFIX, defineRoute, type Route } from '../http/route.ts';
import { recordOf, rowsOf, six } from '../records/record.ts';

const PATH = `${API_PREFIX}/keys`;
const USAGE_MS = 30 * DAY_MS;

const keyRows = rowsOf<{ record: ApiKeyRecord }>()({
  key_id: [Type.String(), ({ record }) => record.keyId],
  tier: [Type.Enum(['FREE', 'PRO', 'INTERNAL']), ({ record }) => record.tier],
  label: [Type.String(), ({ record }) => record.label],
  hint: [
    Type.String({ description: 'First and last characters of the key' }),
    ({ record }) => `${record.firstCharacters}…${record.lastCharacters}`,
  ],
  created_ts: [Ts, ({ record }) => record.createdTs],
  expires_ts: [MaybeTs, ({ record }) => record.expiresTs],
  revoked_ts: [MaybeTs, ({ record }) => record.revokedTs],
});

const ListedKey = recordOf<{ record: ApiKeyRecord; isCalling: boolean; usage: KeyUsage | undefined }>(
  'ApiKey',
)({
  ...keyRows,
  is_calling: [
    Type.Boolean({ description: 'Whether this request was made with the key' }),
    ({ isCalling }) => isCalling,
  ],
  last_used_ts: [MaybeTs, ({ usage }) => usage?.lastTs ?? null],
  requests: [Type.Integer({ description: 'In the last 30 days' }), ({ usage }) => usage?.requests ?? 0],
  errors: [Type.Integer({ description: 'In the last 30 days' }), ({ usage }) => usage?.errors ?? 0],
});

const IssuedKey = recordOf<{ record: ApiKeyRecord; key: string }>()({
  ...keyRows,
  key: [Type.String({ description: 'Shown only once' }), ({ key }) => key],
});

const RevokedKey = recordOf<{ record: ApiKeyRecord }>()(keyRows);

const KeyCall = recordOf<UsageRow>('KeyCall')({
  timestamp: [Ts, ({ ts }) => ts],
  endpoint: [Type.String(), ({ endpoint }) => endpoint],
  method: [Type.String(), ({ method }) => method],
  status_code: [Type.Integer(), ({ status }) => status],
  requests: [
    Type.Integer({ description: 'Identical requests in the same second are merged into one entry' }),
    ({ requests }) => requests,
  ],
  response_ms: six(({ responseMs, requests }) => responseMs / requests, { description: 'Average' }),
  message: [Type.Union([Type.String(), Type.Null()]), ({ message }) => message],
});

const KeyBody = Type.Object(
  {
    tier: Type.Enum(['FREE', 'PRO'], { description: 'INTERNAL keys are issued on the command line' }),
    label: Type.String({ minLength: 1, maxLength: 100 }),
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
        description: 'If absent, the key does not expire',
      }),
    ),
  },
  CLOSED,
);

export function keysRoutes(context: RouteContext): Route[] {
  return [listRoute(context), issueRoute(context), revokeRoute(context), callsRoute(context)];
}

function listRoute({ store, recorder, wallClock, withDeadline }: RouteContext): Route {
  return defineRoute({
    access: 'INTERNAL',
    path: PATH,
    document: {
      operationId: 'listKeys',
      tag: 'Keys',
      summary: "List this instance's keys with their usage, newest first",
      ok: envelope('KeyList', ListedKey.schema),
    },
    async handle({ identity, nowTs }) {
      await withDeadline(recorder.flush());
      const [keys, usage] = await withDeadline(
        Promise.all([store.keys.list(), store.usage.byKey(wallClock.now() - USAGE_MS)]),
      );
      const byId = new Map(usage.map((row) => [row.keyId, row]));
      const data = keys.toReversed().map((record) => {
        const { keyId } = record;
        return ListedKey.present({ record, isCalling: keyId === identity!.keyId, usage: byId.get(keyId) });
      });
      return okUncached({ timestamp: nowTs, data });
    },
  });
}

function issueRoute({ store, wallClock, withDeadline }: RouteContext): Route {
  const keyService = createKeyService(store.keys, wallClock);
  return defineRoute({
    access: 'INTERNAL',
    method: 'POST',
    path: PATH,
    body: KeyBody,
    document: {
      operationId: 'issueKey',
      tag: 'Keys',
      summary: 'Issue a FREE or PRO key',
      description: 'The key is shown only once. INTERNAL keys can only be issued on the command line.',
      ok: objectEnvelope('KeyIssued', IssuedKey.schema),
      also: [400, 413, 415],
    },
    async handle({ body, nowTs }) {
      const { tier, label, expires_in_days: days = null } = body;
      const expiresTs = days === null ? null : wallClock.now() + days * DAY_MS;
      const issued = await withDeadline(keyService.issue({ tier, label, expiresTs }));
      return okUncached({ timestamp: nowTs, data: IssuedKey.present(issued) });
    },
  });
}

function revokeRoute({ store, wallClock, withDeadline }: RouteContext): Route {
  const keyService = createKeyService(store.keys, wallClock);
  return defineRoute({
    access: 'INTERNAL',
    method: 'DELETE',
    path: `${PATH}/{key_id}`,
    document: {
      operationId: 'revokeKey',
      tag: 'Keys',
      summary: 'Revoke a key along with its webhooks, rules and streams',
      description: 'Takes effect within seconds. A key cannot revoke itself.',
      ok: objectEnvelope('KeyRevoked', RevokedKey.schema),
      also: [404, 409],
    },
    async handle({ params, identity, nowTs }) {
      const keyId = params.key_id!;
      if (keyId === identity!.keyId)
        throw new ApiError(409, 'A key cannot revoke itself. Use another INTERNAL key or the command line.');
      await needKey(store, keyId, withDeadline);
      const record = await withDeadline(keyService.revoke(keyId)).catch(toConflict);
      return okUncached({ timestamp: nowTs, data: RevokedKey.present({ record }) });
    },
  });
}

function callsRoute({ store, recorder, withDeadline }: RouteContext): Route {
  return defineRoute({
    access: 'INTERNAL',
    path: `${PATH}/{key_id}/calls`,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    }),
    document: {
      operationId: 'listKeyCalls',
      tag: 'Keys',
      summary: 'Recent calls by a key, newest first',
      description: 'Retained as long as other usage data.',
      ok: envelope('KeyCalls', KeyCall.schema),
      also: [404],
    },
    async handle({ params, query, nowTs }) {
      const keyId = params.key_id!;
      await needKey(store, keyId, withDeadline);
      await withDeadline(recorder.flush());
      const calls = await withDeadline(store.usage.recent(keyId, query.limit!));
      return okUncached({ timestamp: nowTs, data: calls.map(KeyCall.present) });
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
