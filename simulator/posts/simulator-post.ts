// A simulated post as it really is; feeds may misreport it.

export type PostKind = 'original' | 'quote' | 'repost' | 'reply' | 'self-reply';

/** A later version of an edited post, which on X has its own id. */
export interface PostEdit {
  id: string;
  editedTs: number;
}

export interface SimulatorPost {
  accountId: string;
  /** Id of the first version. */
  id: string;
  createdTs: number;
  /** When the platform starts to show it. */
  visibleTs: number;
  kind: PostKind;
  /** A reply may also be a quote. */
  isQuoteReply: boolean;
  isCommunity: boolean;
  replyToId: string | null;
  /** Root of the conversation: the post itself unless it is a reply. */
  conversationId: string;
  /** For a self-reply: who started the conversation. */
  conversation?: 'own' | 'other';
  edits: readonly PostEdit[];
  deletedTs: number | null;
  isCounted: boolean;
  /** When a post feed first delivered it; null until then. */
  firstServedTs: number | null;
}

const NO_EDITS: readonly PostEdit[] = [];

export function noEdits(): readonly PostEdit[] {
  return NO_EDITS;
}

/** Versions known at a time, oldest first. */
export function versionsAt(post: SimulatorPost, ts: number): PostEdit[] {
  const first = { id: post.id, editedTs: post.createdTs };
  return [first, ...post.edits.filter((edit) => edit.editedTs <= ts)];
}
