// @tallycast/client: the public exports.

export {
  ConnectionError,
  type Fault,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  RedirectedError,
  TallycastError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
export type { Change, GapMessage } from './follow.ts';
export type * from './generated/schema.ts';
export type {
  FeedMessage,
  PriceMessage,
  SettlementMessage,
  SnapshotMessage,
  StreamEvent,
  StreamMessages,
} from './messages.ts';
export type { CallOptions } from './methods.ts';
export type { PagingOptions } from './paging.ts';
export { openStream, StreamEndedError, type StreamOptions, type StreamTarget } from './stream.ts';
export {
  createTallycast,
  type ServiceConfig,
  type Tallycast,
  type TallycastOptions,
} from './tallycast.ts';
export { describeTerms, nameVenue, type Terms } from './terms.ts';
export { type VerifyOptions, verifyWebhook, type WebhookNotice } from './webhooks.ts';
