// The generator of the clients' types handles every kind of schema.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typeOf } from '../../scripts/generate/typescript-types.ts';

describe('generated types', () => {
  for (const [schema, expected] of [
    [{ type: 'integer' }, 'number'],
    [{ enum: ['a', 'b'] }, "'a' | 'b'"],
    [{ enum: [24, 48] }, '24 | 48'],
    [{ enum: ['account_a', 'account_b'] }, 'string'],
    [{ anyOf: [{ type: 'integer' }, { type: 'number' }, { type: 'null' }] }, 'number | null'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
    [{ $ref: '#/components/schemas/Post' }, 'Post'],
    [{ type: 'object', properties: {} }, '{\n  [name: string]: unknown;\n}'],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a'] },
      '{\n  a: string;\n  b?: boolean;\n}',
    ],
    [{}, 'unknown'],
  ] as const) {
    it(`represent ${JSON.stringify(schema)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(typeOf(schema as Parameters<typeof typeOf>[0], 0, ['account_a', 'account_b']), expected);
    });
  }
});
