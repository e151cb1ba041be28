// Request and response schemas for seals of the forecast log.

import { envelope, named, objectEnvelope, Ts } from './envelope.ts';
import { Type } from './schema.ts';

const Hash = (description: string) => Type.String({ description: `${description}; SHA-256, hex` });

const Anchored = Type.Array(Type.Object({ anchor: Type.String(), anchored_ts: Ts }), {
  description: 'External services that store this chain hash',
});

const SEAL = {
  hour_ts: { ...Ts, description: 'Start of the hour, UTC milliseconds' },
  first_seq: Type.Integer({
    description: 'Sequence number of the first entry; numbering continues across hours',
  }),
  size: Type.Integer({ description: 'Number of entries' }),
  root: Hash('Merkle root of the entries (RFC 6962)'),
  previous: Hash('Chain hash of the previous seal; zeros for the first'),
  chain: Hash('Hash of hour, first_seq, size, root and previous'),
  anchors: Anchored,
};

const Seal = named('Seal', Type.Object(SEAL));

export const SealsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
  cursor: Type.Optional(Type.String({ maxLength: 64, description: 'next_cursor from the previous page' })),
});

export const SealsAnswer = envelope('SealsAnswer', Seal, {
  newest: Type.Union([Seal, Type.Null()], { description: 'null before the first hour is sealed' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
});

export const SealedHourQuery = Type.Object({
  seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Return only the proof for this entry',
    }),
  ),
});

const EntryText = Type.Union([Type.String(), Type.Null()], {
  description: 'The sealed text; null until the event settles, unless the key is PRO',
});
const Leaf = Hash('Merkle leaf hash of the entry');

export const SealedHourAnswer = objectEnvelope(
  'SealedHourAnswer',
  named(
    'SealedHour',
    Type.Object({
      ...SEAL,
      entries: Type.Optional(
        Type.Array(named('SealedEntry', Type.Object({ leaf: Leaf, entry: EntryText })), {
          description: 'In order; absent if seq is given',
        }),
      ),
      proof: Type.Optional(
        Type.Object(
          {
            seq: Type.Integer(),
            leaf: Leaf,
            entry: EntryText,
            path: Type.Array(Type.String(), { description: 'Sibling hashes from leaf to root' }),
          },
          { description: 'Present only if seq is given' },
        ),
      ),
    }),
  ),
);
