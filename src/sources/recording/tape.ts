// A recorded conversation: responses as received, in the order they ended.

export interface AnswerEntry {
  kind: 'answer';
  /** Milliseconds since the recording began. */
  atMs: number;
  method: string;
  url: string;
  /** null if there was no response. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why there was no response, or why it was cut off. */
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
