// The client's types match the OpenAPI document, and the generator handles every kind of schema.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readDocument } from '../../scripts/generate/interface-document.ts';
import { typeOf } from '../../scripts/generate/typescript-types.ts';
import { GENERATED_FILES } from '../../scripts/generate-client.ts';

describe('generated types', () => {
  for (const { file, generate } of GENERATED_FILES) {
    it(`match the output of node scripts/generate-client.ts in ${file.pathname.split('/packages/')[1]}`, () => {
      assert.equal(readFileSync(file, 'utf8'), generate(readDocument()));
    });
  }

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
