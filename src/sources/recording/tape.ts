// A recorded conversation: answers as received, in the order they ended.

export interface AnswerEntry {
  kind: 'answer';
  /** Milliseconds since the recording began. */
  atMs: number;
  method: string;
  url: string;
  /** null without an answer. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why there was no answer, or why it broke off. */
  problem: string | null;
}

export interface SocketEntry {
  kind: 'socket';
  atMs: number;
  url: string;
  /** What the server sent; our own frames may contain a credential and are not stored. */
  frames: readonly string[];
  closeCode: number | null;
}

export type TapeEntry = AnswerEntry | SocketEntry;
