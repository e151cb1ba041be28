import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/units.ts';
import { ask, type Json, NOW_TS, openSimulator } from '../simulator.test-support.ts';
import { describeFaults, FAULTS, parseFault } from './fault-registry.ts';

const TIMELINE = '/x/2/users/9001001/tweets?max_results=100&tweet.fields=created_at';

const withFaults = (...faults: string[]) => openSimulator({ faults: faults.map(parseFault) });

describe('faults', () => {
  it('are written as NAME[=VALUE][@AFTER][/FOR]', () => {
    assert.deepEqual(parseFault('oracle-stall=40h'), {
      name: 'oracle-stall',
      value: 40 * HOUR_MS,
      afterMs: 0,
      forMs: null,
    });
    assert.deepEqual(parseFault('x-down@2h/30m'), {
      name: 'x-down',
      value: 1,
      afterMs: 2 * HOUR_MS,
      forMs: HOUR_MS / 2,
    });
    assert.throws(() => parseFault('nonsense'), /Unknown fault/);
    assert.throws(() => parseFault('x-down=2'), /between 0 and 1/);
    assert.throws(() => parseFault('clock-skew=soon'), /not a duration/);
    for (const { name } of FAULTS) assert.ok(describeFaults().includes(name));
  });

  it('break, slow down and corrupt each HTTP feed by name', async () => {
    const paths: Record<string, string> = {
      x: TIMELINE,
      mastodon: '/mastodon/api/v1/accounts/107780257626128001/statuses',
      oracle: '/oracle/api/trackings',
      gamma: '/gamma/events',
      clob: '/clob/time',
      data: `/data/v2/positions?user=0x${'1'.repeat(40)}`,
    };
    for (const [feed, path] of Object.entries(paths)) {
      await assert.rejects(ask(withFaults(`${feed}-down`).simulator, path), TypeError);
      const limited = await ask(withFaults(`${feed}-429=1`).simulator, path);
      assert.equal(limited.status, 429);
      assert.match(await limited.text(), /^<!DOCTYPE html>/);
      assert.equal((await ask(withFaults(`${feed}-html=1`).simulator, path)).status, 502);
      const slow = withFaults(`${feed}-slow=4s`);
      const answer = ask(slow.simulator, path);
      slow.clock.advance(3 * SECOND_MS);
      assert.equal(await Promise.race([answer, Promise.resolve('waiting')]), 'waiting');
      slow.clock.advance(SECOND_MS);
      assert.equal((await answer).status, 200);
    }
    const cut = await ask(withFaults('gamma-truncated=1').simulator, '/gamma/events?limit=2');
    await assert.rejects(cut.json(), SyntaxError);
  });

  it('last as long as specified', async () => {
    const { simulator, clock } = withFaults('x-down@1h/1h');
    assert.equal((await ask(simulator, TIMELINE)).status, 200);
    clock.advance(HOUR_MS + 1);
    await assert.rejects(ask(simulator, TIMELINE));
    clock.advance(HOUR_MS);
    assert.equal((await ask(simulator, TIMELINE)).status, 200);
  });

  it('repeat, shuffle and shorten pages without losing a post for a client that keeps paging', async () => {
    const { simulator } = withFaults('posts-duplicated=0.5', 'posts-out-of-order', 'posts-partial-pages=1');
    const seen = new Set<string>();
    let total = 0;
    let token: string | undefined = '';
    for (let page = 0; token !== undefined && page < 200; page++) {
      const answer: Json = await (
        await ask(simulator, `${TIMELINE}${token && `&pagination_token=${token}`}`)
      ).json();
      for (const tweet of answer.data) seen.add(tweet.id);
      total += answer.data.length;
      token = answer.meta.next_token;
    }
    assert.equal(seen.size, 3200);
    assert.ok(total > 4000);
  });

  it('delete a share of new posts within ten seconds', () => {
    const { simulator, clock } = withFaults('posts-delete-fast=0.5');
    simulator.now();
    clock.advance(2 * DAY_MS);
    const posts = simulator.truePosts(NOW_TS, NOW_TS + 2 * DAY_MS - HOUR_MS);
    const quick = posts.filter(
      (post) => post.deletedTs !== null && post.deletedTs - post.visibleTs <= 10 * SECOND_MS,
    );
    assert.ok(quick.length > 0.35 * posts.length && quick.length < 0.65 * posts.length);
  });

  it("move the simulator's clock ahead by the skew, and never back", async () => {
    const { simulator, clock } = withFaults('clock-skew=3s');
    assert.equal(simulator.now(), NOW_TS + 3 * SECOND_MS);
    simulator.faults.clear('clock-skew', clock.now());
    assert.equal(simulator.now(), NOW_TS + 3 * SECOND_MS);
    clock.advance(4 * SECOND_MS);
    assert.equal(simulator.now(), NOW_TS + 4 * SECOND_MS);
  });

  it('limit the timeline to the given number of calls, with rate-limit headers', async () => {
    const { simulator } = withFaults('x-rate-limit=2');
    assert.deepEqual(
      [(await ask(simulator, TIMELINE)).status, (await ask(simulator, TIMELINE)).status],
      [200, 200],
    );
    const refused = await ask(simulator, TIMELINE);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('x-rate-limit-remaining'), '0');
    assert.ok(Number(refused.headers.get('x-rate-limit-reset')) * 1000 > NOW_TS);
  });

  it('can be switched through the admin API', async () => {
    const { simulator } = openSimulator();
    const body = JSON.stringify({ name: 'oracle-jump', value: 900 });
    assert.equal((await ask(simulator, '/admin/faults', { method: 'POST', body })).status, 200);
    assert.equal(simulator.faults.valueAt('oracle-jump', simulator.now()), 900);
    assert.equal((await ask(simulator, '/admin/faults/oracle-jump', { method: 'DELETE' })).status, 200);
    assert.equal(simulator.faults.valueAt('oracle-jump', simulator.now()), null);
    assert.equal(
      (await ask(simulator, '/admin/faults', { method: 'POST', body: '{"name":"no"}' })).status,
      400,
    );
  });
});
