import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { findUrlFault, isRefusedAddress } from './address-guard.ts';
import { createBench } from './deliveries-bench.test-support.ts';
import { createGuardedPost, createLocalPost, type GuardedPost, type PostOutcome } from './post-guarded.ts';
import { createWebhookSecret, signWebhook } from './send-alert.ts';

describe('webhook signature', () => {
  it('is accepted by an off-the-shelf verifier and rejected if the body changed', () => {
    const secret = createWebhookSecret();
    const timestampS = Math.floor(Date.now() / 1000);
    const body = '{"type":"post.created"}';
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestampS),
      'webhook-signature': signWebhook(secret, 'msg_1', timestampS, body),
    };
    assert.deepEqual(new Webhook(secret).verify(body, headers), { type: 'post.created' });
    assert.throws(() => new Webhook(secret).verify(body.replace('post', 'past'), headers));
  });
});

describe('webhook address guard', () => {
  it('refuses loopback, private, link-local, IPv4-in-IPv6 and malformed addresses', () => {
    const inner = [
      '127.0.0.1',
      '10.1.2.3',
      '172.20.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fd00:ec2::254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::7f00:1',
      '::ffff:0:7f00:1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'not an address',
    ];
    assert.deepEqual(
      inner.filter((address) => !isRefusedAddress(address)),
      [],
    );
  });

  it('allows a literal loopback address on the simulator, but no name that resolves to it', async () => {
    const post = createLocalPost(async () => ['127.0.0.1']);
    const send = (url: string) => post({ url, headers: {}, body: '', timeoutMs: 2_000 });
    assert.match((await send('https://rebound.example:1/')).problem!, /private network/);
    assert.match((await send('http://127.0.0.1:1/')).problem!, /ECONNREFUSED/);
  });

  it('allows public addresses', () => {
    assert.deepEqual(['8.8.8.8', '93.184.216.34', '2606:4700::1111'].filter(isRefusedAddress), []);
  });

  it('checks literal addresses', () => {
    assert.equal(findUrlFault('https://hooks.example.com/x'), null);
    const bad = [
      'http://hooks.example.com',
      'https://localhost/x',
      'https://localhost./x',
      'https://hooks.internal./x',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://user:pass@example.com/',
      'https://box.internal/',
      'ftp://example.com',
      'nonsense',
    ];
    assert.deepEqual(
      bad.filter((url) => findUrlFault(url) === null),
      [],
    );
  });

  it('allows this machine on the simulator, but no other private address', () => {
    for (const url of ['http://127.0.0.1:9/x', 'https://localhost/', 'http://[::1]:9/'])
      assert.deepEqual([findUrlFault(url, true), findUrlFault(url) === null], [null, false], url);
    for (const url of [
      'http://10.0.0.8/',
      'https://192.168.1.1/',
      'http://public.example/',
      'ftp://127.0.0.1/',
    ])
      assert.notEqual(findUrlFault(url, true), null, url);
  });

  it('rejects a public name that resolves to this machine', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '::1']]) {
      const post = createGuardedPost(isRefusedAddress, async () => addresses);
      const outcome = await post({ url: 'https://inner.example:1/', headers: {}, body: '', timeoutMs: 1000 });
      assert.deepEqual(outcome, { status: null, problem: 'the address is on a private network' });
    }
  });
});

describe('webhook deliveries', () => {
  async function deliver(outcomes: () => PostOutcome, hours: number) {
    const posts: GuardedPost[] = [];
    const { clock, alerts, deliveries, add } = createBench(['w'], async (post) => {
      posts.push(post);
      return outcomes();
    });
    add('w', 'msg_1');
    deliveries.start();
    for (let minute = 0; minute < hours * 60; minute += 5) await clock.advanceAsync(300_000);
    await deliveries.stop();
    return { posts, delivery: alerts.get('msg_1')! };
  }

  it('delivers once to a healthy receiver', async () => {
    const { posts, delivery } = await deliver(() => ({ status: 204, problem: null }), 1);
    assert.equal(posts.length, 1);
    assert.equal(delivery.status, 'delivered');
  });

  it('retries with backoff and the same id', async () => {
    let calls = 0;
    const { posts, delivery } = await deliver(() => ({ status: ++calls < 4 ? 500 : 200, problem: null }), 2);
    assert.deepEqual([posts.length, delivery.status, delivery.attempts], [4, 'delivered', 4]);
    assert.equal(new Set(posts.map((post) => post.headers['webhook-id'])).size, 1);
  });

  it("gives up after nine attempts over a day and reports the receiver's response", async () => {
    const { posts, delivery } = await deliver(() => ({ status: 503, problem: null }), 40);
    assert.deepEqual([posts.length, delivery.status, delivery.lastResponse], [9, 'failed', 'status 503']);
  });
});
