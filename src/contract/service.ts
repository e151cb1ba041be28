// Request and response schemas for health, waitlist and usage.

import { envelope, FeedAge, MaybeTs, named, objectEnvelope, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const PostSourceState = named(
  'PostSourceState',
  Type.Object({
    name: Type.String(),
    state: Type.Enum(['leads', 'repairs', 'failing', 'stopped', 'past only']),
    answered_ts: MaybeTs,
    lag_s: Type.Integer({ description: 'Median delay, in seconds' }),
    problem: Type.Union([Type.String(), Type.Null()]),
    spend_usd: Type.Optional(
      Type.Object(
        {
          day: Type.Number({ description: 'Today, UTC; estimated from the price list' }),
          month: Type.Number(),
          cap: Type.Union([Type.Number(), Type.Null()], { description: 'Per calendar month' }),
        },
        { description: 'Cost of reading the platform; only for INTERNAL keys' },
      ),
    ),
  }),
);

export const HealthAnswer = named(
  'Health',
  Type.Object({
    timestamp: Ts,
    status: Type.Enum(['ok', 'degraded', 'down']),
    feeds: Type.Object(
      {},
      {
        additionalProperties: Type.Object({}, { additionalProperties: FeedAge }),
        description: 'By account segment, then by feed',
      },
    ),
    version: Type.String(),
    commit: Type.String(),
    update_notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Update notes for the operator of this version',
      }),
    ),
    problems: Type.Array(Type.String()),
    notes: Type.Array(Type.String(), {
      description: 'Limitations that do not degrade the service, with reasons',
    }),
    sources: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.Array(PostSourceState),
          description: 'Post sources by account segment, best first',
        },
      ),
    ),
  }),
);

const maybe = (schema: ReturnType<typeof Type.String>) => Type.Optional(Type.Union([schema, Type.Null()]));

export const WaitlistBody = Type.Object({
  type: Type.Enum(['agent', 'human']),
  case: Type.String({ maxLength: 500, description: 'What you would use the service for' }),
  name: maybe(
    Type.String({ maxLength: 50, pattern: '^[a-zA-Z0-9 _-]+$', description: 'Required if type=agent' }),
  ),
  wallet: maybe(
    Type.String({ maxLength: 42, pattern: '^0x[a-fA-F0-9]{40}$', description: 'Required if type=agent' }),
  ),
  email: maybe(
    Type.String({
      maxLength: 150,
      pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
      description: 'Required if type=human',
    }),
  ),
});

export const WaitlistAnswer = named(
  'WaitlistAnswer',
  Type.Object({ status: Type.String(), position: Type.Integer({ minimum: 1 }) }),
);

export const UsageSummaryQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 7 })),
});
export const UsageByEndpointQuery = Type.Object({
  start: Type.Integer({ description: 'Unix seconds' }),
  end: Type.Integer({ description: 'Unix seconds, inclusive' }),
});
export const UsageErrorsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
});

const ErrorRate = Type.Number({ minimum: 0, maximum: 1, description: 'Fraction from 0 to 1' });

export const UsageSummaryAnswer = objectEnvelope(
  'UsageSummaryAnswer',
  Type.Object({
    days: Type.Integer(),
    total_requests: Type.Integer(),
    total_errors: Type.Integer(),
    error_rate: ErrorRate,
    avg_response_ms: Type.Number(),
    total_bandwidth_bytes: Type.Integer(),
  }),
);

export const UsageByEndpointAnswer = envelope(
  'UsageByEndpointAnswer',
  Type.Object({
    endpoint: Type.String(),
    method: Type.String(),
    requests: Type.Integer(),
    errors: Type.Integer(),
    error_rate: ErrorRate,
    avg_response_ms: Type.Number(),
    bandwidth_bytes: Type.Integer(),
  }),
);

export const UsageErrorsAnswer = envelope(
  'UsageErrorsAnswer',
  Type.Object({
    endpoint: Type.String(),
    method: Type.String(),
    timestamp: Ts,
    status_code: Type.Integer(),
    response_ms: Type.Number(),
    message: Type.Union([Type.String(), Type.Null()]),
  }),
);

export const UsageStatsAnswer = objectEnvelope(
  'UsageStatsAnswer',
  Type.Object({
    buffer: Type.Object({
      size: Type.Integer(),
      capacity: Type.Integer(),
      dropped: Type.Integer(),
      last_flush_ts: MaybeTs,
    }),
    tracking: Type.Object({
      enabled: Type.Boolean(),
      flush_interval_ms: Type.Integer(),
      retention_days: Type.Integer(),
    }),
  }),
);
