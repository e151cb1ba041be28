// What the service tells agents that read before they call.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Harness, startHarness } from '../api/harness.ts';

describe('/llms.txt', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());

  it('names every route of the interface, and nothing uses up an allowance', async () => {
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

  it('follows the form: a title, a summary, sections of links', async () => {
    const { text } = await harness.call('//llms.txt');
    assert.match(text, /^# Tallycast\n\n> .+\n/);
    assert.match(text, /\[Model Context Protocol\]\(\/mcp\)/);
  });
});

describe('/config.json', () => {
  it('names accounts, payments and version', async () => {
    const harness = await startHarness();
    const { json } = await harness.call('//config.json');
    assert.deepEqual(
      json.accounts.map((account: { segment: string }) => account.segment),
      ['account_a', 'account_b'],
    );
    assert.equal(json.payments, false);
    assert.equal(json.version, '1.0.0');
    await harness.close();
  });
});
