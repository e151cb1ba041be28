// `tallycast mcp`, used as an agent's host uses it, with both generations of the official SDK.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { DEFAULT_SIMULATOR_SEED } from '../../simulator/state-file.ts';
import { type Harness, startHarness } from '../api/harness.ts';
import { writeYoungSimulator } from '../support/boot.ts';
import { findFreePort } from '../support/free-port.ts';
import { makeTempFolder } from '../support/temp-store.ts';

const ENTRY = join(import.meta.dirname, '../../src/bin/tallycast.ts');
const DEADLINE_MS = 120_000;

interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

interface Agent {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}

type Environment = Record<string, string>;

const GENERATIONS: Record<string, (args: string[], env: Environment) => Promise<Agent>> = {
  'version 1': async (args, env) => {
    const client = new ClientV1({ name: 'host', version: '1.0.0' });
    await client.connect(new StdioV1({ command: process.execPath, args, env, stderr: 'ignore' }) as never);
    return client as unknown as Agent;
  },
  'version 2': async (args, env) => {
    const client = new ClientV2({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioV2({ command: process.execPath, args, env, stderr: 'ignore' }));
    return client as unknown as Agent;
  },
};

async function call(agent: Agent, name: string, args: object): Promise<ToolResult> {
  return (await agent.callTool({ name, arguments: args })) as ToolResult;
}

describe('tallycast mcp', { timeout: 2 * DEADLINE_MS }, () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());

  for (const [generation, connect] of Object.entries(GENERATIONS)) {
    it(`connects ${generation} of the SDK to a running service`, async () => {
      const url = `http://127.0.0.1:${harness.port}`;
      const agent = await connect([ENTRY, 'mcp', '--url', url, '--key', harness.keys.PRO], {});
      const { tools } = await agent.listTools();
      assert.ok(tools.some(({ name }) => name === 'what_to_trade'));
      const counters = await call(agent, 'get_counters', { account: 'account_a' });
      assert.equal(counters.isError ?? false, false);
      assert.ok(Array.isArray(counters.structuredContent?.data));
      const refused = await call(agent, 'get_counters', { account: 'someone' });
      assert.equal(refused.isError, true);
      await agent.close();
    });
  }

  for (const ending of ['SIGTERM', 'end of input'] as const) {
    it(`ends quietly with requests under way, on ${ending}`, async () => {
      const args = [ENTRY, 'mcp', '--url', `http://127.0.0.1:${harness.port}`, '--key', harness.keys.PRO];
      const child = spawn(process.execPath, args);
      const exit = once(child, 'exit');
      const read = { output: text(child.stdout), notes: text(child.stderr) };
      const ids = Array.from({ length: 10 }, (_, i) => i + 1);
      for (const id of ids)
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })}\n`);
      if (ending === 'end of input') child.stdin.end();
      else await once(child.stdout, 'data').then(() => child.kill('SIGTERM'));
      assert.deepEqual(await exit, [0, null]);
      assert.equal(await read.notes, '');
      // An agent that only closed its side still gets every response.
      const lines = (await read.output).trim().split('\n');
      if (ending === 'end of input')
        assert.deepEqual(
          lines.map((line) => JSON.parse(line).id).sort((a, b) => a - b),
          ids,
        );
    });
  }

  it('returns an error for every request while the service cannot be reached', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    for (const key of [['--key', 'tc_pro_x'], []]) {
      const connecting = GENERATIONS['version 1']!([ENTRY, 'mcp', '--url', url, ...key], {});
      await assert.rejects(connecting, /cannot be reached/);
    }
  });

  it('starts a service if there is none, with its demo key, and stops it afterwards', async () => {
    const dataDir = join(makeTempFolder('mcp'), 'data');
    writeYoungSimulator(dataDir, DEFAULT_SIMULATOR_SEED);
    const port = String(await findFreePort());
    const env = { PORT: port, DATA_DIR: dataDir, READ_PAST: 'false' };
    const agent = await GENERATIONS['version 2']!([ENTRY, 'mcp'], env);
    const trades = await call(agent, 'what_to_trade', {});
    assert.equal(trades.isError ?? false, false, trades.content[0]?.text);
    await agent.close();
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/health`));
  });
});
