// Resources that agents can read without calling a tool: accounts, open events and the track record.

import { ProtocolError, type ReadResourceResult } from '@modelcontextprotocol/server';
import type { Account } from '../../domain/account.ts';
import type { Answer } from '../http/answer.ts';
import type { InsideCall } from '../http/reply.ts';
import { API_PREFIX } from '../http/route.ts';
import { readBody } from './call-tool.ts';
import { fitAnswer, type Json, shapeRecords } from './short-answers.ts';
import { DEFAULT_BUDGET_CHARS } from './tool-declarations.ts';

export type AgentAccount = Pick<Account, 'segment' | 'displayName' | 'platform'>;
type Ask = (call: InsideCall) => Promise<Answer>;

interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  read(accounts: readonly AgentAccount[], ask: Ask): Promise<Json>;
}

export const ALERTS_URI = 'tallycast://notices';

const NOT_FOUND = -32602;
const MIME_TYPE = 'application/json';

const RESOURCES: readonly Resource[] = [
  {
    uri: 'tallycast://accounts',
    name: 'accounts',
    title: 'Accounts',
    description: 'Tracked accounts and the names that tools use for them',
    read: async (accounts) => ({
      data: accounts.map(({ segment, displayName, platform }) => ({
        account: segment,
        name: displayName,
        platform,
      })),
    }),
  },
  {
    uri: 'tallycast://events',
    name: 'events',
    title: 'Open events',
    description: 'Open events with their windows and counts',
    async read(accounts, ask) {
      const shape = shapeRecords({ without: ['image', 'feeds'] });
      const answers = accounts.map(async ({ segment }) => {
        const body = await askFor(ask, `/meta/${segment}`);
        return (shape(body, {}).body.data as Json[]).map((event) => ({ account: segment, ...event }));
      });
      return { data: (await Promise.all(answers)).flat() };
    },
  },
  {
    uri: 'tallycast://record',
    name: 'record',
    title: 'Record',
    description: 'How well forecasts and signals have performed so far',
    read: (_accounts, ask) => askFor(ask, '/performance/overview'),
  },
  {
    uri: ALERTS_URI,
    name: 'notices',
    title: 'Notices',
    description: "Your key's alerts, newest first (PRO); supports subscriptions",
    read: (_accounts, ask) => askFor(ask, '/notices'),
  },
];

export function listResources() {
  return RESOURCES.map(({ uri, name, title, description }) => ({
    uri,
    name,
    title,
    description,
    mimeType: MIME_TYPE,
  }));
}

export async function readResource(
  uri: string,
  accounts: readonly AgentAccount[],
  ask: Ask,
): Promise<ReadResourceResult> {
  const resource = RESOURCES.find((candidate) => candidate.uri === uri);
  if (!resource) throw new ProtocolError(NOT_FOUND, `Unknown resource ${uri}`);
  const body = fitAnswer(await resource.read(accounts, ask), DEFAULT_BUDGET_CHARS);
  return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(body) }] };
}

async function askFor(ask: Ask, path: string): Promise<Json> {
  const answer = await ask({ path: API_PREFIX + path, values: new Map(), payment: null });
  const body = readBody(answer);
  if (answer.status >= 400) {
    throw new ProtocolError(INTERNAL_ERROR, `${String(body.detail)} (status ${answer.status})`);
  }
  return body;
}

const INTERNAL_ERROR = -32603;
