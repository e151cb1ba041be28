// Checked by the compiler alone: a handler does not compile if its body differs from its schema, so every line below
// a marker must be an error.

import { envelope } from '../../src/contract/envelope.ts';
import { Type } from '../../src/contract/schema.ts';
import { createPreparedView } from '../../src/server/http/prepared-view.ts';
import { defineRoute } from '../../src/server/http/route.ts';
import { recordOf } from '../../src/server/records/record.ts';

const shared = { surplus: true };
/** A value whose surplus field the compiler finds only where it compares whole types. */
const common = () => ({ ...shared });
const Item = Type.Object({
  ...{ id: Type.Integer(), label: Type.String() },
  score: Type.Union([Type.Number(), Type.Null()]),
});
const planted = {
  path: '/planted',
  document: { operationId: 'planted', tag: 'Planted', summary: 'Planted', ok: envelope('Planted', Item) },
};
const prepare = <T>(item: T) =>
  createPreparedView({ version: () => 1, present: (nowTs) => ({ timestamp: nowTs, data: [item] }) });
const whole = prepare({ id: 1, label: 'one', score: null });
const missing = prepare({ id: 1, score: null });
const mistyped = prepare({ id: 1, label: 1, score: null });
const extra = prepare({ id: 1, label: 'one', score: null, ...common() });
const record = recordOf<{ id: number; title: string }>('Planted');
const Id = Type.Object({ id: Type.Integer() });

export const compiled = () => [
  defineRoute({ ...planted, handle: ({ nowTs }) => whole(nowTs) }),
  // @ts-expect-error: a field is missing
  defineRoute({ ...planted, handle: ({ nowTs }) => missing(nowTs) }),
  // @ts-expect-error: a field has another type
  defineRoute({ ...planted, handle: ({ nowTs }) => mistyped(nowTs) }),
  // @ts-expect-error: a field is not in the schema
  defineRoute({ ...planted, handle: ({ nowTs }) => extra(nowTs) }),
  record({ id: [Type.Integer(), ({ id }) => id] }),
  // @ts-expect-error: a row has another type
  record({ id: [Type.Integer(), ({ title }) => title] }),
  // @ts-expect-error: a row has a field that is not in its schema
  record({ place: [Id, ({ id }) => ({ id, ...common() })] }),
];
