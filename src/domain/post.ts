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
  /** Ids of all versions of an edited post, where the source tells them: each is this post, seen again. */
  versionIds?: readonly string[];
  /** For a reply of the account to itself: whose post began the conversation. Absent where nobody could tell. */
  conversation?: 'own' | 'other';
  /** The source could not tell what decides whether it counts: its flags are a guess, and counts carry bounds. */
  isDoubtful?: boolean;
  /** When the source was first seen to say that it is gone; absent while it stands. */
  deletedTs?: number | null;
  /** It may be another version of a known post, told under a new id by a source that does not know edits. */
  mayBeEdit?: boolean;
}

export interface CapturedPost extends Post {
  /** When this service first saw it, and through which source; the source is absent where nobody noted it. */
  firstSeenTs: number;
  firstSource?: string;
  /** When it was found to have vanished; null while it stands. It stays counted. */
  deletedTs: number | null;
  /** Verdict of the account's counting rule when captured, or when a source that knows more settled a doubt. */
  isCounted: boolean;
}

export interface PostDeletion {
  accountId: AccountId;
  postId: string;
  deletedTs: number;
}
