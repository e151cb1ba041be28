// Rules per key, and a revision number for processes that cache the rules.

import { sql } from 'kysely';
import type { Connection } from '../engine.ts';
import { type AlertRule, type KeyedRule, RULES } from '../tables-alerts.ts';

export function createRuleQueries(connection: Connection) {
  const { db } = connection;

  async function countOfKey(keyId: string): Promise<number> {
    const { count } = await db
      .selectFrom('rules')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    return count;
  }

  async function listDisabled(): Promise<Set<string>> {
    const rows = await db
      .selectFrom('webhooks')
      .select('webhook_id')
      .where('disabled_ts', 'is not', null)
      .execute();
    return new Set(rows.map((row) => row.webhook_id));
  }

  return {
    /** Returns false and changes nothing if the key already has `mostOfKey` rules. */
    async insert(rule: AlertRule, mostOfKey?: number) {
      const { keyId } = rule;
      // A no-op update locks the key until the transaction ends, so concurrent inserts for the key wait.
      await db.updateTable('api_keys').set({ key_id: keyId }).where('key_id', '=', keyId).execute();
      if (mostOfKey !== undefined && (await countOfKey(keyId)) >= mostOfKey) return false;
      await db.insertInto('rules').values(RULES.toRow(rule)).execute();
      await raiseRulesRevision(connection);
      return true;
    },

    /** Returns false if the key has no rule with this id. */
    async replace(rule: AlertRule) {
      const { rule_id: ruleId, key_id: keyId, ...fields } = RULES.toRow(rule);
      const changed = await db
        .updateTable('rules')
        .set(fields)
        .where('key_id', '=', keyId)
        .where('rule_id', '=', ruleId)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return false;
      await raiseRulesRevision(connection);
      return true;
    },

    async remove(keyId: string, ruleId: string) {
      const removed = await db
        .deleteFrom('rules')
        .where('key_id', '=', keyId)
        .where('rule_id', '=', ruleId)
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await raiseRulesRevision(connection);
      return true;
    },

    async listForKey(keyId: string) {
      const rows = await db
        .selectFrom('rules')
        .selectAll()
        .where('key_id', '=', keyId)
        .orderBy('created_ts')
        .orderBy('rule_id')
        .execute();
      return rows.map(RULES.fromRow);
    },

    /** Rules of active keys, without disabled channels. */
    async listStanding(nowTs: number): Promise<KeyedRule[]> {
      const rows = await db
        .selectFrom('rules')
        .innerJoin('api_keys', 'api_keys.key_id', 'rules.key_id')
        .selectAll('rules')
        .select('api_keys.expires_ts')
        .where('api_keys.revoked_ts', 'is', null)
        .where((eb) => eb.or([eb('api_keys.expires_ts', 'is', null), eb('api_keys.expires_ts', '>', nowTs)]))
        .orderBy('rules.rule_id')
        .execute();
      const disabled = await listDisabled();
      return rows.map((row) => {
        const rule = RULES.fromRow(row);
        const channelIds = rule.channelIds.filter((id) => !disabled.has(id));
        return { ...rule, channelIds, keyExpiresTs: row.expires_ts };
      });
    },

    /** Increases whenever the result of listStanding() changes, except by expiry. */
    async readRevision() {
      const row = await db.selectFrom('rules_revision').select('revision').executeTakeFirst();
      return row?.revision ?? 0;
    },
  };
}

export async function raiseRulesRevision({ db }: Connection): Promise<void> {
  await db
    .insertInto('rules_revision')
    .values({ id: 1, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ revision: sql<number>`rules_revision.revision + 1` }),
    )
    .execute();
}

/** Removes a deleted receiver from all rules. */
export async function forgetChannel(connection: Connection, keyId: string, channelId: string): Promise<void> {
  const rules = await createRuleQueries(connection).listForKey(keyId);
  const affected = rules.filter(({ channelIds }) => channelIds.includes(channelId));
  for (const { ruleId, channelIds } of affected)
    await connection.db
      .updateTable('rules')
      .set({ channel_ids: JSON.stringify(channelIds.filter((id) => id !== channelId)) })
      .where('rule_id', '=', ruleId)
      .execute();
  if (affected.length > 0) await raiseRulesRevision(connection);
}
