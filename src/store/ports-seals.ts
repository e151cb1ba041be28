// Port for the forecast log, which is appended to, sealed every hour and never changed.

import type { EntryDraft } from '../sealing/entry.ts';
import type { Seal } from '../sealing/seal.ts';

export interface SealAnchor {
  hourTs: number;
  /** Name of the external service. */
  anchor: string;
  chain: string;
  anchoredTs: number;
}

export interface SealedHour extends Seal {
  /** Entry texts, in order. */
  entries: readonly string[];
}

/** The unsealed part of the log, and its expected digest. */
export interface OpenLog {
  nextSeq: number;
  /** The earliest hour that can still get entries. */
  openHourTs: number;
  chain: string;
  running: string;
  entries: readonly { seq: number; hourTs: number; entry: string }[];
}

export interface SealStore {
  append(drafts: readonly EntryDraft[]): Promise<void>;
  /** Seals the earliest open hour before untilTs in one transaction; null if there is none. */
  sealNext(untilTs: number): Promise<Seal | null>;
  /** Seals after afterTs, earliest first. */
  list(afterTs: number, limit: number): Promise<Seal[]>;
  findNewest(): Promise<Seal | undefined>;
  findHour(hourTs: number): Promise<SealedHour | undefined>;
  readOpen(): Promise<OpenLog>;
  noteAnchor(anchor: SealAnchor): Promise<void>;
  listAnchors(fromTs: number, untilTs: number): Promise<SealAnchor[]>;
}
