import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/units.ts';
import { parseFault } from '../faults/fault-registry.ts';
import { ask, type Json, openSimulator } from '../simulator.test-support.ts';
import type { Simulator } from '../simulator.ts';
import { MARKET_SOCKET_PATH } from '../urls.ts';

const withFaults = (...faults: string[]) => openSimulator({ faults: faults.map(parseFault) });

function connect(simulator: Simulator, path: string) {
  const messages: Json[] = [];
  let isClosed = false;
  const session = simulator.connect(path, {
    send: (text) => messages.push(text === 'PONG' ? text : JSON.parse(text)),
    close: () => {
      isClosed = true;
    },
  });
  return { session: session!, messages, isClosed: () => isClosed };
}

async function openTokens(simulator: Simulator, eventId?: number): Promise<string[]> {
  const path = `/gamma/events?tag_id=972&closed=false&limit=100${eventId ? `&id=${eventId}` : ''}`;
  const response = await ask(simulator, path);
  const events = (await response.json()) as Json[];
  return events.flatMap((event) =>
    event.markets
      .filter((market: Json) => !market.closed)
      .map((market: Json) =>
        market.version === 'v2' ? market.positionIds[0] : JSON.parse(market.clobTokenIds)[0],
      ),
  );
}

describe('market socket', () => {
  it('sends the books, then every change, so that a maintained book equals a fetched one', async () => {
    const { simulator, clock } = openSimulator();
    const active = simulator
      .trueEvents(simulator.now())
      .find((event) => event.accountId === 'a' && event.endTs - event.startTs < 3 * DAY_MS)!;
    const token = (await openTokens(simulator, active.eventId))[0]!;
    const { session, messages } = connect(simulator, MARKET_SOCKET_PATH);
    session.receive(JSON.stringify({ type: 'market', assets_ids: [token] }));
    const book = messages[0][0];
    assert.equal(book.event_type, 'book');
    const levels = new Map<string, string>(
      [...book.bids, ...book.asks].map((level: Json) => [level.price, level.size]),
    );
    for (let i = 0; i < 12; i++) simulator.injectPost({ accountId: 'a' });
    clock.advance(3 * MINUTE_MS);
    const changes = messages.slice(1).filter((message) => message.event_type === 'price_change');
    assert.ok(changes.length > 0);
    for (const { price, size } of changes.flatMap((message) => message.price_changes)) {
      if (size === '0') levels.delete(price);
      else levels.set(price, size);
    }
    const asked: Json = await (await ask(simulator, `/clob/book?token_id=${token}`)).json();
    const expected = new Map([...asked.bids, ...asked.asks].map((level: Json) => [level.price, level.size]));
    assert.deepEqual(new Map([...levels].sort()), new Map([...expected].sort()));
    session.receive('PING');
    assert.equal(messages.at(-1), 'PONG');
    session.closed();
  });

  it('stays open without messages when silenced, and disconnects when down', async () => {
    const { simulator, clock } = withFaults('market-ws-silent');
    const { session, messages, isClosed } = connect(simulator, MARKET_SOCKET_PATH);
    const assets_ids = (await openTokens(simulator)).slice(0, 50);
    session.receive(JSON.stringify({ type: 'market', assets_ids, custom_feature_enabled: true }));
    clock.advance(10 * MINUTE_MS);
    session.receive('PING');
    assert.equal(messages.at(-1), 'PONG');
    assert.deepEqual(
      [...new Set(messages.slice(0, -1).map((message) => message.event_type))],
      ['new_market'],
      'only public messages',
    );
    simulator.faults.add(parseFault('market-ws-down'), simulator.now());
    clock.advance(2 * SECOND_MS);
    assert.equal(isClosed(), true);
    assert.equal(simulator.connect(MARKET_SOCKET_PATH, { send() {}, close() {} }), null);
  });
});

describe('activity stream', () => {
  it('sends posts and deletions as they happen, with keep-alives in between', async () => {
    const { simulator, clock } = openSimulator();
    for (const event_type of ['post.create', 'post.delete']) {
      const body = JSON.stringify({ event_type, filter: { user_id: '9001001' }, tag: 'all' });
      const subscribed = await ask(simulator, '/x/2/activity/subscriptions', { method: 'POST', body });
      assert.equal(subscribed.status, 200);
    }
    const aborter = new AbortController();
    const stream = await ask(simulator, '/x/2/activity/stream', { signal: aborter.signal });
    clock.advance(SECOND_MS);
    const { id } = simulator.injectPost({ accountId: 'a', deleteAfterMs: 7 * SECOND_MS });
    clock.advance(50);
    clock.advance(7 * SECOND_MS);
    clock.advance(30 * SECOND_MS);
    aborter.abort();
    const lines = (await stream.text()).split('\r\n');
    const events = lines.filter(Boolean).map((line) => JSON.parse(line).data);
    const about = events.filter((event: Json) => event.payload.id === id);
    assert.deepEqual(
      about.map((event: Json) => event.event_type),
      ['post.create', 'post.delete'],
    );
    assert.equal(about[0].payload.author_id, '9001001');
    assert.ok(lines.filter((line) => line === '').length > 1);
  });

  it('is refused beyond two at a time', async () => {
    const { simulator } = openSimulator();
    const open = (signal: AbortSignal) => ask(simulator, '/x/2/activity/stream', { signal });
    const [first, second] = [new AbortController(), new AbortController()];
    await open(first.signal);
    await open(second.signal);
    const refused = await open(second.signal);
    assert.deepEqual([refused.status, (await refused.json()).connection_issue], [429, 'TooManyConnections']);
    first.abort();
    assert.equal((await open(second.signal)).status, 200);
    second.abort();
  });
});
