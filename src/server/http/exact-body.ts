// Compile-time check that a handler's body has no field that its schema lacks. TypeScript itself reports
// missing fields and wrong types, but allows further fields in any value that is not a literal.

import type { Answer } from './answer.ts';
import type { PreparedBody } from './prepared-body.ts';

/** The JSON that a handler's result carries; never if it carries bytes alone. */
export type BodyOf<A> =
  A extends PreparedBody<infer T> ? T : A extends Answer<infer T> ? (unknown extends T ? never : T) : never;

/** Requires a property that no declaration has, and names the fields, if the body has undeclared fields. */
export type Undeclared<Declared, Body> = [Extra<Declared, Body>] extends [never]
  ? unknown
  : { fieldsMissingFromTheSchema: Extra<Declared, Body> };

type Leaf = string | number | boolean | null | undefined;

/** Paths of the fields in `Body` that `Declared` lacks. */
export type Extra<Declared, Body, At extends string = ''> = unknown extends Declared
  ? never
  : Body extends Leaf
    ? never
    : Body extends readonly (infer Item)[]
      ? Extra<ItemOf<Declared>, Item, `${At}[]`>
      : ExtraField<Exclude<Declared, Leaf | readonly unknown[]>, Body, At>;

type ExtraField<Declared, Body, At extends string> =
  string extends KeyOf<Declared>
    ? never
    : {
        [K in keyof Body & string]: K extends KeyOf<Declared>
          ? Extra<FieldOf<Declared, K>, Body[K], `${At}.${K}`>
          : `${At}.${K}`;
      }[keyof Body & string];

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;
type KeyOf<T> = T extends unknown ? keyof T : never;
type FieldOf<T, K extends PropertyKey> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
