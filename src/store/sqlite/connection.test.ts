import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createKysely } from './connection.ts';

describe('rows read from SQLite', () => {
  const open = () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      `create table things (name text, "a ""quoted"" name" integer); insert into things values ('x', 1)`,
    );
    return { database, db: createKysely(database) };
  };

  it('have the columns of their statement, also quoted ones', async () => {
    const { db } = open();
    const { rows } = await sql`select *, null as missing from things`.execute(db);
    assert.deepEqual(rows, [{ name: 'x', 'a "quoted" name': 1, missing: null }]);
    await db.destroy();
  });

  it('include a column that was added after the statement was first used', async () => {
    const { database, db } = open();
    const read = async () => (await sql`select * from things`.execute(db)).rows;
    await read();
    database.exec(`alter table things add column added text default 'new'`);
    assert.deepEqual(await read(), [{ name: 'x', 'a "quoted" name': 1, added: 'new' }]);
    await db.destroy();
  });
});
