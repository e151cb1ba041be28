// Port for the order-book archive. Pieces are written as they arrive, then merged into one block per hour.

import type { BookHour, BookPiece } from '../domain/book.ts';

export interface BookStore {
  record(pieces: readonly BookPiece[], recordedTs: number): Promise<void>;
  /** Unmerged hours before this time, earliest first. */
  listLoose(beforeTs: number, limit: number): Promise<{ eventId: number; hourTs: number }[]>;
  /** Merges an hour's pieces into one block, losslessly. */
  compact(eventId: number, hourTs: number): Promise<void>;
  /** Non-empty hours that overlap [fromTs, untilTs), earliest first. */
  listHours(eventId: number, fromTs: number, untilTs: number): Promise<number[]>;
  readHour(eventId: number, hourTs: number): Promise<BookHour>;
}
