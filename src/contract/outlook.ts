// Request and response schemas for an account's posting habits, next post and similar past windows.

import { envelope, Feeds, named, objectEnvelope, Terms, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const Zone = Type.String({ maxLength: 64, default: 'America/New_York', description: 'IANA time zone' });

export const ProfileQuery = Type.Object({
  days: Type.Optional(
    Type.Enum([7, 14, 30], {
      default: 30,
      description: 'Look-back in days for the profiles by hour and weekday',
    }),
  ),
  tz: Type.Optional(Zone),
});

const RATES = {
  counted_per_hour: Type.Number(),
  all_per_hour: Type.Number({ description: 'Including replies' }),
  hours: Type.Integer({ description: 'Number of hours in the look-back that fall into this slot' }),
};

export const ProfileAnswer = objectEnvelope(
  'ProfileAnswer',
  named(
    'PostingProfile',
    Type.Object({
      tz: Type.String(),
      days: Type.Integer(),
      by_hour: Type.Array(Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), ...RATES })),
      by_weekday: Type.Array(
        Type.Object({
          weekday: Type.Integer({ minimum: 0, maximum: 6, description: '0 is Sunday' }),
          ...RATES,
        }),
      ),
      look_backs: Type.Array(
        Type.Object({
          days: Type.Integer(),
          counted: Type.Integer(),
          all: Type.Integer(),
          counted_per_day: Type.Number(),
        }),
        { description: 'For the last 7, 14 and 30 days' },
      ),
    }),
  ),
);

export const OutlookQuery = Type.Object({
  event_id: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only this event; default: all active events' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Number of past windows' }),
  ),
});

const NextPost = named(
  'NextPost',
  Type.Object({
    p5_ts: Ts,
    p50_ts: Ts,
    p95_ts: Ts,
    sample_size: Type.Integer({ description: 'Number of past gaps between posts used' }),
  }),
);

export const OutlookAnswer = envelope(
  'OutlookAnswer',
  named(
    'OutlookRecord',
    Type.Object({
      event_id: Type.Integer(),
      event_title: Type.String(),
      ...Terms,
      next_post: Type.Union([NextPost, Type.Null()], {
        description:
          'Forecast of the next counted post; null while the post feed is stale or history is too short',
      }),
      count_now: Type.Integer({ description: 'Computed from stored posts, like the counts of past windows' }),
      last_day_now: Type.Integer({ description: 'Posts in the window during the last 24 hours' }),
      similar: Type.Array(
        named(
          'SimilarWindow',
          Type.Object({
            start_ts: Ts,
            end_ts: Ts,
            count_then: Type.Integer({ description: 'Count at the same elapsed time' }),
            last_day_then: Type.Integer(),
            final_count: Type.Integer(),
          }),
        ),
        { description: 'Past windows of the same length, most similar count and pace first' },
      ),
      feeds: Feeds,
    }),
  ),
);
