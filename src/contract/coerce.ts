// Validates parameters and bodies against JSON Schema keywords and reports errors like FastAPI. A route's one
// schema drives parsing, handler types and documentation.

import type { Static, TObject } from 'typebox';
import { type Coerced, type Fault, valueFault } from './faults.ts';

interface FieldSchema {
  type?: string;
  enum?: (string | number)[];
  anyOf?: FieldSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
}

interface Field {
  name: string;
  schema: FieldSchema;
  isRequired: boolean;
  isNullable: boolean;
  pattern: RegExp | null;
}

const MESSAGES: Record<string, string> = {
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  int_parsing_size: 'Unable to parse input string as an integer, exceeded maximum size',
  float_parsing: 'Input should be a valid number, unable to parse string as a number',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  finite_number: 'Input should be a finite number',
  float_type: 'Input should be a valid number',
  bool_parsing: 'Input should be a valid boolean, unable to interpret input',
  missing: 'Field required',
  string_type: 'Input should be a valid string',
  string_unicode: 'Input should be a valid string, unable to parse raw data as a unicode string',
  model_attributes_type: 'Input should be a valid dictionary or object to extract fields from',
  extra_forbidden: 'Extra inputs are not permitted',
};
/** Caps the unknown fields reported, so that the response stays smaller than the request body. */
const MAX_EXTRA_REPORTED = 20;

type Loc = (string | number)[];

export const NOT_AN_OBJECT: Fault = fault('model_attributes_type', ['body']);

type Outcome = { value: unknown } | { fault: Fault };

export interface Coercer<T extends TObject> {
  query(values: ReadonlyMap<string, string>): Coerced<Static<T>>;
  body(parsed: unknown): Coerced<Static<T>>;
}

export function createCoercer<T extends TObject>(schema: T): Coercer<T> {
  const fields = listFields(schema);
  const isClosed = (schema as { additionalProperties?: unknown }).additionalProperties === false;
  return {
    query: (values) =>
      collect<Static<T>>(fields, 'query', (field) => {
        const text = values.get(field.name);
        return text === undefined ? undefined : coerceText(field, text, ['query', field.name]);
      }),
    body(parsed) {
      if (parsed === null || parsed === undefined) return { ok: false, faults: [fault('missing', ['body'])] };
      if (typeof parsed !== 'object' || Array.isArray(parsed)) {
        return { ok: false, faults: [NOT_AN_OBJECT] };
      }
      const collected = collect<Static<T>>(fields, 'body', (field) =>
        Object.hasOwn(parsed, field.name)
          ? coerceJson(field, (parsed as Record<string, unknown>)[field.name], ['body', field.name])
          : undefined,
      );
      return isClosed ? refuseExtra(collected, fields, parsed) : collected;
    },
  };
}

function listFields(schema: TObject): Field[] {
  const required = new Set((schema as { required?: string[] }).required ?? []);
  return Object.entries(schema.properties as Record<string, FieldSchema>).map(([name, whole]) => {
    const branch = whole.anyOf?.find((option) => option.type !== 'null');
    const own = branch ?? whole;
    return {
      name,
      schema: { ...own, default: whole.default },
      isRequired: required.has(name),
      isNullable: whole.anyOf?.some((option) => option.type === 'null') ?? false,
      pattern: own.pattern === undefined ? null : new RegExp(own.pattern, 'u'),
    };
  });
}

/** Parses every field in declaration order, so that all faults are reported at once. */
function collect<T>(
  fields: readonly Field[],
  place: 'query' | 'body',
  read: (field: Field) => Outcome | undefined,
): Coerced<T> {
  const value: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const field of fields) {
    const outcome = read(field);
    if (outcome === undefined) {
      if (field.isRequired) faults.push(fault('missing', [place, field.name]));
      else if (field.schema.default !== undefined) value[field.name] = field.schema.default;
    } else if ('fault' in outcome) faults.push(outcome.fault);
    else value[field.name] = outcome.value;
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: value as T };
}

/** Faults in known fields come first. */
function refuseExtra<T>(collected: Coerced<T>, fields: readonly Field[], parsed: object): Coerced<T> {
  const known = new Set(fields.map(({ name }) => name));
  const extra = Object.keys(parsed).filter((name) => !known.has(name));
  if (extra.length === 0) return collected;
  const reported = extra.slice(0, MAX_EXTRA_REPORTED).map((name) => fault('extra_forbidden', ['body', name]));
  return { ok: false, faults: [...(collected.ok ? [] : collected.faults), ...reported] };
}

function coerceText(field: Field, text: string, loc: Loc): Outcome {
  const { schema } = field;
  if (schema.enum) return coerceChoice(schema.enum, text, loc);
  if (schema.type === 'integer') {
    const parsed = parseLaxInt(text);
    return typeof parsed === 'string' ? { fault: fault(parsed, loc) } : withinBounds(schema, parsed, loc);
  }
  if (schema.type === 'number') {
    const parsed = parseLaxFloat(text);
    return parsed === null ? { fault: fault('float_parsing', loc) } : withinBounds(schema, parsed, loc);
  }
  if (schema.type === 'boolean') {
    const parsed = parseLaxBool(text);
    return parsed === null ? { fault: fault('bool_parsing', loc) } : { value: parsed };
  }
  return withinText(field, text, loc);
}

function coerceJson(field: Field, input: unknown, loc: Loc): Outcome {
  if (input === null && field.isNullable) return { value: null };
  if (field.schema.enum) return coerceChoice(field.schema.enum, input, loc);
  if (field.schema.type === 'integer' || field.schema.type === 'number') {
    return coerceJsonNumber(field, input, loc);
  }
  if (typeof input !== 'string') return { fault: fault('string_type', loc) };
  if (!input.isWellFormed()) return { fault: fault('string_unicode', loc) };
  if (input.includes('\0'))
    return { fault: valueFault(loc, `${field.name} must not contain a NUL character`) };
  return withinText(field, input, loc);
}

/** Like pydantic's lax mode: accepts a number, numeric text, or true and false as 1 and 0. */
function coerceJsonNumber(field: Field, input: unknown, loc: Loc): Outcome {
  if (typeof input === 'string') return coerceText(field, input, loc);
  const isInteger = field.schema.type === 'integer';
  if (typeof input !== 'number' && typeof input !== 'boolean') {
    return { fault: fault(isInteger ? 'int_type' : 'float_type', loc) };
  }
  const value = Number(input);
  if (isInteger && !Number.isFinite(value)) return { fault: fault('finite_number', loc) };
  if (isInteger && !Number.isInteger(value)) return { fault: fault('int_from_float', loc) };
  return withinBounds(field.schema, value + 0, loc);
}

/** Numbers are parsed like an IntEnum (24.0 is 24), words like a Literal. */
function coerceChoice(choices: readonly (string | number)[], input: unknown, loc: Loc): Outcome {
  const isNumeric = typeof choices[0] === 'number';
  const value = isNumeric && typeof input === 'string' ? parseLaxInt(input) : input;
  if (choices.includes(value as string | number)) return { value };
  const expected = spellChoices(choices);
  return {
    fault: {
      type: isNumeric ? 'enum' : 'literal_error',
      loc,
      msg: `Input should be ${expected}`,
      ctx: { expected },
    },
  };
}

function spellChoices(choices: readonly (string | number)[]): string {
  const words = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice)));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** Tests `!(value <= le)` rather than `value > le`, so that NaN is rejected. */
function withinBounds(schema: FieldSchema, value: number, loc: Loc): Outcome {
  const { minimum: ge, maximum: le } = schema;
  if (le !== undefined && !(value <= le)) {
    return {
      fault: {
        type: 'less_than_equal',
        loc,
        msg: `Input should be less than or equal to ${le}`,
        ctx: { le },
      },
    };
  }
  if (ge !== undefined && !(value >= ge)) {
    return {
      fault: {
        type: 'greater_than_equal',
        loc,
        msg: `Input should be greater than or equal to ${ge}`,
        ctx: { ge },
      },
    };
  }
  return { value };
}

/** Checks the length in code points before the pattern and reports only the first fault. */
function withinText(field: Field, text: string, loc: Loc): Outcome {
  const { minLength, maxLength } = field.schema;
  const length = text.length > (maxLength ?? Infinity) || minLength !== undefined ? [...text].length : 0;
  if (maxLength !== undefined && length > maxLength) {
    return lengthFault('string_too_long', 'at most', maxLength, { max_length: maxLength }, loc);
  }
  if (minLength !== undefined && length < minLength) {
    return lengthFault('string_too_short', 'at least', minLength, { min_length: minLength }, loc);
  }
  if (field.pattern && !field.pattern.test(text)) {
    const pattern = field.schema.pattern;
    return {
      fault: {
        type: 'string_pattern_mismatch',
        loc,
        msg: `String should match pattern '${pattern}'`,
        ctx: { pattern },
      },
    };
  }
  return { value: text };
}

function lengthFault(
  type: string,
  bound: string,
  length: number,
  ctx: Record<string, unknown>,
  loc: Loc,
): Outcome {
  const msg = `String should have ${bound} ${length} character${length === 1 ? '' : 's'}`;
  return { fault: { type, loc, msg, ctx } };
}

function fault(type: string, loc: Loc): Fault {
  return { type, loc, msg: MESSAGES[type]! };
}

// Converts text to a number or boolean exactly like pydantic's lax mode. Tested against pydantic.

/** pydantic rejects longer strings without parsing. */
const MAX_INT_CHARACTERS = 4300;

/** Unicode White_Space, which is not what String.prototype.trim removes (U+0085 yes, U+FEFF no). */
const WHITE_SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const ZERO_FRACTION = /\.0+$/;
const WHOLE = /^-?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const FLOAT_WORD = /^([+-]?)(inf|infinity|nan)$/i;

const TRUE_WORDS = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

export function parseLaxInt(text: string): number | 'int_parsing' | 'int_parsing_size' {
  const bare = withoutOuterSpace(text)
    .replace(ZERO_FRACTION, '')
    .replace(/^\+(?!-)/, '');
  const significant = withoutLeadingZeros(bare);
  if (significant === null || significant.startsWith('-_')) return 'int_parsing';
  const digits = withoutUnderscores(significant);
  if (!WHOLE.test(digits)) return 'int_parsing';
  if (digits.length > MAX_INT_CHARACTERS) return 'int_parsing_size';
  // Adding zero turns -0 into 0.
  return Number(digits) + 0;
}

/** Drops leading zeros and underscores; like pydantic, accepts a minus sign after them. */
function withoutLeadingZeros(text: string): string | null {
  if (/^[1-9-]/.test(text)) return text;
  if (!text.startsWith('0')) return null;
  const rest = text.replace(/^[0_]+/, '');
  if (rest === '') return text.slice(-1);
  return /^[1-9-]/.test(rest) ? rest : null;
}

/** Accepts NaN and the infinities, which the bounds check rejects. null if the text is not a number. */
export function parseLaxFloat(text: string): number | null {
  // Like pydantic, allows underscores only if the text is not a plain number, and then does not trim spaces.
  return parsePlainFloat(withoutOuterSpace(text)) ?? parsePlainFloat(withoutUnderscores(text));
}

function parsePlainFloat(text: string): number | null {
  const word = FLOAT_WORD.exec(text);
  if (!word) return FLOAT.test(text) ? Number(text) : null;
  if (word[2]!.toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? -Infinity : Infinity;
}

function parseLaxBool(text: string): boolean | null {
  const word = text.toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}

/** Scans from both ends, because a regular expression would rescan long runs of inner spaces. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text[start]!)) start += 1;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** Underscores may separate digits, but not lead, trail or repeat. */
function withoutUnderscores(text: string): string {
  if (!text.includes('_') || text.startsWith('_') || text.endsWith('_') || text.includes('__')) return text;
  return text.replaceAll('_', '');
}
