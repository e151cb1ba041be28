// Builds the tools from their declarations and routes; parameters, tier and price come from the route.

import type { TObject } from 'typebox';
import { Type } from '../../contract/schema.ts';
import { API_PREFIX, type Route } from '../http/route.ts';
import type { Shape } from './short-answers.ts';
import { SUMMARIES, type Summary } from './summaries.ts';
import { DECLARATIONS, DEFAULT_BUDGET_CHARS, type ToolDeclaration } from './tool-declarations.ts';

export type JsonSchema = Record<string, unknown>;

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { type: 'object' };
  readonly outputSchema: JsonSchema & { type: 'object' };
  /** Arguments handled by the tool rather than the route: account, filters, detail. */
  readonly own: TObject;
  readonly shape: Shape | null;
  readonly summary: Summary;
  readonly budgetChars: number;
  readonly path: string;
  /** Account segments that `account` accepts; null if the tool takes no account. */
  readonly accounts: readonly string[] | null;
  /** Whether arguments are sent as the body of a POST. */
  readonly isPost: boolean;
  /** Default parameters for the route; the call may override them. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether `offset` returns the omitted rows. */
  readonly isPaged: boolean;
  findPath(account: string | undefined, eventId: number | undefined): string;
}

export function listTools(routes: readonly Route[], segments: readonly string[]): AgentTool[] {
  return DECLARATIONS.flatMap((declaration) => {
    const path = (segment: string) => `${API_PREFIX}${declaration.path(segment)}`;
    const method = declaration.method ?? 'GET';
    const having = segments.filter((segment) => findRoute(routes, method, path(segment)));
    const route = widestRoute(routes, method, having.map(path));
    if (!route) return [];
    const accounts = declaration.of === 'each' ? having : null;
    const own = ownParameters(declaration, accounts);
    return {
      name: declaration.name,
      title: declaration.title,
      description: declaration.description,
      inputSchema: inputSchema(own, route),
      outputSchema: outline(route.document.ok),
      own,
      shape: declaration.shape ?? null,
      summary: SUMMARIES[declaration.name],
      budgetChars: declaration.budgetChars ?? DEFAULT_BUDGET_CHARS,
      path: path('{account}'),
      accounts,
      isPost: method === 'POST',
      defaults: declaration.defaults ?? {},
      isPaged: declaration.isPaged ?? false,
      findPath: (account, eventId) => path(account ?? having[0]!).replace('{event_id}', String(eventId)),
    };
  });
}

function findRoute(routes: readonly Route[], method: string, path: string): Route | undefined {
  return routes.find((candidate) => candidate.path === path && candidate.method === method);
}

/**
 * Accounts may differ in their parameters. The tool accepts all of them, and an account ignores those it does
 * not support.
 */
function widestRoute(routes: readonly Route[], method: string, paths: readonly string[]): Route | undefined {
  const found = paths.flatMap((path) => findRoute(routes, method, path) ?? []);
  const width = ({ query }: Route) => Object.keys(query?.properties ?? {}).length;
  return found.reduce<Route | undefined>(
    (best, route) => (best && width(best) >= width(route) ? best : route),
    undefined,
  );
}

function ownParameters({ takes, budgetChars }: ToolDeclaration, accounts: readonly string[] | null): TObject {
  return Type.Object({
    ...(accounts && { account: Type.Enum([...accounts]) }),
    ...takes,
    ...(budgetChars === undefined && { detail: Type.Optional(Type.Enum(['short', 'full'])) }),
  });
}

function inputSchema(own: TObject, route: Route): AgentTool['inputSchema'] {
  const { properties, required = [] } = plain<Parameters>(own);
  const taken = route.body ?? route.query;
  const inner = taken ? plain<Parameters>(taken) : { properties: {} };
  for (const name of NOT_FOR_AGENTS) delete inner.properties[name];
  const all = [...required, ...(inner.required ?? [])];
  return {
    type: 'object',
    properties: { ...properties, ...inner.properties },
    ...(all.length > 0 && { required: all }),
  };
}

/** Paging, range and format parameters that agents do not need. */
const NOT_FOR_AGENTS = ['cursor', 'format', 'from', 'to', 'wake_ts'];

interface Parameters {
  properties: JsonSchema;
  required?: string[];
}

/**
 * Describes only a result's first level, because the list of all tools must fit into an agent's context. Nothing is
 * required, because clients also validate errors and payment terms against it.
 */
function outline(schema: unknown): AgentTool['outputSchema'] {
  const { properties } = plain<Parameters>(schema);
  const outlined = Object.entries(properties).map(([name, property]) => {
    const { type } = property as { type?: string };
    return [name, type === undefined ? {} : { type }];
  });
  return { type: 'object', properties: Object.fromEntries(outlined) };
}

/** Strips the schema builder's markers. */
function plain<T>(schema: unknown): T {
  return JSON.parse(JSON.stringify(schema)) as T;
}
