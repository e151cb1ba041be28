// A key and its usage, as the operator sees them.

import type { ApiKeyRecord, KeyUsage, UsageRow } from '../../store/ports.ts';
import { round6 } from '../records/record.ts';

export function presentKey(key: ApiKeyRecord) {
  return {
    key_id: key.keyId,
    tier: key.tier,
    label: key.label,
    hint: `${key.firstCharacters}…${key.lastCharacters}`,
    created_ts: key.createdTs,
    expires_ts: key.expiresTs,
    revoked_ts: key.revokedTs,
  };
}

export function presentKeyUsage(usage: KeyUsage | undefined) {
  return {
    last_used_ts: usage?.lastTs ?? null,
    requests: usage?.requests ?? 0,
    errors: usage?.errors ?? 0,
  };
}

export function presentCall(row: UsageRow) {
  return {
    timestamp: row.ts,
    endpoint: row.endpoint,
    method: row.method,
    status_code: row.status,
    requests: row.requests,
    response_ms: round6(row.responseMs / row.requests),
    message: row.message,
  };
}
