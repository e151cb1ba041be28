import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { json, ScriptedSocket } from '../../../test/support/scripted-sources.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { createRecordingNetwork } from './record-network.ts';
import { blankSecrets, createRedact, findSecrets } from './redact.ts';
import { createReplayNetwork } from './replay-network.ts';
import type { TapeEntry } from './tape.ts';

const WALLET = `0x${'Ab'.repeat(20)}`;
const CONDITION = `0x${'cd'.repeat(32)}`;

describe('redaction of a recording', () => {
  it('removes credentials by value, wallets, email and network addresses, and nothing else', () => {
    const redact = createRedact(['s3cret/key+', 'ab'], 'salt');
    const text = `{"a":"s3cret/key+","b":"s3cret%2Fkey%2B","w":"${WALLET}","c":"${CONDITION}","m":"me@host.example","ip":"10.1.2.3","v":"1.2.3","p":0.25}`;
    const clean = redact(text);
    for (const gone of ['s3cret', WALLET, 'me@host', '10.1.2.3']) assert.ok(!clean.includes(gone), gone);
    for (const kept of [CONDITION, '"v":"1.2.3"', '"p":0.25']) assert.ok(clean.includes(kept), kept);
    assert.equal(JSON.parse(clean).w, JSON.parse(redact(text.toLowerCase())).w, 'one pseudonym per wallet');
    assert.equal(redact('https://me:pw@host/x'), 'https://host/x');
    assert.equal(redact(`user=0x${'0'.repeat(40)}`), `user=0x${'0'.repeat(40)}`);
  });

  it('removes a secret regardless of the surrounding text', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), fc.string(), (secret, before, after) => {
        assert.ok(!createRedact([secret], 's')(`${before}${secret}${after}`).includes(secret));
      }),
    );
  });

  it('covers every configuration value stored under a secret name', () => {
    const config = {
      secrets: { xBearerToken: 'tok', cryptoApiKey: null },
      accounts: [{ handle: 'h', postSources: [{ kind: 'rss', options: { credential: 'cred' } }] }],
    };
    assert.deepEqual(findSecrets(config), ['tok', 'cred']);
    assert.deepEqual(findSecrets(blankSecrets(config)), ['removed', 'removed']);
    assert.equal((blankSecrets(config) as typeof config).accounts[0]!.handle, 'h');
  });
});

function record(fetch: (url: string, init: RequestInit) => Promise<Response>) {
  const entries: TapeEntry[] = [];
  const made: ScriptedSocket[] = [];
  const network = createRecordingNetwork({
    network: {
      fetch,
      createSocket(url) {
        made.push(new ScriptedSocket(url));
        return made.at(-1)!;
      },
    },
    redact: createRedact(['the-token'], 's'),
    clock: createManualClock(0),
    keep: (entry) => entries.push(entry),
  });
  return { network, entries, made };
}

describe('recording', () => {
  it('stores responses, refusals and failures, and replays them in order', async () => {
    const bodies = ['{"n":1}', '{"n":2}'];
    const { network, entries } = record(async (url) => {
      if (url.includes('/down')) throw new TypeError('fetch failed');
      if (url.includes('/full')) return json({ error: 'the-token is worn out' }, 429, { 'retry-after': '5' });
      return new Response(bodies.shift(), { headers: { age: '7', 'set-cookie': 'x=y' } });
    });
    const headers = { authorization: 'Bearer the-token' };
    for (const path of ['/list?since_id=1', '/list?since_id=2', '/full']) {
      await (await network.fetch(`http://up${path}`, { headers })).text();
    }
    await assert.rejects(network.fetch('http://up/down', {}), /fetch failed/);
    assert.ok(!JSON.stringify(entries).includes('the-token'));
    assert.ok(!JSON.stringify(entries).includes('set-cookie'));
    const replay = createReplayNetwork(entries, (text) => text);
    const first = await replay.fetch('http://up/list?since_id=9', {});
    assert.deepEqual([await first.text(), first.headers.get('age')], ['{"n":1}', '7']);
    assert.equal(await (await replay.fetch('http://up/list', {})).text(), '{"n":2}');
    const full = await replay.fetch('http://up/full', {});
    assert.deepEqual([full.status, full.headers.get('retry-after')], [429, '5']);
    await assert.rejects(replay.fetch('http://up/down', {}), /fetch failed/);
    await assert.rejects(replay.fetch('http://up/list', {}), /not on the tape/);
    assert.equal(replay.countLeft(), 0);
  });

  it('does not return the second page in place of the first', async () => {
    const { network, entries } = record(async (url) => json({ url }));
    await (await network.fetch('http://up/list?limit=2&cursor=c1', {})).text();
    const replay = createReplayNetwork(entries, (text) => text);
    await assert.rejects(replay.fetch('http://up/list?limit=2', {}), /not on the tape/);
    assert.equal((await replay.fetch('http://up/list?limit=2&cursor=c1', {})).status, 200);
  });

  it('returns to each batch its own response, in any order', async () => {
    const { network, entries } = record(async (_, { body }) => new Response(String(body)));
    const ask = async (from: Pick<typeof network, 'fetch'>, body: string) =>
      (await from.fetch('http://up/books', { method: 'POST', body })).text();
    const batches = ['[{"token_id":"1"}]', '[{"token_id":"2"}]', '[{"token_id":"3"}]'];
    for (const batch of batches) await ask(network, batch);
    const replay = createReplayNetwork(entries, (text) => text);
    for (const batch of batches.toReversed()) assert.equal(await ask(replay, batch), batch);
  });

  it('stores the received part of an endless response, and the frames a socket received but not those we sent', async () => {
    const { network, entries, made } = record(async () => {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode('one\n')),
      });
      return new Response(body);
    });
    const reader = (await network.fetch('http://up/stream', {})).body!.getReader();
    await reader.read();
    const socket = network.createSocket('ws://up/ws');
    socket.send('{"auth":"the-token"}');
    made[0]!.push({ seq: 1 });
    network.finish();
    assert.deepEqual(
      entries.map((entry) => (entry.kind === 'answer' ? entry.body : entry.frames.join())),
      ['one\n', '{"seq":1}'],
    );
    const replayed = createReplayNetwork(entries, (text) => text).createSocket('ws://up/ws');
    const heard: string[] = [];
    replayed.addEventListener('message', (event) => heard.push((event as { data: string }).data));
    await new Promise<void>((resolve) => replayed.addEventListener('close', () => resolve()));
    assert.deepEqual(heard, ['{"seq":1}']);
  });
});
