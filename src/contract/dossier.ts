// Schemas for dossiers, which explain why an event settled as it did and are signed by this instance.

import { MaybeTs, named, objectEnvelope, Ts } from './envelope.ts';
import { PAST_EVENT } from './history.ts';
import { Type } from './schema.ts';

const CountChange = Type.Object({ timestamp: Ts, count: Type.Integer() });

const DossierPost = named(
  'DossierPost',
  Type.Object({
    tweet_id: Type.String(),
    kind: Type.String({ description: 'post, quote, repost, reply, reply to itself or community post' }),
    created_ts: Ts,
    first_seen_ts: Ts,
    first_source: Type.Union([Type.String(), Type.Null()], { description: 'null when not recorded' }),
    is_counted: Type.Boolean(),
    verdict: Type.String({ description: 'The part of the rule that decided whether the post counts' }),
    deleted_ts: MaybeTs,
    oracle_imported_ts: MaybeTs,
    oracle_listed_ts: MaybeTs,
  }),
);

export const Signature = named(
  'Signature',
  Type.Object({
    algorithm: Type.Enum(['Ed25519']),
    key_id: Type.String({ description: 'First 16 hex digits of the SHA-256 of public_key' }),
    public_key: Type.String({ description: 'Base64-encoded DER (SPKI)' }),
    value: Type.String({
      description: 'Base64 signature over `dossier` as JSON without spaces and with keys sorted by code unit',
    }),
  }),
);

const Dossier = named(
  'Dossier',
  Type.Object({
    account: Type.String(),
    ...PAST_EVENT,
    compiled_ts: Ts,
    explanation: Type.Array(Type.String(), { description: 'The explanation in a few sentences' }),
    own_count: Type.Integer(),
    oracle_counts: Type.Array(CountChange, { description: 'Every change, earliest first' }),
    ui_counts: Type.Array(CountChange),
    settlements: Type.Array(
      Type.Object({
        final_count: Type.Integer(),
        winning_bucket: Type.Union([Type.String(), Type.Null()]),
        source: Type.String(),
        revision: Type.Integer(),
        settled_ts: Ts,
      }),
      { description: 'Every revision, earliest first' },
    ),
    counts_by_rule: Type.Optional(
      Type.Array(Type.Object({ rule: Type.String(), count: Type.Integer() }), { description: 'PRO' }),
    ),
    disagreements: Type.Optional(
      Type.Array(Type.Object({ tweet_id: Type.String(), created_ts: Ts, what: Type.String() }), {
        description: "PRO; posts that our count and the oracle's list treat differently",
      }),
    ),
    posts: Type.Optional(Type.Array(DossierPost, { description: 'PRO; every post in the window' })),
  }),
);

export const DossierAnswer = objectEnvelope(
  'DossierAnswer',
  named('SignedDossier', Type.Object({ dossier: Dossier, signature: Signature })),
);

export const InstanceKeyAnswer = objectEnvelope(
  'InstanceKeyAnswer',
  named(
    'InstanceKey',
    Type.Object({
      algorithm: Type.Enum(['Ed25519']),
      key_id: Type.String(),
      public_key: Type.String({ description: 'Base64-encoded DER (SPKI)' }),
    }),
  ),
);
