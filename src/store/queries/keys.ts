// API keys, stored only as digests.

import type { Connection } from '../engine.ts';
import { type ApiKeyRecord, KEYS } from '../tables-callers.ts';
import { raiseRulesRevision } from './rules.ts';

export function createKeyQueries(connection: Connection) {
  const { db } = connection;
  async function findBy(column: 'digest' | 'key_id', value: string): Promise<ApiKeyRecord | undefined> {
    const row = await db.selectFrom('api_keys').selectAll().where(column, '=', value).executeTakeFirst();
    return row && KEYS.fromRow(row);
  }

  return {
    async insert(key: ApiKeyRecord) {
      await db.insertInto('api_keys').values(KEYS.toRow(key)).execute();
    },

    findByDigest: (digest: string) => findBy('digest', digest),
    findById: (keyId: string) => findBy('key_id', keyId),

    /** Returns the keys that exist, in any order. */
    async listByDigests(digests: readonly string[]) {
      if (digests.length === 0) return [];
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('digest', 'in', padded(digests))
        .execute();
      return rows.map(KEYS.fromRow);
    },

    async list() {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .orderBy('created_ts')
        .orderBy('key_id')
        .execute();
      return rows.map(KEYS.fromRow);
    },

    /**
     * Also ends the key's webhooks, pending deliveries and rules. Returns false if the key is unknown or
     * already revoked.
     */
    async revoke(keyId: string, revokedTs: number) {
      if (!(await markRevoked(db, keyId, revokedTs))) return false;
      await endWebhooks(db, keyId, revokedTs);
      await raiseRulesRevision(connection);
      return true;
    },

    /**
     * In one transaction: activates the new key with the old key's webhooks, pending deliveries, rules and
     * alerts, and revokes the old key.
     */
    async rotate(oldKeyId: string, newKey: ApiKeyRecord, revokedTs: number) {
      if (!(await markRevoked(db, oldKeyId, revokedTs))) return false;
      await db.insertInto('api_keys').values(KEYS.toRow(newKey)).execute();
      for (const table of ['webhooks', 'rules', 'notices'] as const) {
        await db.updateTable(table).set({ key_id: newKey.keyId }).where('key_id', '=', oldKeyId).execute();
      }
      await raiseRulesRevision(connection);
      return true;
    },

    /**
     * Increases with every revocation. Keys are never deleted or reactivated, so the number of revoked keys
     * reveals any change, even a revocation committed late or with a wrong clock.
     */
    async countRevocations() {
      const { count } = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('revoked_ts', 'is not', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    async listRevokedDigests() {
      const rows = await db
        .selectFrom('api_keys')
        .select('digest')
        .where('revoked_ts', 'is not', null)
        .orderBy('digest')
        .execute();
      return rows.map((row) => row.digest);
    },
  };
}

async function markRevoked(db: Connection['db'], keyId: string, revokedTs: number): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_ts: revokedTs })
    .where('key_id', '=', keyId)
    .where('revoked_ts', 'is', null)
    .executeTakeFirst();
  return revoked.numUpdatedRows > 0n;
}

async function endWebhooks(db: Connection['db'], keyId: string, endedTs: number): Promise<void> {
  const ownWebhooks = db.selectFrom('webhooks').select('webhook_id').where('key_id', '=', keyId);
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: 'failed',
      next_attempt_ts: null,
      last_response: 'the key was revoked',
      updated_ts: endedTs,
    })
    .where('status', '=', 'pending')
    .where('webhook_id', 'in', ownWebhooks)
    .execute();
  await db
    .updateTable('webhooks')
    .set({ disabled_ts: endedTs })
    .where('key_id', '=', keyId)
    .where('disabled_ts', 'is', null)
    .execute();
}

/** Pads the list to a power of two, so that few different statements are prepared. */
function padded(digests: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(digests.length));
  return [...digests, ...new Array<string>(length - digests.length).fill(digests[0]!)];
}
