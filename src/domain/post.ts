// A post as the platform tells it, and as we captured it.

import type { AccountId } from './account-id.ts';

export interface Post {
  accountId: AccountId;
  postId: string;
  createdTs: number;
  /** null where the operator keeps no text, or the platform gave none. */
  text: string | null;
  isReply: boolean;
  isQuote: boolean;
  isRetweet: boolean;
  /** A reply of the account to itself: shown on the main feed. */
  isSelfReply: boolean;
  /** Posted into a community rather than on the main feed. */
  isCommunity: boolean;
  /** First id of the edit chain; equal to postId for a post never edited. A chain counts once. */
  rootPostId: string;
}

export interface CapturedPost extends Post {
  /** When this service first saw it. */
  firstSeenTs: number;
  /** When it was found to have vanished; null while it stands. It stays counted. */
  deletedTs: number | null;
  /** Verdict of the account's counting rule when captured. */
  isCounted: boolean;
}

export interface PostDeletion {
  accountId: AccountId;
  postId: string;
  deletedTs: number;
}
