import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ACCOUNT, NOW_TS, never, scriptHttp } from '../../../test/support/scripted-sources.ts';
import type { SkippedItem } from '../source.ts';
import { idAt, SNOWFLAKE_IDS } from '../status-id.ts';
import { createArchivePostSource, createObjectSplitter } from './client.ts';

describe('splitting a long JSON array', () => {
  it('returns every object, wherever the text is cut into chunks', () => {
    const entries = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });
    fc.assert(
      fc.property(entries, fc.array(fc.nat(200)), (objects, cuts) => {
        const text = JSON.stringify(objects, null, 1);
        const splitter = createObjectSplitter('archive');
        const found: unknown[] = [];
        let at = 0;
        for (const cut of cuts) {
          found.push(...splitter.push(text.slice(at, at + cut)));
          at += cut;
        }
        found.push(...splitter.push(text.slice(at)));
        splitter.end();
        assert.equal(JSON.stringify(found), JSON.stringify(objects));
      }),
    );
  });

  it('reports an array that ends in the middle', () => {
    const splitter = createObjectSplitter('archive');
    splitter.push('[{"id":"1"},{"id":');
    assert.throws(() => splitter.end(), /cut off/);
  });
});

describe('archive', () => {
  const entry = (second: number, content: string) => ({
    id: idAt(NOW_TS - second * 1_000, SNOWFLAKE_IDS),
    created_at: new Date(NOW_TS - second * 1_000).toISOString(),
    content,
    url: 'https://social.example/@somebody/1',
  });

  it('serves history in batches, newest first, and never leads', async () => {
    const entries = Array.from({ length: 1_200 }, (_, i) => entry(i + 1, i % 2 ? 'RT @xI said' : ''));
    const { http, clock } = scriptHttp({ '/': entries });
    const source = createArchivePostSource({ account: ACCOUNT, http, clock });
    assert.ok(source.isBackfillOnly);
    const lengths: number[] = [];
    let oldestTs = NOW_TS;
    const range = { sinceTs: NOW_TS - 1_100_000, untilTs: NOW_TS };
    for await (const batch of source.fetchHistory(range, () => {}, never())) {
      lengths.push(batch.length);
      assert.ok(batch.at(-1)!.createdTs < oldestTs, 'each batch is older than the previous one');
      oldestTs = batch[0]!.createdTs;
      assert.ok(batch.every(({ text, isRetweet }) => isRetweet === (text !== '')));
    }
    assert.deepEqual(lengths, [500, 500, 100]);
  });

  it('reports skipped elements, even if no usable ones remain', async () => {
    const entries = [{ content: 'no id' }, { ...entry(1, ''), created_at: 'once' }, entry(-3_600, 'ahead')];
    const { http, clock } = scriptHttp({ '/': entries });
    const source = createArchivePostSource({ account: ACCOUNT, http, clock });
    const reasons: string[] = [];
    const onSkipped = (items: readonly SkippedItem[]) => reasons.push(...items.map(({ reason }) => reason));
    const range = { sinceTs: 0, untilTs: NOW_TS + 7_200_000 };
    for await (const batch of source.fetchHistory(range, onSkipped, never())) assert.deepEqual(batch, []);
    assert.deepEqual(reasons.slice(0, 2), ['it has no usable id', 'it has no creation time']);
    assert.match(reasons[2]!, /60 minutes in the future/);
    assert.equal((await source.fetchLatest(null, never())).skipped.length, 2);
  });
});
