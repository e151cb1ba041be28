// Keys, the waitlist, usage and payments.

import { createRecordTable, named, orNull, type RecordOf, real, text, whole, word } from './record-table.ts';

export type Tier = 'FREE' | 'PRO' | 'INTERNAL';

export const KEYS = createRecordTable({
  keyId: text,
  /** SHA-256 of the key in hex. The key itself is never stored. */
  digest: text,
  tier: word<Tier>(),
  label: text,
  firstCharacters: text,
  lastCharacters: text,
  createdTs: whole,
  revokedTs: orNull(whole),
  expiresTs: orNull(whole),
});

export type ApiKeyRecord = RecordOf<typeof KEYS.columns>;

export const WAITLIST = createRecordTable({
  type: word<'agent' | 'human'>(),
  useCase: text,
  name: orNull(text),
  wallet: orNull(text),
  email: orNull(text),
  createdTs: whole,
});

export type WaitlistEntry = RecordOf<typeof WAITLIST.columns>;

/** One request, or several identical requests within one second, with times and bytes summed. */
export const USAGE = createRecordTable({
  ts: whole,
  keyId: text,
  endpoint: text,
  method: text,
  status: whole,
  responseMs: real,
  bytes: whole,
  /** Set only for errors. */
  message: orNull(text),
  requests: whole,
});

export type UsageRow = RecordOf<typeof USAGE.columns>;

export const USAGE_HOURS = createRecordTable({
  keyId: text,
  hourTs: whole,
  endpoint: text,
  method: text,
  requests: whole,
  errors: whole,
  responseMs: real,
  bytes: whole,
});

/** `settling` until the outcome is known. */
export type PaymentState = 'settling' | 'settled' | 'failed';

export const PAYMENTS = createRecordTable({
  paymentId: text,
  network: text,
  asset: text,
  payer: text,
  nonce: text,
  payTo: text,
  /** In atomic units of the asset, as a decimal string. */
  amount: text,
  route: text,
  /** Digest of the request that the stored response answers. */
  request: text,
  state: word<PaymentState>(),
  transaction: named('transaction_hash', orNull(text)),
  reason: orNull(text),
  /** Unix seconds after which the authorisation can no longer settle. */
  validBefore: whole,
  /** Payload and requirements as JSON, for settling again. */
  payload: text,
  createdTs: whole,
  updatedTs: whole,
});

export type PaymentRecord = RecordOf<typeof PAYMENTS.columns>;
