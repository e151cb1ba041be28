// npx tallycast lab agents: answers ten trader questions through the agent tools on the simulator, counts
// tokens, and checks every answer against the API.

import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CHARS_PER_TOKEN } from '../../src/server/mcp/tool-declarations.ts';
import { bootService } from '../../test/support/boot.ts';
import { QUESTIONS, type Toolbox } from './agents/questions.ts';

// biome-ignore lint/suspicious/noExplicitAny: an agent sees untyped responses
type Body = any;

const service = await bootService({ until: 'forecasts', args: ['--simulator-market', 'easy'] });
const key = await service.issueKey('PRO');
const headers = { 'X-API-Key': key };
const client = new Client({ name: 'trader', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit: { headers } }),
);

/** An agent gives up after this many tries. */
const MAX_CALLS = 60;
let chars = 0;
let calls: string[] = [];
const toolbox: Toolbox = {
  /** MCP hosts pass only the text content to the agent. */
  async use(name, args = {}) {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const texts = (content as { text: string }[]).map(({ text }) => text);
    chars += texts.join('').length + JSON.stringify(args).length + name.length;
    calls.push(name);
    if (isError && texts[0]!.includes('Try again') && calls.length < MAX_CALLS) {
      await wait(1_000);
      return toolbox.use(name, args);
    }
    if (isError) throw new Error(`${name}: ${texts[0]}`);
    return JSON.parse(texts[0]!) as Body;
  },
  async read(path) {
    return (await (await fetch(`${service.url}/api/v1${path}`, { headers })).json()) as Body;
  },
  wallet: service.app.simulator!.demoWallet,
};

await waitForAdvice();
const listChars = JSON.stringify(await client.listTools()).length;
console.log(`tools/list: about ${toTokens(listChars)} tokens, once\n`);
console.log('| question | tools | tokens | answer | matches the API |\n|---|---|--:|---|---|');
let wrong = 0;
let total = 0;
try {
  for (const { question, ask } of QUESTIONS) {
    chars = 0;
    calls = [];
    const { answer, isRight } = await ask(toolbox).catch((error: Error) => ({
      answer: error.message,
      isRight: false,
    }));
    total += chars;
    if (!isRight) wrong += 1;
    const tools = [...new Set(calls)].map((name) => `\`${name}\``).join(', ');
    console.log(`| ${question} | ${tools} | ${toTokens(chars)} | ${answer} | ${isRight ? 'yes' : 'NO'} |`);
  }
} finally {
  await client.close();
  await service.stop();
}
console.log(
  `\n${QUESTIONS.length - wrong} of ${QUESTIONS.length} correct, ${toTokens(total)} tokens plus the tool list`,
);
process.exitCode = wrong === 0 ? 0 : 1;

/** Waits until every source has responded once. */
async function waitForAdvice(): Promise<void> {
  const isBlind = async () => (await toolbox.read('/signals')).blind.length > 0;
  for (let tries = 0; tries < 120 && (await isBlind()); tries++) await wait(500);
}

function toTokens(count: number): number {
  return Math.round(count / CHARS_PER_TOKEN);
}
