// What is kept of a conversation with the outside: answers as they came, in the order in which they ended.

export interface AnswerEntry {
  kind: 'answer';
  /** Milliseconds since the recording began. */
  atMs: number;
  method: string;
  url: string;
  /** null where no answer came. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why no answer came, or why it broke off. */
  problem: string | null;
}

export interface SocketEntry {
  kind: 'socket';
  atMs: number;
  url: string;
  /** What the other side sent; what we sent may hold a credential and is not kept. */
  frames: readonly string[];
  closeCode: number | null;
}

export type TapeEntry = AnswerEntry | SocketEntry;
