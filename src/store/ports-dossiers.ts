// Ports for dossiers: the oracle's list of posts, and the instance's signing key.

import type { AccountId } from '../domain/account.ts';
import type { OracleListing } from '../domain/dossier-facts.ts';
import type { KeyPair } from '../runtime/signing.ts';

export interface OraclePostStore {
  /** Known posts stay unchanged. */
  record(accountId: AccountId, listings: readonly OracleListing[]): Promise<void>;
  /** Created in [fromTs, untilTs), earliest first. */
  list(accountId: AccountId, fromTs: number, untilTs: number): Promise<OracleListing[]>;
}

export interface InstanceKeyStore {
  find(): Promise<KeyPair | undefined>;
  /** Returns the instance's key: an existing one wins. */
  claim(candidate: KeyPair, createdTs: number): Promise<KeyPair>;
}
