// Ports for dossiers: the oracle's list of posts, and the instance's signing key.

import type { AccountId } from '../domain/account.ts';
import type { OracleListing } from '../domain/dossier-facts.ts';
import type { KeyPair } from '../runtime/signing.ts';

export interface OraclePostStore {
  /** Posts already recorded stay unchanged. */
  record(accountId: AccountId, listings: readonly OracleListing[]): Promise<void>;
  /** Posts created in [fromTs, untilTs), earliest first. */
  list(accountId: AccountId, fromTs: number, untilTs: number): Promise<OracleListing[]>;
}

export interface InstanceKeyStore {
  find(): Promise<KeyPair | undefined>;
  /** Stores the candidate unless the instance already has a key; returns the instance's key. */
  claim(candidate: KeyPair, createdTs: number): Promise<KeyPair>;
}
