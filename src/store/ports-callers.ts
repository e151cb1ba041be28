// Ports for callers and their usage: keys, waitlist, usage, payments, webhooks.

export type Tier = 'FREE' | 'PRO' | 'INTERNAL';

export interface ApiKeyRecord {
  keyId: string;
  /** SHA-256 of the key in hex. The key itself is never stored. */
  digest: string;
  tier: Tier;
  label: string;
  firstCharacters: string;
  lastCharacters: string;
  createdTs: number;
  revokedTs: number | null;
  expiresTs: number | null;
}

export interface KeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  findByDigest(digest: string): Promise<ApiKeyRecord | undefined>;
  /** Returns the keys that exist, in any order. */
  listByDigests(digests: readonly string[]): Promise<ApiKeyRecord[]>;
  findById(keyId: string): Promise<ApiKeyRecord | undefined>;
  list(): Promise<ApiKeyRecord[]>;
  /**
   * Also ends the key's webhooks, pending deliveries and rules. Returns false if the key is unknown or
   * already revoked.
   */
  revoke(keyId: string, revokedTs: number): Promise<boolean>;
  /**
   * In one transaction: activates the new key with the old key's webhooks, pending deliveries, rules and
   * alerts, and revokes the old key.
   */
  rotate(oldKeyId: string, newKey: ApiKeyRecord, revokedTs: number): Promise<boolean>;
  /** Increases with every revocation; an unchanged value means no new revocations. */
  countRevocations(): Promise<number>;
  listRevokedDigests(): Promise<string[]>;
}

export interface WaitlistEntry {
  type: 'agent' | 'human';
  useCase: string;
  name: string | null;
  wallet: string | null;
  email: string | null;
  createdTs: number;
}

export interface WaitlistStore {
  /** Positions are 1, 2, 3 ... without gaps; the same identity (ignoring case) keeps its first position. */
  register(entry: WaitlistEntry): Promise<{ position: number; isNew: boolean }>;
}

/** One request, or several identical requests within one second, with times and bytes summed. */
export interface UsageRow {
  ts: number;
  keyId: string;
  endpoint: string;
  method: string;
  status: number;
  responseMs: number;
  bytes: number;
  /** Set only for errors. */
  message: string | null;
  requests: number;
}

export interface UsageTotals {
  requests: number;
  errors: number;
  responseMsTotal: number;
  bytes: number;
}

export interface KeyUsage {
  keyId: string;
  lastTs: number | null;
  requests: number;
  errors: number;
}

/** The same rows in columns, so that thousands of rows go to another thread as one block of numbers. */
export interface UsageColumns {
  length: number;
  /** Key ids, endpoints, methods and messages, referenced by index. */
  texts: readonly string[];
  /** USAGE_WIDTH numbers per row: ts, key, endpoint, method, status, responseMs, bytes, message or -1, requests. */
  numbers: Float64Array;
}

export const USAGE_WIDTH = 9;

export interface UsageStore {
  append(rows: readonly UsageRow[] | UsageColumns): Promise<void>;
  /** Exact for periods that start and end on whole seconds. */
  totals(keyId: string, fromTs: number, untilTs: number): Promise<UsageTotals>;
  byEndpoint(
    keyId: string,
    fromTs: number,
    untilTs: number,
  ): Promise<(UsageTotals & { endpoint: string; method: string })[]>;
  recentErrors(keyId: string, limit: number): Promise<UsageRow[]>;
  /** Newest first. */
  recent(keyId: string, limit: number): Promise<UsageRow[]>;
  /** Each key's last request time, and its number of requests since the hour of `fromTs`. */
  byKey(fromTs: number): Promise<KeyUsage[]>;
  prune(beforeTs: number): Promise<number>;
}

export type PaymentState =
  | 'reserved'
  | 'verified'
  | 'settling'
  | 'settled'
  | 'released'
  | 'failed'
  | 'undecided';

export interface PaymentRecord {
  paymentId: string;
  network: string;
  asset: string;
  payer: string;
  nonce: string;
  payTo: string;
  /** In atomic units of the asset, as a decimal string. */
  amount: string;
  route: string;
  state: PaymentState;
  transaction: string | null;
  reason: string | null;
  /** Unix seconds after which the authorisation can no longer settle. */
  validBefore: number;
  /** Payload and requirements as JSON, for the reconciling job. */
  payload: string;
  createdTs: number;
  updatedTs: number;
}

export interface PaymentChange {
  transaction?: string | null | undefined;
  reason?: string | null;
  updatedTs: number;
  /** Applies only if the row has not been written since it was read. */
  ifUpdatedTs?: number;
}

export interface PaymentStore {
  /**
   * Atomic per (network, asset, payer, nonce). Returns false if another call holds or has used the payment; a
   * released payment can be reserved again.
   */
  reserve(payment: PaymentRecord): Promise<boolean>;
  /** Changes the state only if the current one is in `from`; returns false otherwise. */
  transition(
    paymentId: string,
    from: readonly PaymentState[],
    to: PaymentState,
    change: PaymentChange,
  ): Promise<boolean>;
  find(paymentId: string): Promise<PaymentRecord | undefined>;
  listByState(states: readonly PaymentState[], updatedBeforeTs: number): Promise<PaymentRecord[]>;
  list(filter: { limit: number; offset: number }): Promise<PaymentRecord[]>;
  totals(): Promise<{ state: PaymentState; count: number; amount: string }[]>;
  /** Deletes payments released before ts: nothing was charged, and the payment may return as a new one. */
  prune(beforeTs: number): Promise<number>;
}

/** Kinds of alert receivers; all share one delivery queue. */
export type ReceiverKind = 'webhook' | 'telegram' | 'discord' | 'push';

/** An alert receiver: a webhook, or a channel of another kind. */
export interface WebhookEndpoint {
  webhookId: string;
  keyId: string;
  kind: ReceiverKind;
  /** Label given by its owner. */
  label: string;
  /** Destination: a URL or a chat id. */
  url: string;
  /** Stored because it is needed to sign or encrypt; shown at most once. */
  secret: string;
  topics: readonly string[];
  createdTs: number;
  disabledTs: number | null;
  /** Code that links the receiver to its owner; null once linked. */
  link: { code: string; expiresTs: number } | null;
}

export interface WebhookDelivery {
  deliveryId: string;
  webhookId: string;
  topic: string;
  body: string;
  attempts: number;
  nextAttemptTs: number | null;
  status: 'pending' | 'delivered' | 'failed';
  lastResponse: string | null;
  createdTs: number;
  updatedTs: number;
}

export interface WebhookStore {
  /** Returns false and changes nothing if the key already has `mostOfKey` receivers; safe when concurrent. */
  insert(endpoint: WebhookEndpoint, mostOfKey?: number): Promise<boolean>;
  remove(keyId: string, webhookId: string): Promise<boolean>;
  listForKey(keyId: string): Promise<WebhookEndpoint[]>;
  /** Enabled webhooks of active keys: the given ones, or all. */
  listStanding(nowTs: number, webhookIds?: readonly string[]): Promise<WebhookEndpoint[]>;
  /** Links the receiver waiting for this code to this URL; undefined if no receiver has the code. */
  completeLink(code: string, url: string, nowTs: number): Promise<WebhookEndpoint | undefined>;
  enqueue(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Atomically records the results of attempts, or schedules the next attempts. */
  note(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Oldest first; deliveries of the given webhooks can be excluded. */
  listDue(nowTs: number, limit: number, exceptWebhookIds?: readonly string[]): Promise<WebhookDelivery[]>;
  /** Stops all deliveries to the webhook; pending ones fail with this reason. */
  disable(webhookId: string, disabledTs: number, reason: string): Promise<void>;
  listDeliveries(webhookId: string, limit: number): Promise<WebhookDelivery[]>;
  findDelivery(deliveryId: string): Promise<WebhookDelivery | undefined>;
  prune(beforeTs: number): Promise<number>;
}
