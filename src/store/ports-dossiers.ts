// What dossiers need beside observations: the oracle's list of posts, and the instance's signing key.

import type { AccountId } from '../domain/account.ts';
import type { OracleListing } from '../domain/dossier-facts.ts';
import type { KeyPair } from '../runtime/signing.ts';

export interface OraclePostStore {
  /** The first sight of a post is kept. */
  record(accountId: AccountId, listings: readonly OracleListing[]): Promise<void>;
  /** Created in [fromTs, untilTs), earliest first. */
  list(accountId: AccountId, fromTs: number, untilTs: number): Promise<OracleListing[]>;
}

export interface InstanceKeyStore {
  find(): Promise<KeyPair | undefined>;
  /** The key that the instance has afterwards: an earlier one wins. */
  claim(candidate: KeyPair, createdTs: number): Promise<KeyPair>;
}
