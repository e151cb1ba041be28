// Response schema for an event's order books.

import { named, objectEnvelope, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const Levels = Type.Array(
  named(
    'BookLevel',
    Type.Object({
      price: Type.Number(),
      shares: Type.Number({ description: 'Shares at this price' }),
      total_shares: Type.Number({ description: 'Shares at this price or better' }),
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
      read_ts: {
        ...Ts,
        description: 'When the books were fetched from the market; they are cached for a few seconds',
      },
      buckets: Type.Array(Type.Object({ bucket: Type.String(), bids: Levels, asks: Levels }), {
        description: 'Yes side of each bucket that has an order book',
      }),
    }),
  ),
);
