// Request and response schemas for the breakdown by hour and day.

import { envelope, named, Terms, Ts } from './envelope.ts';
import { Type } from './schema.ts';

export const HourlyQuery = Type.Object({
  event_id: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only this event; default: all active events' }),
  ),
  tz: Type.Optional(
    Type.String({
      maxLength: 64,
      default: 'America/New_York',
      description: 'IANA time zone for day boundaries',
    }),
  ),
});

const counts = {
  counted: Type.Integer({ description: 'Posts that count toward settlement' }),
  all: Type.Integer({ description: 'All posts, including replies' }),
};

export const HourlyAnswer = envelope(
  'HourlyAnswer',
  named(
    'HourlyRecord',
    Type.Object({
      event_id: Type.Integer(),
      tz: Type.String(),
      ...Terms,
      hours: Type.Array(Type.Object({ start_ts: Ts, ...counts })),
      days: Type.Array(Type.Object({ date: Type.String(), ...counts })),
    }),
  ),
);
