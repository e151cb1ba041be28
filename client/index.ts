// tallycast/client: everything that a program needs to use the service.

export { type Fault, TallycastError } from './error.ts';
export type { components, paths, Schemas } from './generated/schema.ts';
export type {
  FeedMessage,
  PriceMessage,
  SettlementMessage,
  SnapshotMessage,
  StreamEvent,
  StreamMessages,
  StreamOptions,
} from './stream.ts';
export { createTallycast, type Tallycast, type TallycastOptions } from './tallycast.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookData,
  type WebhookNotice,
  type WebhookSignal,
} from './webhooks.ts';
