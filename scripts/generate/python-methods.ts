// Generates the Python client's methods from the rows of the JavaScript client and the operations they call.

import { METHOD_GROUPS, METHODS } from '../../packages/client-js/src/methods.ts';
import {
  type InterfaceDocument,
  listOperations,
  listSegments,
  type Operation,
} from './interface-document.ts';
import { orNone, toSnakeCase, typeOf } from './python-models.ts';

const HEADER = `# Generated from the endpoints by node scripts/generate/clients.ts; do not edit.
"""One method per endpoint."""

from __future__ import annotations

from typing import Literal, TypeVar

from . import models
from ._calls import Call, path_of, values_of

T = TypeVar("T")


class AsyncEndpoints:
    async def _send(self, call: Call[T]) -> T:
        raise NotImplementedError
`;

/** Names of methods in groups: "create_channel", "channel_deliveries". */
const GROUPED: Readonly<Record<string, (one: string) => string>> = {
  create: (one) => `create_${one}`,
  list: (one) => `list_${one}s`,
  remove: (one) => `remove_${one}`,
  test: (one) => `test_${one}`,
  deliveries: (one) => `${one}_deliveries`,
  replay: (one) => `replay_${one}_delivery`,
};

/** Written by hand, because lists and quiet hours have a Python form. */
const BY_HAND = ['create_rule'];
/** Parameters that are Python keywords or too short for a reader. */
const RENAMED: Readonly<Record<string, string>> = { from: 'from_ts', to: 'to_ts' };

export function generatePythonMethods(document: InterfaceDocument): string {
  const operations = new Map(
    listOperations(document).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  const segments = listSegments(document);
  const methods = listRows()
    .filter(([name]) => !BY_HAND.includes(name))
    .map(([name, row]) => writeMethod(name, operations.get(row.split(' ').slice(0, 2).join(' '))!, segments));
  return [HEADER, ...methods].join('\n');
}

function listRows(): [name: string, row: string][] {
  const grouped = Object.entries(METHOD_GROUPS).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, row]): [string, string] => [GROUPED[name]!(group.slice(0, -1)), row]),
  );
  return [
    ...Object.entries(METHODS).map(([name, row]): [string, string] => [toSnakeCase(name), row]),
    ...grouped,
  ];
}

function writeMethod(name: string, operation: Operation, segments: readonly string[]): string {
  const writing = { segments, classes: new Map<string, string>() };
  const body = Object.entries(operation.body?.properties ?? {}).map(([key, schema]) => ({
    ...{ name: key, schema, required: operation.body!.required?.includes(key) ?? false },
  }));
  const inputs = [...operation.inQuery, ...body].map(({ name: key, schema, required }) => {
    const type = typeOf(schema, '', writing);
    const python = RENAMED[key] ?? key;
    return {
      key,
      python,
      required,
      text: required ? `${python}: ${type}` : `${python}: ${orNone(type)} = None`,
    };
  });
  const path = operation.inPath.map(({ name: key, schema }) => `${key}: ${typeOf(schema, '', writing)}`);
  const optional = inputs.filter(({ required }) => !required).map(({ text }) => text);
  const required = inputs.filter((input) => input.required).map(({ text }) => text);
  const parameters = ['self', ...path, ...required, ...(optional.length > 0 ? ['*', ...optional] : [])];
  const answer = `models.${typeOf(operation.answer, '', writing)}`;
  const parts = operation.path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `str(${part.slice(1, -1)})` : `"${part}"`));
  const values = `values_of({${inputs.map(({ key, python }) => `"${key}": ${python}`).join(', ')}})`;
  const rest = [
    ...(inputs.length === 0 ? [] : [operation.body ? `body=${values}` : `query=${values}`]),
    ...(operation.method === 'GET' ? [] : [`method="${operation.method}"`]),
  ];
  const call = [answer, `path_of(${parts.join(', ')})`, ...rest].join(', ');
  return `    async def ${name}(${parameters.join(', ')}) -> ${answer}:
        """${operation.words}"""
        return await self._send(Call(${call}))
`;
}
