// A handler does not compile if its body differs from its schema: the compiler checks planted endpoints.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

/** Inside the repository, so that the planted files find the packages it uses. */
const folder = mkdtempSync(resolve('node_modules/.planted-'));
const src = resolve('src');

/** An endpoint with a nested record, a prepared view and the given record fields. */
const endpoint = (fields: string) => `
import { envelope } from '${src}/contract/envelope.ts';
import { Type } from '${src}/contract/schema.ts';
import { createPreparedView } from '${src}/server/http/prepared-view.ts';
import { defineRoute } from '${src}/server/http/route.ts';

const Item = Type.Object({ id: Type.Integer(), label: Type.String(), score: Type.Union([Type.Number(), Type.Null()]) });
const shared = { surplus: true };
export const common = () => ({ ...shared });
const prepare = createPreparedView({
  version: () => 1,
  present: (nowTs) => ({ timestamp: nowTs, data: [{ ${fields} }] }),
});
export const route = defineRoute({
  path: '/planted',
  document: { operationId: 'planted', tag: 'Planted', summary: 'Planted', ok: envelope('Planted', Item) },
  handle: ({ nowTs }) => prepare(nowTs),
});
`;

/** A record table with one row. */
const table = (row: string) => `
import { Type } from '${src}/contract/schema.ts';
import { recordOf } from '${src}/server/records/record.ts';

const shared = { surplus: true };
export const common = () => ({ ...shared });
export const record = recordOf<{ id: number; title: string }>('Planted')({ ${row} });
`;

const PLANTED: readonly { name: string; text: string; complaint: RegExp | null }[] = [
  { name: 'control', text: endpoint(`id: 1, label: 'one', score: null`), complaint: null },
  {
    name: 'missing',
    text: endpoint(`id: 1, score: null`),
    complaint: /Property 'label' is missing in type '\{ id: number; score: null; \}'/,
  },
  {
    name: 'extra',
    text: endpoint(`id: 1, label: 'one', score: null, ...common()`),
    complaint: /fieldsMissingFromTheSchema: "\.data\[\]\.surplus"/,
  },
  {
    name: 'mistyped',
    text: endpoint(`id: 1, label: 1, score: null`),
    complaint: /Type 'number' is not assignable to type 'string'/,
  },
  { name: 'control-row', text: table(`id: [Type.Integer(), ({ id }) => id]`), complaint: null },
  {
    name: 'extra-row',
    text: table(`place: [Type.Object({ id: Type.Integer() }), ({ id }) => ({ id, ...common() })]`),
    complaint: /fieldsMissingFromTheSchema: "\.surplus"/,
  },
  {
    name: 'mistyped-row',
    text: table(`id: [Type.Integer(), ({ title }) => title]`),
    complaint: /Type 'string' is not assignable to type 'number'/,
  },
];

describe('an endpoint with a body that differs from its schema', () => {
  const complaints = new Map<string, string>();

  before(() => {
    for (const { name, text } of PLANTED) writeFileSync(join(folder, `${name}.ts`), text);
    const include = PLANTED.map(({ name }) => `${name}.ts`);
    const config = { extends: resolve('tsconfig.json'), include, exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    for (const complaint of stdout.split(/\n(?=\S)/)) {
      const name = /([\w-]+)\.ts\(\d+,\d+\): error/.exec(complaint)?.[1];
      if (name) complaints.set(name, `${complaints.get(name) ?? ''}${complaint}\n`);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const { name, complaint } of PLANTED.filter((planted) => planted.complaint)) {
    it(`does not compile: ${name}`, () => assert.match(complaints.get(name) ?? '', complaint!));
  }

  it('compiles once its body has the fields of the schema', () => {
    const faulty = PLANTED.filter(({ complaint }) => complaint).map(({ name }) => name);
    assert.deepEqual([...complaints.keys()].sort(), faulty.sort());
  });
});
