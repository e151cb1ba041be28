import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from '../../contract/schema.ts';
import { callTool } from './call-tool.ts';
import type { AgentTool } from './tools.ts';

const TOOL: AgentTool = {
  ...{ name: 't', title: 'T', description: 'd', path: '/t', accounts: null },
  ...{ shape: null, budgetChars: 1_000, own: Type.Object({}), findPath: () => '/t' },
  ...{ isPost: false, defaults: {}, isPaged: false, summary: () => 'Nothing.' },
  inputSchema: { type: 'object', properties: { wallet: {}, bankroll: {} } },
  outputSchema: { type: 'object' },
};
const call = async (args: Record<string, unknown>, isStructured = true, tool = TOOL) => {
  const ask = async () => ({ status: 200, json: { data: [] } });
  const { content } = await callTool(tool, { arguments: args, meta: {} }, ask, { isStructured });
  return content.map((part) => (part.type === 'text' ? part.text : ''));
};

describe('unknown tool arguments', () => {
  it('are reported with the result, along with the known arguments', async () => {
    const note = 'Ignored unknown argument: bankrol. This tool takes wallet, bankroll.';
    const result = ['Nothing.', '{"data":[]}', note];
    assert.deepEqual(await call({ bankrol: 5, wallet: 'w' }), result);
    assert.deepEqual(await call({ bankrol: 5 }, false), result);
  });

  it('are reported for a tool without arguments', async () => {
    const bare = { ...TOOL, inputSchema: { type: 'object', properties: {} } } as const;
    assert.match(
      (await call({ a: 1 }, true, bare))[2]!,
      /unknown argument: a\. This tool takes no arguments\.$/,
    );
  });

  it('do not make the result long, however many or long they are', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}`.padEnd(1_000, 'x'), 1]));
    assert.ok((await call(many))[2]!.length < 400);
  });

  it('are not mentioned when there are none', async () => {
    assert.equal((await call({ wallet: 'w', bankroll: 5 })).length, 2);
  });

  it('are left to the refusal of a tool that sends a body', async () => {
    assert.equal((await call({ a: 1 }, true, { ...TOOL, isPost: true })).length, 2);
  });
});
