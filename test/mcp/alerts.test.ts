// A listening agent is notified only of new alerts for its own key, and then fetches them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Harness, startHarness } from '../api/harness.ts';
import { sampleAlert } from '../store/samples.ts';
import { waitUntil } from '../support/boot.ts';

const URI = 'tallycast://notices';
let harness: Harness;

before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

async function listen(key: string) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(`http://127.0.0.1:${harness.port}/mcp`);
  const requestInit = { headers: { 'X-API-Key': key } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const reported: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void reported.push(params.uri),
  );
  const subscription = await client.listen({ resourceSubscriptions: [URI] });
  return { client, reported, subscription };
}

/** Opens a listening stream without a client and returns the response. */
async function listenBare(key: string | null): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta: meta, notifications: { resourceSubscriptions: [URI] } };
  return fetch(`http://127.0.0.1:${harness.port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
      ...(key ? { 'X-API-Key': key } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
  });
}

describe('the alert feed for agents', () => {
  it('accepts only keys that can have alerts, and never gives all slots to one key', async () => {
    const [{ key: free }, { key: pro }] = [await harness.issue('FREE'), await harness.issue('PRO')];
    assert.equal((await listenBare(null)).status, 401);
    assert.equal((await listenBare(free)).status, 401);
    const open = await Promise.all(Array.from({ length: 8 }, () => listenBare(pro)));
    assert.deepEqual([...new Set(open.map(({ status }) => status))], [200]);
    assert.match(open[0]!.headers.get('content-type')!, /event-stream/);
    assert.equal((await listenBare(pro)).status, 429);
    await open[0]!.body!.cancel();
    let again: Response | null = null;
    await waitUntil(async () => {
      again = await listenBare(pro);
      if (again.status !== 200) await again.body!.cancel();
      return again.status === 200;
    });
    for (const each of [...open.slice(1), again!]) await (each as Response).body!.cancel();
  });

  it("reports only the calling key's alerts, and ends with the key", async () => {
    const [one, other] = [await harness.issue('PRO'), await harness.issue('PRO')];
    const [mine, theirs] = [await listen(one.key), await listen(other.key)];
    // Alerts from before the first poll are not reported, and its time is unknown, so add alerts until one is.
    let added = 0;
    await waitUntil(async () => {
      const alertId = `ntc_${String(++added).padStart(32, '0')}`;
      const createdTs = harness.clock.now();
      const alert = sampleAlert({ alertId, createdTs, keyId: one.keyId, title: 'Mine' });
      await harness.store.alerts.add(alert, []);
      await harness.clock.advanceAsync(1_000);
      return mine.reported.length > 0;
    });
    assert.deepEqual([new Set(mine.reported), theirs.reported], [new Set([URI]), []]);
    const read = await mine.client.readResource({ uri: URI });
    assert.match((read.contents[0] as { text: string }).text, /"title":"Mine"/);
    const empty = await theirs.client.readResource({ uri: URI });
    assert.deepEqual(JSON.parse((empty.contents[0] as { text: string }).text).data, []);
    let isOver = false;
    void mine.subscription.closed.then(() => {
      isOver = true;
    });
    await harness.revoke(one.keyId);
    await waitUntil(async () => {
      await harness.clock.advanceAsync(1_000);
      return isOver;
    });
    await theirs.subscription.close();
    await Promise.all([mine.client.close(), theirs.client.close()]);
  });
});
