// Documents that agents read before their first call.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listTools } from '../../src/server/mcp/tools.ts';
import { type Harness, startHarness } from '../api/harness.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

describe('/llms.txt', () => {
  it('lists every API route and does not count against rate limits', async () => {
    const { status, text, headers } = await harness.call('//llms.txt');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.equal(headers['x-ratelimit-remaining'], undefined);
    const document = (await harness.call('//openapi.json')).json as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        assert.ok(text.includes(`\`${method.toUpperCase()} ${path}\``), `${method} ${path}`);
      }
    }
  });

  it('has a title, a summary and sections of links, as the format requires', async () => {
    const { text } = await harness.call('//llms.txt');
    assert.match(text, /^# Tallycast\n\n> .+\n/);
    assert.match(text, /\[Model Context Protocol\]\(\/mcp\)/);
  });
});

describe('/SKILL.md', () => {
  it('lists exactly the existing tools with their arguments', async () => {
    const { text, headers } = await harness.call('//SKILL.md');
    const tools = listTools(harness.api.routes, ['account_a', 'account_b']);
    assert.match(String(headers['content-type']), /^text\/markdown/);
    assert.match(text, /^---\nname: tallycast\ndescription: .{50,1024}\n---\n/);
    for (const { name, inputSchema } of tools) {
      const line = text.split('\n').find((candidate) => candidate.startsWith(`- \`${name}(`));
      assert.ok(line, name);
      for (const key of Object.keys(inputSchema.properties as object)) assert.ok(line.includes(key), key);
    }
    for (const [word] of text.matchAll(/\bget_[a-z_]+|what_to_[a-z]+/g))
      assert.ok(
        tools.some(({ name }) => name === word),
        word,
      );
  });
});

describe('/config.json', () => {
  it('contains the accounts, payment settings and version', async () => {
    const { json } = await harness.call('//config.json');
    assert.deepEqual(
      json.accounts.map((account: { segment: string }) => account.segment),
      ['account_a', 'account_b'],
    );
    assert.equal(json.payments, false);
    assert.equal(json.version, '1.0.0');
  });
});
