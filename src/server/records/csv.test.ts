import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeCsv } from './csv.ts';

describe('CSV', () => {
  it('quotes where needed, leaves null empty, and prevents spreadsheet formulas', () => {
    const text = writeCsv(
      ['a', 'b'],
      [
        ['x,"y"', null],
        ['=1+1', -2],
        ['two\nlines', 0.5],
      ],
    );
    assert.equal(text, 'a,b\r\n"x,""y""",\r\n\'=1+1,-2\r\n"two\nlines",0.5\r\n');
  });
});
