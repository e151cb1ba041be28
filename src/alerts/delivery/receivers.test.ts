// Slow, silent or missing receivers delay only their own alerts.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookDelivery } from '../../store/ports.ts';
import { createOutcomeLog } from './deliveries.ts';
import { createBench, NOW_TS } from './deliveries-bench.test-support.ts';
import { createGuardedPost, createHostResolver, type PostOutcome } from './post-guarded.ts';

const PATIENT_MS = 60_000;

describe('unresponsive receiver', () => {
  it("does not delay another customer's alerts", async () => {
    const hung = Promise.withResolvers<PostOutcome>();
    const { clock, alerts, deliveries, add } = createBench(['slow', 'well'], (post) =>
      post.url.includes('slow') ? hung.promise : Promise.resolve({ status: 204, problem: null }),
    );
    for (let i = 0; i < 200; i++) add('slow', `slow-${i}`);
    add('well', 'first');
    deliveries.start();
    await clock.advanceAsync(100);
    assert.equal(alerts.get('first')!.status, 'delivered');
    add('well', 'second');
    deliveries.wake();
    await clock.advanceAsync(100);
    assert.equal(alerts.get('second')!.status, 'delivered');
    hung.resolve({ status: 204, problem: null });
    await deliveries.stop();
  });

  it('is disabled after six hours of failures, unless it recovers', async () => {
    let isBack = false;
    const { clock, alerts, endpoints, deliveries, add } = createBench(['gone', 'ill'], async (post) =>
      post.url.includes('ill') && isBack
        ? { status: 200, problem: null }
        : { status: null, problem: 'refused' },
    );
    deliveries.start();
    for (let minutes = 0; minutes < 8 * 60; minutes += 10) {
      isBack = minutes >= 300;
      add('gone', `gone-${minutes}`);
      add('ill', `ill-${minutes}`);
      for (let step = 0; step < 10; step++) await clock.advanceAsync(60_000);
    }
    await deliveries.stop();
    const [gone, ill] = endpoints;
    assert.ok(gone!.disabledTs! >= NOW_TS + 6 * 3_600_000);
    assert.equal(ill!.disabledTs, null);
    assert.ok(
      [...alerts.values()].some(({ lastResponse }) => lastResponse?.startsWith('disabled: 20 attempts')),
    );
  });
});

describe('an alert', () => {
  it('is not sent again at once while the store cannot record that it was sent', async () => {
    let sent = 0;
    const { clock, alerts, deliveries, add } = createBench(['well'], async () => {
      await nextTurn();
      sent += 1;
      return { status: 204, problem: null };
    });
    add('well', 'first');
    alerts.set = () => {
      throw new Error('the disk is full');
    };
    deliveries.start();
    for (let ms = 0; ms < 10_000; ms += 100) await clock.advanceAsync(100);
    assert.ok(sent >= 1 && sent <= 3, `${sent}`);
    alerts.set = Map.prototype.set;
    for (let ms = 0; ms < 10_000; ms += 100) await clock.advanceAsync(100);
    assert.equal(alerts.get('first')!.status, 'delivered');
    await deliveries.stop();
  });
});

describe('many unresponsive receivers', () => {
  it('never take slots from healthy receivers, however many there are', async () => {
    const dead = Array.from({ length: 550 }, (_, i) => `dead-${i}`);
    const { clock, alerts, deliveries, add } = createBench([...dead, 'well'], async (post) => {
      if (post.url.includes('well')) return { status: 204, problem: null };
      await new Promise<void>((resolve) => clock.after(10_000, resolve));
      return { status: null, problem: 'no answer' };
    });
    for (const webhookId of dead) add(webhookId, `${webhookId}-first`);
    deliveries.start();
    await clock.advanceAsync(60_000);
    // These receivers are now known to fail, so their alerts stay queued and nothing waits for them.
    for (const webhookId of dead) for (let i = 0; i < 3; i++) add(webhookId, `${webhookId}-${i}`);
    for (let second = 0; second < 12; second++) {
      add('well', `well-${second}`);
      deliveries.wake();
      await clock.advanceAsync(1_000);
      assert.equal(alerts.get(`well-${second}`)!.status, 'delivered', `after ${second} s`);
    }
    const stopping = deliveries.stop();
    await clock.advanceAsync(20_000);
    await stopping;
  });
});

describe('delivery results', () => {
  const outcome = (deliveryId: string) => ({ deliveryId }) as WebhookDelivery;

  it('are written in batches, and each resolves once its batch is durable', async () => {
    const writes: { ids: string[]; end: PromiseWithResolvers<void> }[] = [];
    const note = createOutcomeLog((outcomes) => {
      const end = Promise.withResolvers<void>();
      writes.push({ ids: outcomes.map(({ deliveryId }) => deliveryId), end });
      return end.promise;
    });
    const first = note(outcome('1'));
    await nextTurn();
    const others = ['2', '3', '4'].map((id) => note(outcome(id)));
    writes[0]!.end.reject(new Error('disk full'));
    await assert.rejects(first, /disk full/);
    await nextTurn();
    writes[1]!.end.resolve();
    await Promise.all(others);
    assert.deepEqual(
      writes.map(({ ids }) => ids),
      [['1'], ['2', '3', '4']],
    );
  });
});

describe('connection to a receiver', () => {
  async function withReceiver(
    answer: (place: number, res: ServerResponse) => void,
    ask: (url: string) => Promise<void>,
  ): Promise<number[]> {
    const sockets: Socket[] = [];
    const used: number[] = [];
    const server = createServer((req, res) => {
      if (!sockets.includes(req.socket)) sockets.push(req.socket);
      used.push(sockets.indexOf(req.socket));
      req.resume().on('end', () => answer(used.length, res));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    server.close();
    return used;
  }
  const post = createGuardedPost(() => false);
  const send = async (url: string) =>
    (await post({ url, headers: {}, body: '{}', timeoutMs: PATIENT_MS })).status;

  it('is reused unless the response was too long', async () => {
    const long = 'x'.repeat(1_000_000);
    const used = await withReceiver(
      (place, res) => void res.writeHead(200).end(place === 2 ? long : 'fine'),
      async (url) => {
        for (let i = 0; i < 3; i++) {
          assert.equal(await send(url), 200);
          await nextTurn();
        }
      },
    );
    assert.deepEqual(used, [0, 0, 1]);
  });

  it('is reopened immediately if the receiver closes it on reuse', async () => {
    const used = await withReceiver(
      (place, res) => (place === 2 ? res.destroy() : void res.writeHead(204).end()),
      async (url) => {
        for (let i = 0; i < 2; i++) {
          assert.equal(await send(url), 204);
          await nextTurn();
        }
      },
    );
    assert.deepEqual(used, [0, 0, 1]);
  });
});

describe('receiver', () => {
  it('gets no alerts during a pause it requested, and the pause does not count as an attempt', async () => {
    let sent = 0;
    const { clock, alerts, deliveries, add } = createBench(
      ['chat'],
      async () => ({ status: 204, problem: null }),
      () => {
        sent += 1;
        return sent === 1
          ? { isDelivered: false, response: 'status 429', pauseMs: 60_000 }
          : { isDelivered: true, response: 'status 204', pauseMs: 60_000 };
      },
    );
    add('chat', 'first');
    deliveries.start();
    await clock.advanceAsync(50_000);
    assert.deepEqual([sent, alerts.get('first')!.attempts], [1, 0]);
    add('chat', 'second');
    await clock.advanceAsync(20_000);
    assert.deepEqual([sent, alerts.get('first')!.status], [2, 'delivered']);
    await clock.advanceAsync(70_000);
    assert.deepEqual([sent, alerts.get('second')!.status], [3, 'delivered']);
    await deliveries.stop();
  });

  it('is disabled immediately when gone, and its pending deliveries fail', async () => {
    const { clock, alerts, endpoints, deliveries, add } = createBench(
      ['browser'],
      async () => ({ status: 204, problem: null }),
      () => ({ isDelivered: false, response: 'status 410', isGone: true }),
    );
    for (let i = 0; i < 9; i++) add('browser', `n-${i}`);
    deliveries.start();
    await clock.advanceAsync(1_000);
    await deliveries.stop();
    assert.notEqual(endpoints[0]!.disabledTs, null);
    assert.deepEqual([...new Set([...alerts.values()].map(({ status }) => status))], ['failed']);
  });
});

describe('host name with unresponsive name servers', () => {
  it('times out without delaying other DNS lookups in the process', async () => {
    const tarpit = createSocket('udp4');
    tarpit.bind(0, '127.0.0.1');
    await once(tarpit, 'listening');
    const resolve = createHostResolver([`127.0.0.1:${tarpit.address().port}`], 2_000);
    const post = createGuardedPost(() => false, resolve);
    const send = (i: number) =>
      post({ url: `https://never-${i}.example/`, headers: {}, body: '', timeoutMs: PATIENT_MS });
    const outcomes = Promise.all(Array.from({ length: 20 }, (_, i) => send(i)));
    let isOver = false;
    void outcomes.then(() => {
      isOver = true;
    });
    // In the thread pool, these four lookups would wait behind the twenty stuck ones.
    await Promise.all(Array.from({ length: 4 }, () => lookup('localhost')));
    assert.equal(isOver, false);
    for (const { status, problem } of await outcomes) {
      assert.equal(status, null);
      assert.match(problem!, /DNS lookup of never-\d+\.example timed out/);
    }
    tarpit.close();
  });
});
