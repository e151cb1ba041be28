import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStatementNames } from './pg-pool.ts';

describe('prepared statement names', () => {
  it('are equal only for equal statements', () => {
    const names = createStatementNames();
    const [one, other] = ['select "a" from "t" where "b" = $1', 'update "t" set "a" = $1'];
    assert.equal(names.find(one), names.find(one));
    assert.notEqual(names.find(one), names.find(other));
    assert.match(names.find(other)!, /^\w+$/);
  });

  it('are not used for `select *`, because a newer version may add columns', () => {
    const names = createStatementNames();
    for (const text of [
      'select * from "t"',
      'select "t".* from "t"',
      'select "a", * from "t"',
      'insert into "t" ("a") values ($1) returning *',
    ])
      assert.equal(names.find(text), undefined, text);
    for (const text of [
      'select count(*) as "count" from "t"',
      'select created_ts * 2 from "t"',
      'insert into "t" ("a") select * from unnest($1::text[])',
    ])
      assert.notEqual(names.find(text), undefined, text);
  });

  it('are not used for non-queries or long statements, or beyond a maximum number', () => {
    const names = createStatementNames();
    assert.equal(names.find('begin'), undefined);
    assert.equal(names.find(`select ${'1 + '.repeat(1_000)}1`), undefined);
    const given = Array.from({ length: 500 }, (_, i) => names.find(`select ${i}`));
    assert.ok(given.filter((name) => name !== undefined).length <= 200);
  });
});
