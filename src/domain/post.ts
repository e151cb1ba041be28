// A post as the platform shows it, and as captured.

export interface Post {
  accountId: AccountId;
  postId: string;
  createdTs: number;
  /** null if the operator stores no text or the platform returned none. */
  text: string | null;
  isReply: boolean;
  isQuote: boolean;
  isRetweet: boolean;
  /** The account's reply to itself, shown on the main feed. */
  isSelfReply: boolean;
  /** Posted to a community rather than the main feed. */
  isCommunity: boolean;
  /** First id of the edit chain; equals postId for an unedited post. A chain counts once. */
  rootPostId: string;
  /** Ids of all versions of an edited post, if the source lists them. */
  versionIds?: readonly string[];
  /** For a self-reply: who started the conversation. Absent if unknown. */
  conversation?: 'own' | 'other';
  /** The source cannot say whether the post counts, so the flags are guesses and counts have bounds. */
  isDoubtful?: boolean;
  /** When the source first reported the deletion; absent otherwise. */
  deletedTs?: number | null;
  /** Possibly another version of a known post, under a new id from a source without edit data. */
  mayBeEdit?: boolean;
}

export interface CapturedPost extends Post {
  /** When and from which source we first saw it; the source is absent if not recorded. */
  firstSeenTs: number;
  firstSource?: string;
  /** When we found it deleted; null otherwise. The post still counts. */
  deletedTs: number | null;
  /** The account's verdict at capture, or after a better-informed source resolved a doubt. */
  isCounted: boolean;
  /** A version of an edited post that another row represents, so it counts under no rule. */
  isVersion?: boolean;
}

export interface PostDeletion {
  accountId: AccountId;
  postId: string;
  deletedTs: number;
}

/** Id that ties stored rows to an account. It never changes and is never reused. */
export type AccountId = string;

// Orders post ids. Platforms use increasing decimal numbers, so a longer id is later.

const DECIMAL = /^\d+$/;

/** Compares as numbers if both ids are numeric, otherwise as text. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length && DECIMAL.test(left) && DECIMAL.test(right))
    return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
