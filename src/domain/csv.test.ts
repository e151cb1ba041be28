import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { locateNames, readCsv, writeCsv } from './csv.ts';

const read = (text: string) => readCsv(text, locateNames(['a']));

describe('CSV', () => {
  it('is written with quotes where needed, empty for null, and never as a spreadsheet formula', () => {
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

  it('is read with its lines, by any of three delimiters', () => {
    for (const delimiter of [',', ';', '\t']) {
      const { rows } = read('\uFEFFb,A\r\n1,"x,\ny ""z"""\r\n\r\n 2 , 3'.replaceAll(',', delimiter));
      assert.deepEqual(
        rows.map((row) => [row.line, row.text('b'), row.text('a')]),
        [
          [3, '1', `x${delimiter}\ny "z"`],
          [5, '2', '3'],
        ],
      );
    }
  });

  it('names the line of a quote that is not closed', () => {
    assert.throws(() => read('a\n1\n"2\n3\n4'), /^CsvError: line 3: a quoted field is not closed/);
  });

  it('names the columns that are missing', () => {
    assert.throws(() => read(''), /line 1: missing column a/);
    assert.throws(() => read('b,c\n1,2'), /line 1: missing column a/);
  });
});
