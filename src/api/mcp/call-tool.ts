// One tool call: arguments to a route's parameters, the route's answer to a tool result. Payments travel as
// x402 has them over MCP: asked for in an error result, sent and receipted under _meta.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { createCoercer } from '../contract/coerce.ts';
import type { Fault } from '../contract/faults.ts';
import { Type } from '../contract/schema.ts';
import type { Answer } from '../http/answer.ts';
import type { InsideCall } from '../http/inside-call.ts';
import type { AgentTool } from './tools.ts';

export const PAYMENT_META = 'x402/payment';
export const RECEIPT_META = 'x402/payment-response';

export interface ToolCall {
  arguments: Readonly<Record<string, unknown>>;
  meta: Readonly<Record<string, unknown>>;
}

export async function callTool(
  tool: AgentTool,
  call: ToolCall,
  ask: (call: InsideCall) => Promise<Answer>,
): Promise<CallToolResult> {
  const values = toValues(call.arguments);
  const path = tool.findPath(values.get('account'));
  if (path === null)
    return toResult({ status: 422, json: { detail: accountFaults(tool.accounts!, values) } });
  if (tool.accounts) values.delete('account');
  return toResult(await ask({ path, values, payment: encodePayment(call.meta[PAYMENT_META]) }));
}

/** Arguments as a query string would bring them, so that one reader judges both; null counts as absent. */
function toValues(args: Readonly<Record<string, unknown>>): Map<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  return new Map(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function accountFaults(accounts: readonly string[], values: ReadonlyMap<string, string>): Fault[] {
  const read = createCoercer(Type.Object({ account: Type.Enum([...accounts]) })).query(values);
  return read.ok ? [] : read.faults;
}

function encodePayment(payment: unknown): string | null {
  if (typeof payment === 'string') return payment;
  if (typeof payment !== 'object' || payment === null) return null;
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

function toResult(answer: Answer): CallToolResult {
  const body = readBody(answer);
  if (answer.status === 402) return paymentRequired(answer, body);
  const isError = answer.status >= 400;
  const receipt = decodeHeader(answer.headers?.['payment-response']);
  return {
    content: [{ type: 'text', text: isError ? describeError(answer.status, body) : JSON.stringify(body) }],
    structuredContent: body,
    ...(isError && { isError }),
    ...(receipt && { _meta: { [RECEIPT_META]: receipt } }),
  };
}

function paymentRequired(answer: Answer, body: Record<string, unknown>): CallToolResult {
  const terms = decodeHeader(answer.headers?.['payment-required']) ?? body;
  return {
    content: [{ type: 'text', text: JSON.stringify(terms) }],
    structuredContent: terms,
    isError: true,
  };
}

function readBody({ json, content }: Answer): Record<string, unknown> {
  return (content ? JSON.parse(content.bytes.toString('utf8')) : json) as Record<string, unknown>;
}

function decodeHeader(header: string | undefined): Record<string, unknown> | null {
  return header === undefined ? null : JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}

/** What to change, in words an agent can act on. */
function describeError(status: number, body: Record<string, unknown>): string {
  const { detail } = body;
  if (typeof detail === 'string') return `${detail} (status ${status})`;
  if (!Array.isArray(detail)) return JSON.stringify(body);
  const faults = (detail as Fault[]).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  return `Invalid arguments. ${faults.join('; ')} (status ${status})`;
}
