// A post as the platform shows it, and as captured.

import type { AccountId } from './account-id.ts';

export interface Post {
  accountId: AccountId;
  postId: string;
  createdTs: number;
  /** null if the operator stores no text, or the platform gave none. */
  text: string | null;
  isReply: boolean;
  isQuote: boolean;
  isRetweet: boolean;
  /** A reply of the account to itself: shown on the main feed. */
  isSelfReply: boolean;
  /** Posted into a community rather than on the main feed. */
  isCommunity: boolean;
  /** First id of the edit chain; equals postId for an unedited post. A chain counts once. */
  rootPostId: string;
  /** Ids of all versions of an edited post, if the source lists them. */
  versionIds?: readonly string[];
  /** For a self-reply: who started the conversation. Absent if unknown. */
  conversation?: 'own' | 'other';
  /** The source lacks what decides whether the post counts: flags are a guess, and counts carry bounds. */
  isDoubtful?: boolean;
  /** When the source first reported the deletion; absent otherwise. */
  deletedTs?: number | null;
  /** Possibly another version of a known post, under a new id from a source without edit data. */
  mayBeEdit?: boolean;
}

export interface CapturedPost extends Post {
  /** When and through which source this service first saw it; the source is absent if not recorded. */
  firstSeenTs: number;
  firstSource?: string;
  /** When it was found deleted; null otherwise. It stays counted. */
  deletedTs: number | null;
  /** Verdict of the account's counting rule at capture, or when a better-informed source settled a doubt. */
  isCounted: boolean;
}

export interface PostDeletion {
  accountId: AccountId;
  postId: string;
  deletedTs: number;
}
