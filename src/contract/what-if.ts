// Request and response schemas for what-if scenarios.

import { named, objectEnvelope, Ts } from './envelope.ts';
import { CLOSED, Type } from './schema.ts';
import { BankrollParameter, LadderRecord } from './signals.ts';

export const WhatIfBody = named(
  'WhatIfBody',
  Type.Object(
    {
      event_id: Type.Integer({ minimum: 0 }),
      pace_factor: Type.Optional(
        Type.Number({ minimum: 0.1, maximum: 10, default: 1, description: 'Multiple of the expected rate' }),
      ),
      silent_hours: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1_000, description: 'Hours without a post, starting now' }),
      ),
      wake_ts: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 8_640_000_000_000_000,
          description: 'No post before this time, UTC milliseconds',
        }),
      ),
      posts_added: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 500,
          default: 0,
          description: 'Extra counted posts, assumed to be posted now',
        }),
      ),
      bankroll: Type.Optional(BankrollParameter),
    },
    CLOSED,
  ),
);

const Percentiles = Type.Object({ p5: Type.Number(), p50: Type.Number(), p95: Type.Number() });

export const WhatIfAnswer = objectEnvelope(
  'WhatIfAnswer',
  named(
    'WhatIfRecord',
    Type.Object({
      event_id: Type.Integer(),
      asof_ts: Ts,
      scenario: Type.Object({
        pace_factor: Type.Number(),
        wake_ts: Type.Union([Type.Integer(), Type.Null()]),
        posts_added: Type.Integer(),
      }),
      real_counter: Type.Integer({ description: 'Including posts_added' }),
      forecast: Percentiles,
      published: named('PublishedPercentiles', Percentiles),
      ladder: LadderRecord,
    }),
  ),
);
