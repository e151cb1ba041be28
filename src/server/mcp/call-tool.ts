// Runs one tool call: maps its arguments to a route's parameters and the route's response to a tool result.
// Payments follow x402 over MCP: terms in an error result, payment and receipt under _meta.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { createCoercer } from '../../contract/coerce.ts';
import type { Fault } from '../../contract/faults.ts';
import type { Answer } from '../http/answer.ts';
import type { InsideCall } from '../http/reply.ts';
import type { Asked, Json } from './short-answers.ts';
import { fitAnswer } from './short-answers.ts';
import type { AgentTool } from './tools.ts';

const PAYMENT_META = 'x402/payment';
const RECEIPT_META = 'x402/payment-response';
/** Limits on the unknown names echoed, to keep the result small. */
const MAX_IGNORED_SHOWN = 5;
const LONGEST_NAME_SHOWN = 40;

export interface ToolCall {
  arguments: Readonly<Record<string, unknown>>;
  meta: Readonly<Record<string, unknown>>;
}

/** Format of the result. */
export interface Mode {
  /**
   * Protocol versions before 2025-06-18 support only text. Later versions get text and structured content,
   * because many hosts forward only the text.
   */
  isStructured: boolean;
  /** The title of an open event, for summaries of records that have only its id. */
  findTitle?: ((eventId: number) => string | undefined) | undefined;
  /** Whether a result may lack what has not been read yet. */
  isStarting?: (() => boolean) | undefined;
}

const STARTING =
  'The service has not read everything yet, so this may be incomplete: ask again in a minute. ';

export async function callTool(
  tool: AgentTool,
  call: ToolCall,
  ask: (call: InsideCall) => Promise<Answer>,
  mode: Mode,
): Promise<CallToolResult> {
  const values = toValues(call.arguments);
  const own = createCoercer(tool.own).query(values);
  if (!own.ok) return refusal(422, { detail: own.faults as Fault[] }, mode.isStructured);
  for (const name of Object.keys(tool.own.properties)) values.delete(name);
  const asked = own.value as Asked;
  const payment = encodePayment(call.meta[PAYMENT_META]);
  const answer = await ask({
    path: tool.findPath(asked.account, asked.event_id),
    payment,
    ...send(tool, call, values),
  });
  const report = (body: Json) => {
    const summary = `${mode.isStarting?.() ? STARTING : ''}${tool.summary(nameEvents(body, mode), asked)}`;
    return { summary, data: shortenAnswer(tool, body, asked, summary.length) };
  };
  const result = toResult(answer, report, mode);
  // A body with an unknown argument is refused, so the refusal already names it.
  const ignored = tool.isPost ? [] : describeIgnored(tool, call);
  return { ...result, content: [...result.content, ...ignored] };
}

function nameEvents(body: Json, { findTitle }: Mode): Json {
  if (!findTitle || !Array.isArray(body.data)) return body;
  const data = (body.data as Json[]).map((row) => ({ event_title: findTitle(Number(row.event_id)), ...row }));
  return { ...body, data };
}

/** Sends the arguments as a query, or as the JSON body of a POST. */
function send(
  { isPost, own, defaults }: AgentTool,
  call: ToolCall,
  values: ReadonlyMap<string, string>,
): Pick<InsideCall, 'values' | 'body'> {
  if (!isPost) return { values: new Map([...Object.entries(defaults), ...values]) };
  const given = Object.entries(call.arguments).filter(([name]) => !(name in own.properties));
  return { values: new Map(), body: Buffer.from(JSON.stringify(Object.fromEntries(given))) };
}

/** Without this, an agent that misspells `bankroll` would get advice for the default bankroll unnoticed. */
function describeIgnored(
  { inputSchema }: AgentTool,
  { arguments: args }: ToolCall,
): CallToolResult['content'] {
  const known = Object.keys(inputSchema.properties as object);
  const ignored = Object.keys(args).filter((name) => !known.includes(name));
  if (ignored.length === 0) return [];
  const names = ignored.slice(0, MAX_IGNORED_SHOWN).map((name) => name.slice(0, LONGEST_NAME_SHOWN));
  const takes = known.length === 0 ? 'This tool takes no arguments' : `This tool takes ${known.join(', ')}`;
  return [{ type: 'text', text: `Ignored unknown argument: ${names.join(', ')}. ${takes}.` }];
}

function shortenAnswer(
  { shape, budgetChars, isPaged }: AgentTool,
  body: Json,
  asked: Asked,
  summaryChars: number,
): Json {
  const { body: shaped, leftOut } = shape?.(body, asked) ?? { body, leftOut: 0 };
  if (asked.detail === 'full') return shaped;
  const fitted = fitAnswer(shaped, budgetChars - summaryChars, leftOut);
  return isPaged && fitted.left_out ? nameNextPage(fitted, asked.offset ?? 0) : fitted;
}

function nameNextPage(fitted: Json, offset: number): Json {
  const next = offset + (fitted.data as unknown[]).length;
  const how_to_get = `call again with "offset": ${next}, or filter by account, event_id, side or min_gain`;
  return { ...fitted, left_out: { ...(fitted.left_out as Json), how_to_get } };
}

/** Converts arguments to query-string values, which the route's parser validates; null counts as absent. */
function toValues(args: Readonly<Record<string, unknown>>): Map<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  return new Map(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function encodePayment(payment: unknown): string | null {
  if (typeof payment === 'string') return payment;
  if (typeof payment !== 'object' || payment === null) return null;
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

interface Report {
  summary: string;
  data: Json;
}

/** The summary comes first; hosts that forward only text then have an answer in words, and the data. */
function toResult(answer: Answer, report: (body: Json) => Report, { isStructured }: Mode): CallToolResult {
  const body = readBody(answer);
  if (answer.status === 402) return paymentRequired(answer, body, isStructured);
  if (answer.status >= 400) return refusal(answer.status, body, isStructured);
  const { summary, data } = report(body);
  const receipt = decodeHeader(answer.headers?.['payment-response']);
  return {
    content: [
      { type: 'text', text: summary },
      { type: 'text', text: JSON.stringify(data) },
    ],
    ...(isStructured && { structuredContent: data }),
    ...(receipt && { _meta: { [RECEIPT_META]: receipt } }),
  };
}

/** Text first, then the structured body. */
function refusal(status: number, body: Json, isStructured: boolean): CallToolResult {
  return {
    content: [
      { type: 'text', text: describeError(status, body) },
      { type: 'text', text: JSON.stringify(body) },
    ],
    ...(isStructured && { structuredContent: body }),
    isError: true,
  };
}

function paymentRequired(answer: Answer, body: Json, isStructured: boolean): CallToolResult {
  const terms = decodeHeader(answer.headers?.['payment-required']) ?? body;
  return {
    content: [{ type: 'text', text: JSON.stringify(terms) }],
    ...(isStructured && { structuredContent: terms }),
    isError: true,
  };
}

export function readBody({ json, content }: Answer): Record<string, unknown> {
  return (content ? JSON.parse(content.bytes.toString('utf8')) : json) as Record<string, unknown>;
}

function decodeHeader(header: string | undefined): Record<string, unknown> | null {
  return header === undefined ? null : JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}

/** Explains to the agent what to change. */
function describeError(status: number, body: Record<string, unknown>): string {
  const { detail } = body;
  if (typeof detail === 'string') return `${detail} (status ${status})`;
  if (!Array.isArray(detail)) return JSON.stringify(body);
  const faults = (detail as Fault[]).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  return `Invalid arguments. ${faults.join('; ')} (status ${status})`;
}
