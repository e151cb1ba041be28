import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCoercer, parseLaxFloat, parseLaxInt } from './coerce.ts';
import { readJsonBody } from './json-body.ts';
import { JsonFault, parsePythonJson, UnreadableBody } from './python-json.ts';
import { parseQueryString } from './query-string.ts';
import { Type } from './schema.ts';

describe('lax number parsing', () => {
  const ints: [string, number | string][] = [
    ['1_0', 10],
    ['0_1', 1],
    ['-0_5', -5],
    ['0-646', -646],
    ['1.00', 1],
    ['\u00855\u0085', 5],
    ['\ufeff5', 'int_parsing'],
    ['-_5', 'int_parsing'],
    ['0_', 'int_parsing'],
    ['+-1', 'int_parsing'],
    ['1._0', 'int_parsing'],
    ['0'.repeat(5000), 0],
    ['1'.repeat(4301), 'int_parsing_size'],
  ];
  for (const [text, expected] of ints) {
    it(`parses the integer ${JSON.stringify(text.slice(0, 12))} like pydantic`, () => {
      assert.equal(parseLaxInt(text), expected);
    });
  }

  const floats: [string, number | null][] = [
    ['1_000', 1000],
    [' 1_000', null],
    ['in_f', Infinity],
    ['5.', 5],
    ['.e3', null],
    ['1e400', Infinity],
    ['-nan', Number.NaN],
    ['0x10', null],
  ];
  for (const [text, expected] of floats) {
    it(`parses the number ${JSON.stringify(text)} like pydantic`, () => {
      assert.ok(Object.is(parseLaxFloat(text), expected));
    });
  }
});

describe('query strings', () => {
  it('use the last value of a repeated parameter, keep blank values and leave broken escapes unchanged', () => {
    const values = parseQueryString('a=1&a=2&b&&c=%zz&d=%E2%82%AC+x&e=%ff&f[]=3');
    assert.deepEqual(Object.fromEntries(values), {
      a: '2',
      b: '',
      c: '%zz',
      d: '€ x',
      e: '\ufffd',
      'f[]': '3',
    });
  });
});

describe('body parsing', () => {
  const coercer = createCoercer(
    Type.Object({
      text: Type.String({ maxLength: 3 }),
      maybe: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  );

  it('counts length in characters, not UTF-16 units', () => {
    assert.ok(coercer.body({ text: '😀😀😀' }).ok);
    assert.ok(!coercer.body({ text: '😀😀😀😀' }).ok);
  });

  it('rejects NUL with a value error that includes the field name', () => {
    const outcome = coercer.body({ text: 'a\0' });
    assert.ok(!outcome.ok);
    assert.equal(outcome.faults[0]!.type, 'value_error');
    assert.deepEqual(outcome.faults[0]!.loc, ['body', 'text']);
  });

  it('parses numbers like pydantic: accepts numeric text and whole floats, rejects a fraction for an integer', () => {
    const coercer = createCoercer(
      Type.Object({
        n: Type.Integer({ minimum: 0, maximum: 9 }),
        x: Type.Optional(Type.Number({ maximum: 9 })),
      }),
    );
    const read = (body: unknown) => {
      const coerced = coercer.body(body);
      return coerced.ok ? coerced.value : coerced.faults.map(({ type }) => type);
    };
    assert.deepEqual(read({ n: 3, x: 0.5 }), { n: 3, x: 0.5 });
    assert.deepEqual(read({ n: '3', x: '.5' }), { n: 3, x: 0.5 });
    assert.deepEqual(read({ n: true }), { n: 1 });
    assert.deepEqual(read({ n: 1.5, x: [] }), ['int_from_float', 'float_type']);
    assert.deepEqual(read({ n: null, x: Number.NaN }), ['int_type', 'less_than_equal']);
    assert.deepEqual(read({ n: Infinity }), ['finite_number']);
    assert.deepEqual(read({ n: -1, x: 'y' }), ['greater_than_equal', 'float_parsing']);
  });

  it('rejects a lone surrogate', () => {
    const outcome = coercer.body({ text: '\ud800' });
    assert.ok(!outcome.ok);
    assert.equal(outcome.faults[0]!.type, 'string_unicode');
  });

  it('accepts null only where allowed', () => {
    assert.ok(coercer.body({ text: 'a', maybe: null }).ok);
    assert.ok(!coercer.body({ text: null }).ok);
  });

  it('does not mistake inherited properties for fields', () => {
    const odd = createCoercer(Type.Object({ constructor: Type.Optional(Type.String()) }));
    assert.ok(odd.body({}).ok);
  });
});

describe('Python-compatible JSON parsing', () => {
  const faults: [string, string, number][] = [
    ['{"a":1,}', 'Expecting property name enclosed in double quotes', 7],
    ['[1 2]', "Expecting ',' delimiter", 3],
    ['{"a" 1}', "Expecting ':' delimiter", 5],
    ['{"a":}', 'Expecting value', 5],
    ['{} {}', 'Extra data', 3],
    ['"abc', 'Unterminated string starting at', 0],
    ['"\t"', 'Invalid control character at', 1],
    ['"\\x"', 'Invalid \\escape', 1],
    ['"\\u12"', 'Invalid \\uXXXX escape', 2],
    ['["😀" x', "Expecting ',' delimiter", 5],
    ['Infinity', 'Expecting value', 0],
  ];
  for (const [text, message, position] of faults) {
    it(`reports the position where ${text} fails`, () => {
      assert.throws(
        () => parsePythonJson(Buffer.from(text)),
        (error: unknown) =>
          error instanceof JsonFault && error.message === message && error.position === position,
      );
    });
  }

  it('rejects faulty text that is nested deep', () => {
    assert.throws(() => parsePythonJson(Buffer.from('['.repeat(100_000))), UnreadableBody);
  });

  it('treats __proto__ as an ordinary key', () => {
    const value = parsePythonJson(
      Buffer.from('{"__proto__":1, "a":"\\u0041 ",}'.replace(',}', '}')),
    ) as object;
    assert.ok(Object.hasOwn(value, '__proto__'));
  });
});

describe('content headers', () => {
  it('are rejected if the charset or encoding is unsupported', () => {
    assert.equal(readStatus('application/json; charset=latin1', undefined), 415);
    assert.equal(readStatus('application/json', 'gzip'), 415);
    assert.equal(readStatus('application/json; charset="UTF-8"', 'identity'), null);
  });

  function readStatus(type: string, encoding: string | undefined): number | null {
    const read = readJsonBody(Buffer.from('{}'), type, encoding);
    return read.kind === 'refused' ? read.status : null;
  }
});
