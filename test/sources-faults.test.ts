// Polls a simulator that shuffles, repeats, delays, truncates and rejects once a second: no post may be lost.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFault } from '../simulator/faults/fault-registry.ts';
import { createSimulator, type Simulator } from '../simulator/simulator.ts';
import { completeProfile } from '../src/domain/account-profile.ts';
import { DAY_MS } from '../src/domain/units.ts';
import { createManualClock, type ManualClock } from '../src/runtime/clock.ts';
import { SourceError } from '../src/runtime/errors.ts';
import { createRandom } from '../src/runtime/random.ts';
import { createHttpTransport } from '../src/sources/http-transport.ts';
import { createMastodonPostSource } from '../src/sources/mastodon/client.ts';
import type { PostSource } from '../src/sources/source.ts';
import { createXPostSource } from '../src/sources/x-api/client.ts';

const START_TS = Date.UTC(2026, 7, 16, 12);
const POLLS = 500;
const FAULTS = ['posts-out-of-order=0.3', 'posts-duplicated=0.3', 'posts-partial-pages=0.5'];

function openSimulator(system: string) {
  const clock = createManualClock(START_TS);
  const faults = [...FAULTS, `${system}-truncated=0.15`, `${system}-html=0.15`, `${system}-429=0.05`].map(
    parseFault,
  );
  const simulator = createSimulator({
    seed: 11,
    anchorTs: START_TS - DAY_MS * 2 - (START_TS % DAY_MS),
    clock,
    faults,
  });
  const info = simulator.accounts.find(({ platform }) => platform === (system === 'x' ? 'x' : 'mastodon'))!;
  const { accountId, handle, platformUserId } = info;
  const account = completeProfile({ accountId, handle, platformUserId }, 0);
  const http = createHttpTransport({
    name: system,
    baseUrl: `http://simulator/${system}`,
    clock,
    headers: { authorization: 'Bearer simulator' },
    fetch: (url, init) => simulator.fetch(new Request(url, init)),
  });
  const options = { account, http, clock, random: createRandom(3) };
  const source = system === 'x' ? createXPostSource(options) : createMastodonPostSource(options);
  return { clock, simulator, source, accountId: info.accountId };
}

async function pollOnce(
  source: PostSource,
  cursor: string | null,
  seen: Map<string, string>,
): Promise<string | null> {
  try {
    const page = await source.fetchLatest(cursor, new AbortController().signal);
    for (const post of page.posts) seen.set(post.rootPostId, post.postId);
    return page.cursor;
  } catch (error) {
    assert.ok(error instanceof SourceError, String(error));
    return cursor;
  }
}

function findLost(
  simulator: Simulator,
  accountId: string,
  seen: Map<string, string>,
  untilTs: number,
): string[] {
  return simulator
    .truePosts(START_TS, untilTs, accountId)
    .filter((post) => post.visibleTs < untilTs && post.deletedTs === null && !seen.has(post.id))
    .map(({ id }) => id);
}

/** Advances the clock a second at a time until the work is done, including pauses between attempts. */
async function whileTimePasses<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  do await clock.advanceAsync(1_000);
  while (!isDone);
  return settled;
}

describe('polling', () => {
  for (const system of ['x', 'mastodon']) {
    it(`of ${system} loses no post despite faults`, async () => {
      const { clock, simulator, source, accountId } = openSimulator(system);
      const seen = new Map<string, string>();
      let cursor: string | null = null;
      for (let poll = 0; poll < POLLS; poll++) {
        if (poll % 7 === 0) simulator.injectPost({ accountId, kind: poll % 2 ? 'quote' : 'original' });
        cursor = await whileTimePasses(clock, pollOnce(source, cursor, seen));
      }
      // Posts may appear 25 s late, and the next long look-back happens within five minutes.
      const untilTs = simulator.now() - 30_000;
      assert.ok(simulator.truePosts(START_TS, untilTs, accountId).length > POLLS / 8);
      assert.deepEqual(findLost(simulator, accountId, seen, untilTs), []);
    });
  }
});
