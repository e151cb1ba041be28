import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CsvError } from '../../domain/csv.ts';
import { isWholeLadder, PRICE_COLUMNS, parsePrices } from './price-file.ts';

const HEADER = PRICE_COLUMNS.join(',');

describe('price file', () => {
  it('yields one ladder per event and time, in ascending order, with optional extra columns', () => {
    const lines = [
      '125000,1,9e6,20-39,20,39,0.4,0.41',
      '120000,1,9e6,0-19,0,19,0.3,',
      '4,1,9e6,40+,40,,0.2,0.25',
      '',
    ];
    const ladders = parsePrices(`\uFEFF${HEADER},ask\r\n${lines.join('\r\n')}`);
    assert.deepEqual(
      ladders.map(({ ts, points }) => [ts, points.map(({ lo, hi, ask }) => [lo, hi, ask])]),
      [
        [4, [[40, null, 0.25]]],
        [
          125_000,
          [
            [0, 19, null],
            [20, 39, 0.41],
          ],
        ],
      ],
    );
  });

  it('accepts the column names of a published ladder, labelling buckets by range', () => {
    const header = 'event,window_start_ts,window_end_ts,bucket_lo,bucket_hi,ts,yes_price,is_full_ladder';
    const [ladder] = parsePrices(`${header}\na,0,9000,0,19,5,0.3,1\na,0,9000,20,,5,0.7,1`);
    assert.deepEqual(
      ladder!.points.map(({ label, price }) => [label, price]),
      [
        ['0-19', 0.3],
        ['20+', 0.7],
      ],
    );
    assert.ok(isWholeLadder(ladder!, 3));
    assert.ok(!isWholeLadder({ ...ladder!, points: ladder!.points.slice(1) }, 3));
  });

  it('is rejected with the line number of the error', () => {
    const refused = (text: string, problem: RegExp) => assert.throws(() => parsePrices(text), problem);
    refused('ts,bucket', /line 1: missing column start_ts/);
    refused(`${HEADER}\n5,1,9,0-19,0,19,1.2`, /line 2: price_yes \(column 7\) is not between 0 and 1/);
    refused(`${HEADER}\n5,1,9,0-19,0,19,0.2\nx,1,9,0-19,0,19,0.2`, /line 3: ts \(column 1\) is not a number/);
    refused(`${HEADER}\n5,9,9,0-19,0,19,0.2`, /line 2: end_ts is not after start_ts/);
    refused(`${HEADER}\n5,1,9,0-19,0.5,19,0.2`, /line 2: lo \(column 5\) is not a whole number/);
  });

  it('is either parsed or rejected with a message, for any content', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parsePrices(`${HEADER}\n${text}`);
        } catch (error) {
          assert.ok(error instanceof CsvError);
        }
      }),
    );
  });
});
