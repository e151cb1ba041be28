// An agent that listens is told when its key has a new notice, and of no other key's; it then reads it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Harness, startHarness } from '../api/harness.ts';
import { sampleNotice } from '../store/samples.ts';
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
  const told: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void told.push(params.uri),
  );
  const subscription = await client.listen({ resourceSubscriptions: [URI] });
  return { client, told, subscription };
}

describe('the feed of notices for agents', () => {
  it("tells of the own key's notices alone, and ends with the key", async () => {
    const [one, other] = [await harness.issue('PRO'), await harness.issue('PRO')];
    const [mine, theirs] = [await listen(one.key), await listen(other.key)];
    // What was there before is no news.
    await harness.clock.advanceAsync(3_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const notice = sampleNotice({ noticeId: `ntc_${'1'.repeat(32)}`, keyId: one.keyId, title: 'Mine' });
    await harness.store.notices.add(notice, []);
    await waitUntil(async () => {
      await harness.clock.advanceAsync(1_000);
      return mine.told.length > 0;
    });
    assert.deepEqual([mine.told, theirs.told], [[URI], []]);
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
