// Request and response schemas for the operator's key management.

import { envelope, MaybeTs, named, objectEnvelope, Ts } from './envelope.ts';
import { CLOSED, Type } from './schema.ts';

const KEY_FIELDS = {
  key_id: Type.String(),
  tier: Type.Enum(['FREE', 'PRO', 'INTERNAL']),
  label: Type.String(),
  hint: Type.String({ description: 'First and last characters of the key' }),
  created_ts: Ts,
  expires_ts: MaybeTs,
  revoked_ts: MaybeTs,
};

export const KeyList = envelope(
  'KeyList',
  named(
    'ApiKey',
    Type.Object({
      ...KEY_FIELDS,
      is_calling: Type.Boolean({ description: 'Whether this request was made with the key' }),
      last_used_ts: MaybeTs,
      requests: Type.Integer({ description: 'In the last 30 days' }),
      errors: Type.Integer({ description: 'In the last 30 days' }),
    }),
  ),
);

export const KeyBody = Type.Object(
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

export const KeyIssued = objectEnvelope(
  'KeyIssued',
  Type.Object({ ...KEY_FIELDS, key: Type.String({ description: 'Shown only once' }) }),
);

export const KeyRevoked = objectEnvelope('KeyRevoked', Type.Object(KEY_FIELDS));

export const KeyCallsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
});

export const KeyCalls = envelope(
  'KeyCalls',
  named(
    'KeyCall',
    Type.Object({
      timestamp: Ts,
      endpoint: Type.String(),
      method: Type.String(),
      status_code: Type.Integer(),
      requests: Type.Integer({
        description: 'Identical requests in the same second are merged into one entry',
      }),
      response_ms: Type.Number({ description: 'Average' }),
      message: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
);
