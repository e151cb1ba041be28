// The archive of order books, as a port. Pieces are written as they come and made one block per hour later.

import type { BookHour, BookPiece } from '../domain/book.ts';

export interface BookStore {
  record(pieces: readonly BookPiece[], recordedTs: number): Promise<void>;
  /** Hours before this time that are still in pieces, earliest first. */
  listLoose(beforeTs: number, limit: number): Promise<{ eventId: number; hourTs: number }[]>;
  /** Makes the pieces of an hour one block; nothing is lost. */
  compact(eventId: number, hourTs: number): Promise<void>;
  /** Hours with anything in them that overlap [fromTs, untilTs), earliest first. */
  listHours(eventId: number, fromTs: number, untilTs: number): Promise<number[]>;
  readHour(eventId: number, hourTs: number): Promise<BookHour>;
}
