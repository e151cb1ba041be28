import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completeProfile, idAtPlace } from '../src/domain/account-profile.ts';
import { DAY_MS } from '../src/domain/units.ts';
import { createManualClock } from '../src/runtime/clock.ts';
import { ACCOUNT_A, ACCOUNT_B } from './account-parameters.ts';
import { simulatorAccountFor } from './draw-account.ts';
import { createSimulator } from './simulator.ts';
import { createSimulatorState } from './simulator-state.ts';
import { DEMO_WALLET, holdingsOf } from './trading/wallets.ts';

const ANCHOR_TS = Date.UTC(2026, 5, 1);
const NOW_TS = ANCHOR_TS + 40 * DAY_MS;

function asked(count: number) {
  return Array.from({ length: count }, (_, place) => {
    const platform = place % 2 === 0 ? ('x' as const) : ('mastodon' as const);
    return completeProfile({ accountId: idAtPlace(place), platform }, place);
  });
}

function openSimulator(count: number, drop: string[] = []) {
  const accounts = asked(count)
    .filter(({ accountId }) => !drop.includes(accountId))
    .map(simulatorAccountFor);
  return createSimulator({ seed: 5, anchorTs: ANCHOR_TS, clock: createManualClock(NOW_TS), accounts });
}

describe('simulated accounts', () => {
  it('include the two predefined accounts if requested', () => {
    assert.deepEqual(asked(2).map(simulatorAccountFor), [ACCOUNT_A, ACCOUNT_B]);
  });

  it("use the tracked profile's counting rule", () => {
    const [first] = asked(1);
    const rule = { ...first!.countingRule, replies: true };
    assert.equal(simulatorAccountFor({ ...first!, countingRule: rule }).countingRule, rule);
  });

  it('have distinct posting patterns, ids, series and events, for any number of accounts', () => {
    const lives = asked(40).map(simulatorAccountFor);
    for (const field of ['platformUserId', 'handle', 'postsPerDay', 'eventIdBase'] as const) {
      const values = lives.slice(2).map((life) => life[field]);
      assert.equal(new Set(values).size, values.length, field);
    }
    const simulator = openSimulator(5);
    const events = simulator.trueEvents(simulator.now());
    assert.equal(new Set(events.map(({ eventId }) => eventId)).size, events.length);
    for (const { accountId } of asked(5)) {
      assert.ok(simulator.truePosts(NOW_TS - 7 * DAY_MS, NOW_TS, accountId).length > 20, accountId);
      assert.ok(events.filter((event) => event.accountId === accountId).length >= 3, accountId);
    }
  });

  it('post the same regardless of other accounts', () => {
    const [few, many] = [openSimulator(3), openSimulator(5, ['b'])];
    for (const accountId of ['a', 'c']) {
      assert.deepEqual(few.truePosts(0, NOW_TS, accountId), many.truePosts(0, NOW_TS, accountId));
      const eventsOf = (simulator: typeof few) =>
        simulator.trueEvents(simulator.now()).filter((event) => event.accountId === accountId);
      assert.deepEqual(eventsOf(few), eventsOf(many));
    }
  });

  it('all have positions in the demo wallet', () => {
    const accounts = asked(4).map(simulatorAccountFor);
    const clock = createManualClock(NOW_TS);
    const state = createSimulatorState({ seed: 5, anchorTs: ANCHOR_TS, clock, accounts });
    const held = holdingsOf(state, DEMO_WALLET, state.now()).map(({ ref }) => ref.event.accountId);
    for (const { accountId } of accounts) assert.ok(held.includes(accountId), accountId);
  });
});
