// Order books of an event: answer schema.

import { named, objectEnvelope, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const Levels = Type.Array(
  named(
    'BookLevel',
    Type.Object({
      price: Type.Number(),
      shares: Type.Number({ description: 'At this price' }),
      total_shares: Type.Number({ description: 'At this and every better price' }),
    }),
  ),
  { description: 'Best price first, at most 15' },
);

export const BooksAnswer = objectEnvelope(
  'BooksAnswer',
  named(
    'EventBooks',
    Type.Object({
      event_id: Type.Integer(),
      read_ts: { ...Ts, description: 'Time of the request to the market; reused for a few seconds' },
      buckets: Type.Array(Type.Object({ bucket: Type.String(), bids: Levels, asks: Levels }), {
        description: 'Yes side of the buckets that have a book',
      }),
    }),
  ),
);
