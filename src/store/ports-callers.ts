// Ports for callers: webhooks and shared allowances.

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

/** A shared allowance: replicas take requests in advance, so that together they respect the hourly limit. */
export interface AllowanceStore {
  /**
   * Takes up to `wanted` requests from the caller's `limit` per rolling windowMs, counted in slots of slotMs.
   * Returns how many were granted and when the next one will fit.
   */
  take(
    caller: string,
    wanted: number,
    limit: number,
    window: { windowMs: number; slotMs: number; nowTs: number },
  ): Promise<{ granted: number; used: number; nextFreeTs: number }>;
  /** Returns unused requests that were taken at takenTs. */
  giveBack(
    caller: string,
    unused: number,
    window: { windowMs: number; slotMs: number; takenTs: number },
  ): Promise<void>;
  prune(beforeTs: number): Promise<number>;
}
